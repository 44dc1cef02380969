"""Every invariant, in the order of reliability.md, section 3."""

from . import (
    batches,
    charging,
    corruption,
    events,
    files,
    invoices,
    messages,
    partners,
    secrecy,
    structure,
    tenancy,
    webhooks,
)
from .model import Check, Invariant

CHECKS: tuple[Check, ...] = (
    *messages.CHECKS,
    *charging.CHECKS,
    *invoices.CHECKS,
    *partners.CHECKS,
    *batches.CHECKS,
    *events.CHECKS,
    *webhooks.CHECKS,
    *secrecy.CHECKS,
    *tenancy.CHECKS,
    *files.CHECKS,
    *structure.CHECKS,
)
INVARIANTS: tuple[Invariant, ...] = (
    *(invariant for check in CHECKS for invariant in check.invariants),
    corruption.INDEXES,
)
