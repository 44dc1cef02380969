"""What other slices may ask of the account's numbers."""

from .store import load_numbers

__all__ = ["load_numbers"]
