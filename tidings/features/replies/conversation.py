"""What other slices may ask of what guests wrote."""

from .store import find_from as find_inbound

__all__ = ["find_inbound"]
