"""The health of a number as the platform's responses show it: a circuit breaker and a rate. Pure.

A fault of the account or number (contract.md) opens the circuit: the number's messages wait, and
from `half_open_at` on one probe message tests whether the fault is gone. Throttling halves the
number's rate, which recovers step by step. docs/decisions/0016-live-adapter.md
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tidings import limits


@dataclass(slots=True)
class NumberHealth:
    """Circuit breaker and throttling of a number, beside the status and quality that the platform
    reports. Times are the account's."""

    status: str
    quality: str
    access_token: bytes | None = field(repr=False)
    fault: str | None = None  # the failure's code; not None: the circuit is open
    faults: int = 0  # in succession
    fault_at: datetime | None = None  # when the circuit last opened or closed
    half_open_at: datetime | None = None  # from then on one probe may be sent; None: at once
    rate_halvings: int = 0
    rate_halved_at: datetime | None = None


def open_circuit(health: NumberHealth, code: str, now: datetime, *, half_open: bool) -> None:
    """The platform refused the number itself. Of messages in flight together, one counts."""
    if health.fault is not None and not half_open:
        return
    soon = health.fault_at is not None and now - health.fault_at < limits.FAULT_RELAPSE
    health.faults = health.faults + 1 if health.fault is not None or soon else 1
    if health.fault is None:
        health.fault_at = now
    health.fault = code
    health.half_open_at = now + half_open_delay(health.faults)


def close_circuit(health: NumberHealth, now: datetime) -> None:
    if health.fault is not None:
        health.fault, health.fault_at, health.half_open_at = None, now, None


def half_open_delay(faults: int) -> timedelta:
    """Exponential backoff: one minute, two, four, up to an hour."""
    doublings = min(faults - 1, 10)
    return min(limits.HALF_OPEN_DELAY_MIN * (1 << doublings), limits.HALF_OPEN_DELAY_MAX)


def halve_rate(health: NumberHealth, steps: int, now: datetime) -> None:
    """Once for all messages that were in flight together."""
    just_now = (
        health.rate_halved_at is not None
        and now - health.rate_halved_at < limits.RATE_HALVING_INTERVAL_MIN
    )
    if not steps or (just_now and steps == 1):
        return
    current = halvings_at(health.rate_halvings, health.rate_halved_at, now)
    health.rate_halvings = min(current + steps, limits.RATE_HALVINGS_MAX)
    health.rate_halved_at = now


def halvings_at(rate_halvings: int, rate_halved_at: datetime | None, now: datetime) -> int:
    """How often the rate is halved at this time: it recovers one step at a time."""
    if not rate_halvings or rate_halved_at is None:
        return 0
    return max(
        rate_halvings - max(now - rate_halved_at, timedelta(0)) // limits.RATE_RECOVERY_STEP, 0
    )
