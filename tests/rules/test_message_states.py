"""The life of a message: every pair of status and trigger, from the specification (section 3) and
the contract ("Status", "Sending"), written out by hand."""

import pytest

from tidings.features.messages.model import DONE_SENDING, REFUNDED, WAITING, Status
from tidings.features.messages.state.transitions import Trigger, next_status

# Each row is a status, each column what may happen to it; `-` says nothing new.
TABLE = """
                claim    hold      sent  delivered  read  failure  deadline  cancellation
    scheduled   sending  -         sent  delivered  read  failed   expired   cancelled
    queued      sending  -         sent  delivered  read  failed   expired   cancelled
    deferred    sending  -         sent  delivered  read  failed   expired   cancelled
    sending     -        deferred  sent  delivered  read  failed   expired   cancelled
    sent        -        -         -     delivered  read  failed   expired   -
    delivered   -        -         -     -          read  -        -         -
    read        -        -         -     -          -     -        -         -
    failed      -        -         -     delivered  read  -        -         -
    expired     -        -         -     delivered  read  -        -         -
    cancelled   -        -         -     -          -     -        -         -
"""


def rows() -> list[tuple[str, str, str]]:
    triggers, *lines = [line.split() for line in TABLE.strip().splitlines()]
    return [
        (status, trigger, following)
        for status, *cells in lines
        for trigger, following in zip(triggers, cells, strict=True)
    ]


@pytest.mark.parametrize(("status", "trigger", "following"), rows())
def test_what_follows(status: str, trigger: str, following: str) -> None:
    found = next_status(Status(status), Trigger(trigger))
    assert (found.value if found else "-") == following


def test_the_table_has_every_pair() -> None:
    pairs = {(status, trigger) for status, trigger, _ in rows()}
    assert pairs == {(status.value, trigger.value) for status in Status for trigger in Trigger}


def test_the_statuses_are_those_of_the_contract() -> None:
    assert [status.value for status in Status] == [
        "scheduled", "queued", "deferred", "sending", "sent", "delivered", "read", "failed",
        "expired", "cancelled",
    ]  # fmt: skip


def test_every_status_waits_is_on_its_way_or_has_left_us() -> None:
    assert {status.value for status in WAITING} == {"scheduled", "queued", "deferred"}
    assert {status.value for status in DONE_SENDING} == {
        "sent", "delivered", "read", "failed", "expired", "cancelled",
    }  # fmt: skip
    assert WAITING | DONE_SENDING | {Status.SENDING} == set(Status)
    assert not WAITING & DONE_SENDING


def test_what_was_not_delivered_is_refunded() -> None:
    assert {status.value for status in REFUNDED} == {"failed", "expired", "cancelled"}


def test_only_a_person_who_holds_the_message_brings_it_back_from_its_end() -> None:
    ends = REFUNDED | {Status.READ}
    ways_back = {(status, next_status(status, trigger)) for status in ends for trigger in Trigger}
    assert {pair for pair in ways_back if pair[1] is not None} == {
        (Status.FAILED, Status.DELIVERED),
        (Status.FAILED, Status.READ),
        (Status.EXPIRED, Status.DELIVERED),
        (Status.EXPIRED, Status.READ),
    }
