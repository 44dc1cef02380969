"""POST /messages/bulk, black box: what may stand beside the messages (4.3)."""

from typing import Any

import pytest

from tests.support.batches import (
    IMAGE,
    OTHER,
    bulk,
    cid,
    item,
    named_in,
    numbers,
    require_nothing_stored,
    require_refused,
    submit,
)
from tests.support.names import named
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.text import MISSING

ON_MESSAGES_ONLY = {
    "clientMessageId": "order-0001", "to": "972501234567", "templateName": "plain",
    "templateLang": "en", "templateParams": [], "message": "hello", "kind": "notification",
    "expiresAt": "2030-01-01T00:00:00Z", "scheduledFor": "2030-01-01T00:00:00Z",
    "deadline": "2030-01-01T00:00:00Z", "mediaBase64": IMAGE, "mediaId": "med_1", "type": "image",
    "sentFrom": NUMBER, "meta": {}, "buttonUrl": "https://example.com/", "buttonPayloads": ["a"],
}  # fmt: skip


@pytest.mark.parametrize("field", ON_MESSAGES_ONLY)
def test_a_message_field_on_the_envelope_is_refused(account: TestAccount, field: str) -> None:
    for value in (ON_MESSAGES_ONLY[field], None):
        answer = bulk(account, [item(1)], **{field: value})
        require_refused(answer, "FIELD_NOT_ALLOWED_IN_BULK", field)
    require_nothing_stored(account)


@pytest.mark.parametrize("value", ["Prefer", "any", "", None, 1, True, [], ["strict"], {}])
def test_a_bad_policy_on_the_envelope_is_refused(account: TestAccount, value: Any) -> None:
    require_refused(bulk(account, [item(1)], fromPolicy=value), "INVALID_FROM_POLICY", "fromPolicy")
    require_nothing_stored(account)


@pytest.mark.parametrize("value", [None, {}, [], "x", 5, True, MISSING], ids=named)
def test_messages_must_be_a_list_with_something_in_it(account: TestAccount, value: Any) -> None:
    body = {} if value is MISSING else {"messages": value}
    require_refused(account.post("/messages/bulk", body), "VALIDATION_ERROR", "messages")
    require_nothing_stored(account)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("batchName", ""), ("batchName", "x" * 129), ("batchName", 5), ("batchName", None),
        ("batchName", ["a"]), ("batchName", "a\0b"), ("eventId", 5), ("eventId", None),
        ("eventId", []), ("eventId", "a\0b"),
        ("batchname", "x"), ("items", []), ("dryRun", True), ("title", "x"),
    ],
)  # fmt: skip
def test_a_bad_or_unknown_field_of_the_envelope_is_named(
    account: TestAccount, field: str, value: Any
) -> None:
    error = require_refused(bulk(account, [item(1)], **{field: value}), "VALIDATION_ERROR", field)
    if field == "batchname":
        assert "batchName" in error["message"]
    require_nothing_stored(account)


def test_a_name_of_128_characters_passes(account: TestAccount) -> None:
    name = "😀" * 128
    assert submit(account, [item(1)], batchName=name)["batchName"] == name


def test_an_unknown_event_on_the_envelope_refuses_the_whole_batch(account: TestAccount) -> None:
    picture = item(2, mediaBase64=IMAGE, type="image")
    answer = bulk(account, [item(1), picture], eventId="no-such-event")
    require_refused(answer, "EVENT_NOT_FOUND", "eventId", status=404)
    require_nothing_stored(account)


def test_an_unknown_event_of_one_message_refuses_that_message(account: TestAccount) -> None:
    data = submit(account, [item(1), item(2, eventId="no-such-event")])
    assert named_in(data["accepted"]) == [cid(1)]
    assert [(r["index"], r["code"]) for r in data["rejected"]] == [(1, "EVENT_NOT_FOUND")]


def test_the_policy_of_the_envelope_is_the_default_of_its_messages(service: TestService) -> None:
    account = service.account(numbers("", ""))
    asked = {"sentFrom": OTHER}
    data = submit(
        account,
        [item(1, **asked), item(2, **asked, fromPolicy="strict"), item(3, sentFrom="972555000009")],
        fromPolicy="auto",
    )
    assert [r["code"] for r in data["rejected"]] == ["INVALID_SENDER"]
    account.advance(seconds=5)
    assert account.status(cid(1))["sentFrom"] == NUMBER
    assert account.status(cid(2))["sentFrom"] == OTHER


def test_a_strict_policy_waits_for_the_number_that_was_asked_for(service: TestService) -> None:
    account = service.account(numbers("", ""))
    account.post(f"/sandbox/v1/senders/{OTHER}", {"status": "RESTRICTED"})
    messages = [item(1, sentFrom=OTHER), item(2, sentFrom=OTHER, fromPolicy="prefer")]
    data = submit(account, messages, fromPolicy="strict")
    assert [(h["clientMessageId"], h["reason"], h["until"]) for h in data["held"]] == [
        (cid(1), "NUMBER_UNHEALTHY", None)
    ]
    assert data["estimatedCompletionAt"] is None, "nobody knows when the number is well again"
    account.advance(seconds=5)
    assert account.status(cid(2))["sentFrom"] == NUMBER


def test_a_broken_body_stores_nothing(account: TestAccount) -> None:
    for content in (b"", b"{", b"[]", b'{"messages": [{]}', b'{"messages": [NaN]}', b"\xff"):
        headers = account.headers | {"content-type": "application/json"}
        answer = account.service.http.post(
            "/api/v1/messages/bulk", content=content, headers=headers
        )
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["code"] == "VALIDATION_ERROR"
    require_nothing_stored(account)
