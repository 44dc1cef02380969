"""`python -m tidings.cli`."""

from tidings.cli.main import main

main()
