"""The invariants of charging, for `tidings doctor`."""

from .charging.audit_store import CHECKS

__all__ = ["CHECKS"]
