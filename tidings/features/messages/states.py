"""The life of a message (specification 3, contract.md "Status"). Pure: states in, states out.

    scheduled, queued, deferred --claim--> sending --accepted--> sent --> delivered --> read
        ^  |                                  |  |                |
        |  +--> cancelled, expired            |  +--> failed      +--> failed, expired
        +--------------- hold ----------------+

Statuses never go backwards, whatever order callbacks arrive in; `delivered` and `read` win over
`failed` and `expired`, because the person holds the message in hand.
"""

from enum import StrEnum


class Status(StrEnum):
    SCHEDULED = "scheduled"
    QUEUED = "queued"
    DEFERRED = "deferred"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


WAITING = frozenset({Status.SCHEDULED, Status.QUEUED, Status.DEFERRED})
LEFT_US = frozenset(Status) - WAITING - {Status.SENDING}  # a batch counts these as done
REFUNDED = frozenset({Status.FAILED, Status.EXPIRED, Status.CANCELLED})


class Trigger(StrEnum):
    CLAIM = "claim"
    HOLD = "hold"  # the platform did not take it, and will perhaps later
    SENT = "sent"  # accepted by the platform, or so its callback says
    DELIVERED = "delivered"
    READ = "read"
    FAILURE = "failure"
    DEADLINE = "deadline"  # its time is over: unsent, or never delivered
    CANCELLATION = "cancellation"


MOVES: dict[tuple[Status, Trigger], Status] = {
    **{(status, Trigger.CLAIM): Status.SENDING for status in WAITING},
    **{(status, Trigger.DEADLINE): Status.EXPIRED for status in WAITING},
    **{(status, Trigger.FAILURE): Status.FAILED for status in WAITING},
    **{(status, Trigger.CANCELLATION): Status.CANCELLED for status in WAITING},
    # An earlier hand-over, given up as unknown, did arrive: it must not go out once more.
    **{(status, Trigger.SENT): Status.SENT for status in WAITING},
    **{(status, Trigger.DELIVERED): Status.DELIVERED for status in WAITING},
    **{(status, Trigger.READ): Status.READ for status in WAITING},
    (Status.SENDING, Trigger.HOLD): Status.DEFERRED,
    (Status.SENDING, Trigger.SENT): Status.SENT,
    (Status.SENDING, Trigger.DELIVERED): Status.DELIVERED,  # the callback overtook the answer
    (Status.SENDING, Trigger.READ): Status.READ,
    (Status.SENDING, Trigger.FAILURE): Status.FAILED,
    (Status.SENDING, Trigger.DEADLINE): Status.EXPIRED,  # unknown outcome, and its time is over
    (
        Status.SENDING,
        Trigger.CANCELLATION,
    ): Status.CANCELLED,  # held back after its batch was cancelled
    (Status.SENT, Trigger.DELIVERED): Status.DELIVERED,
    (Status.SENT, Trigger.READ): Status.READ,  # the platform skips `delivered` in an open chat
    (Status.SENT, Trigger.FAILURE): Status.FAILED,
    (Status.SENT, Trigger.DEADLINE): Status.EXPIRED,
    (Status.DELIVERED, Trigger.READ): Status.READ,
    (Status.FAILED, Trigger.DELIVERED): Status.DELIVERED,
    (Status.FAILED, Trigger.READ): Status.READ,
    (Status.EXPIRED, Trigger.DELIVERED): Status.DELIVERED,
    (Status.EXPIRED, Trigger.READ): Status.READ,
}


def after(status: Status, trigger: Trigger) -> Status | None:
    """The next status, or None when the trigger says nothing new about a message in `status`."""
    return MOVES.get((status, trigger))
