"""The invariants of charging, for `tidings doctor`."""

from .audit_store import CHECKS

__all__ = ["CHECKS"]
