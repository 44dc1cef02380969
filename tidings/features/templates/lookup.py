"""What other slices may ask of templates."""

from .store import load

__all__ = ["load"]
