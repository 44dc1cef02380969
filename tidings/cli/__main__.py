"""`python -m tidings.cli`."""

from .main import main

main()
