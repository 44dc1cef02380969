"""The dangerous states that histories must reach: one that never gets there shows nothing."""

from collections.abc import Mapping

from proof.simulation.faults import KINDS

ENDS = [f"a message ends {status}" for status in (
    "sent", "delivered", "read", "failed", "expired", "cancelled",
)]  # fmt: skip
STATES = [
    *KINDS,
    "a transaction waits for another",
    "a repeat got the first answer",
    "a repeat found it under way",
    "a cancellation came too late for some",
    "unknown, and settled by a callback",
    "unknown, and given up",
    "delivered after the refund",
    "tried again after a refusal",
    "a webhook came twice",
    "refused: QUOTA_EXHAUSTED",
    *ENDS,
]


def never_reached(reached: Mapping[str, int]) -> list[str]:
    return [state for state in STATES if not reached.get(state)]
