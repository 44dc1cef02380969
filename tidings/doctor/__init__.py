"""`tidings doctor`: the service's invariants, each a query that must return no rows.

Read-only, in one snapshot. Run it after a crash, a restore or a migration, or hourly.
docs/operating/invariants.md has a section for each.
"""

from .examine import SHOWN_MAX, check, connect, examine, examine_on
from .invariants import CHECKS, INVARIANTS
from .mending import repair

__all__ = [
    "CHECKS",
    "INVARIANTS",
    "SHOWN_MAX",
    "check",
    "connect",
    "examine",
    "examine_on",
    "repair",
]
