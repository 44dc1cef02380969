"""How a message is shown (4.1, 4.7, contract.md "Sending", "Status")."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from tidings import ids
from tidings.features.messages.model import (
    DONE_SENDING,
    WAITING,
    Attempt,
    Fault,
    Message,
    Status,
    Step,
)
from tidings.features.messages.read import responses
from tidings.features.messages.state import events
from tidings.features.messages.state.events import AboutMessage

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
OURS = UUID(int=1)
GUEST = "972501234567"


def message(status: Status = Status.SENT, **fields: Any) -> Message:
    values = {
        "account_id": OURS, "id": UUID(int=2), "client_message_id": "order-0001",
        "kind": "notification", "recipient": GUEST, "created_at": NOON,
        "times_out_at": NOON,
    }  # fmt: skip
    return Message(status=status, **values | fields)


FAULT = Fault("RECIPIENT_UNREACHABLE", "Why.", "What to do.", 131026)


ACCOUNT: Any = None  # an event is addressed to it; its data does not depend on it


def shown(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_it_is_200_once_it_has_gone_and_202_while_it_waits() -> None:
    assert {responses.http_status(message(status)) for status in DONE_SENDING} == {200}
    assert {responses.http_status(message(status)) for status in [*WAITING, Status.SENDING]} == {
        202
    }


def test_the_send_result_has_the_fields_of_the_specification() -> None:
    sent = message(platform_id="wamid.1", number="972555000001", sent_at=NOON)
    assert shown(responses.send_result(sent, duplicate=False)) == {
        "clientMessageId": "order-0001",
        "messageId": "wamid.1",
        "status": "sent",
        "sentFrom": "972555000001",
        "fallbackUsed": False,
        "sentAt": "2026-01-01T12:00:00.000Z",
        "duplicate": False,
    }


def test_what_waits_says_until_when_and_why() -> None:
    scheduled = message(Status.SCHEDULED, scheduled_for=NOON + DAY)
    found = shown(responses.send_result(scheduled, duplicate=True))
    assert (found["messageId"], found["sentAt"], found["duplicate"]) == (None, None, True)
    assert found["scheduledFor"] == "2026-01-02T12:00:00.000Z"
    for retry_at, at in ((NOON, "2026-01-01T12:00:00.000Z"), (None, None)):
        held = message(Status.DEFERRED, reason="NUMBER_LIMIT", retry_at=retry_at)
        found = shown(responses.send_result(held, duplicate=False))
        assert (found["reason"], found["retryAt"]) == ("NUMBER_LIMIT", at)


def test_a_failure_says_why_and_what_to_do() -> None:
    found = shown(responses.send_result(message(Status.FAILED, error=FAULT), duplicate=False))
    assert found["error"] == {
        "code": "RECIPIENT_UNREACHABLE", "explanation": "Why.", "action": "What to do.",
    }  # fmt: skip
    late = shown(responses.send_result(message(Status.DELIVERED, error=FAULT), duplicate=False))
    assert "error" not in late


def test_the_status_has_the_fields_of_the_contract() -> None:
    whole = message(
        Status.FAILED,
        batch_id=UUID(int=3),
        event_id="party",
        error=FAULT,
        meta='{"n":12345678901234567890}',
        timeline=[Step("queued", "a"), Step("deferred", "b", "NUMBER_LIMIT")],
        attempts=[Attempt(1, "a", "9725", "sent"), Attempt(2, "b", "9725", "failed", "X")],
    )
    found = shown(responses.status(whole, None, NOON))
    assert set(found) >= {
        "clientMessageId", "messageId", "to", "kind", "status", "sentFrom", "batchId", "eventId",
        "createdAt", "timeline", "invitation", "attempts", "error", "meta",
    }  # fmt: skip
    assert (found["batchId"], found["eventId"]) == (ids.batch_ref(UUID(int=3)), "party")
    assert found["timeline"] == [
        {"status": "queued", "at": "a"},
        {"status": "deferred", "at": "b", "reason": "NUMBER_LIMIT"},
    ]
    assert found["attempts"] == [
        {"attempt": 1, "at": "a", "sentFrom": "9725", "outcome": "sent"},
        {"attempt": 2, "at": "b", "sentFrom": "9725", "outcome": "failed", "code": "X"},
    ]
    assert found["error"]["platformCode"] == 131026
    assert b'{"n":12345678901234567890}' in msgspec.json.encode(responses.status(whole, None, NOON))


def test_every_event_carries_what_the_caller_knows_the_message_by() -> None:
    found = shown(AboutMessage(**events.about(message(meta='{"a":1}'))))
    assert found == {
        "clientMessageId": "order-0001", "messageId": None, "to": GUEST, "meta": {"a": 1},
    }  # fmt: skip
    whole = message(event_id="party", batch_id=UUID(int=3))
    more = shown(AboutMessage(**events.about(whole)))
    assert (more["eventId"], more["batchId"]) == ("party", ids.batch_ref(UUID(int=3)))


@pytest.mark.parametrize(
    ("status", "extra"),
    [
        (Status.SENT, set()),
        (Status.DELIVERED, set()),
        (Status.READ, set()),
        (Status.FAILED, {"error"}),
        (Status.EXPIRED, {"neverDelivered"}),
    ],
)
def test_a_status_event_says_what_its_status_needs(status: Status, extra: set[str]) -> None:
    ended = message(status, error=FAULT, never_delivered=True)
    found = shown(events.status(ACCOUNT, ended, NOON).data)
    plain = {"clientMessageId", "messageId", "to", "meta", "status", "at"}
    assert set(found) == plain | extra
    assert (found["status"], found["at"]) == (status.value, "2026-01-01T12:00:00.000Z")
    if status is Status.FAILED:
        assert set(found["error"]) == {"code", "explanation", "action", "platformCode"}
    if status is Status.EXPIRED:
        assert found["neverDelivered"] is True


def test_a_deferral_event_says_why_and_until_when() -> None:
    held = message(Status.DEFERRED, reason="SEND_WINDOW", retry_at=NOON + DAY)
    found = shown(events.deferred(ACCOUNT, held, NOON).data)
    assert (found["reason"], found["retryAt"]) == ("SEND_WINDOW", "2026-01-02T12:00:00.000Z")
    held.retry_at = None
    assert shown(events.deferred(ACCOUNT, held, NOON).data)["retryAt"] is None
