"""What other slices may ask of templates."""

from .store import load, load_all

__all__ = ["load", "load_all"]
