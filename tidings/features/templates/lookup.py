"""What other slices may ask of templates."""

from .store import find_with_passcodes, load, load_all

__all__ = ["find_with_passcodes", "load", "load_all"]
