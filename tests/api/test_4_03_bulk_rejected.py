"""POST /messages/bulk, black box: what is rejected item by item (4.3)."""

from typing import Any

import pytest

from tests.support.batches import IMAGE, cid, item, named_in, received, submit, to
from tests.support.billing import subscribed
from tests.support.names import named
from tests.support.service import TestAccount, TestService
from tests.support.text import MISSING, ahead


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"to": "abc"}, "INVALID_PHONE", "to"),
        ({"to": "+972501234567"}, "INVALID_PHONE", "to"),
        ({"to": MISSING}, "VALIDATION_ERROR", "to"),
        ({"to": 972501234567}, "VALIDATION_ERROR", "to"),
        ({"templateName": "nope"}, "VALIDATION_ERROR", "templateName"),
        ({"templateName": MISSING}, "VALIDATION_ERROR", "templateName"),
        ({"templateName": "hello"}, "VALIDATION_ERROR", "templateParams"),
        ({"templateLang": "xx"}, "VALIDATION_ERROR", "templateLang"),
        ({"templateName": MISSING, "message": "hi"}, "SERVICE_WINDOW_CLOSED", "message"),
        ({"kind": "party"}, "VALIDATION_ERROR", "kind"),
        ({"kind": "invitation"}, "VALIDATION_ERROR", "expiresAt"),
        (
            {"kind": "invitation", "templateName": MISSING, "expiresAt": ahead(days=1)},
            "TEMPLATE_REQUIRED",
            "templateName",
        ),
        ({"eventId": "no-such-event"}, "EVENT_NOT_FOUND", "eventId"),
        ({"scheduledFor": "tomorrow"}, "VALIDATION_ERROR", "scheduledFor"),
        ({"scheduledFor": ahead(days=366)}, "VALIDATION_ERROR", "scheduledFor"),
        ({"deadline": "2020-01-01T00:00:00Z"}, "VALIDATION_ERROR", "deadline"),
        ({"sentFrom": "972555009999"}, "INVALID_SENDER", "sentFrom"),
        ({"fromPolicy": "maybe"}, "INVALID_FROM_POLICY", "fromPolicy"),
        ({"fromPolicy": None}, "INVALID_FROM_POLICY", "fromPolicy"),
        ({"meta": []}, "VALIDATION_ERROR", "meta"),
        ({"meta": {"a": "x" * 4096}}, "VALIDATION_ERROR", "meta"),
        ({"buttonUrl": "http://example.com"}, "INVALID_URL", "buttonUrl"),
        ({"buttonUrl": "https://example.com/"}, "BUTTON_URL_UNSUPPORTED", "buttonUrl"),
        ({"buttonPayloads": []}, "INVALID_BUTTON_PAYLOAD", "buttonPayloads"),
        ({"mediaId": "med_x", "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaBase64": "%", "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": IMAGE}, "VALIDATION_ERROR", "type"),
        ({"batchName": "x"}, "VALIDATION_ERROR", "batchName"),
        ({"tmplateName": "x"}, "VALIDATION_ERROR", "tmplateName"),
    ],
    ids=lambda value: named(value)[:50],
)
def test_a_rejected_item_names_its_index_id_code_and_field(
    account: TestAccount, changes: dict[str, Any], code: str, field: str
) -> None:
    data = submit(account, [item(1), item(2, **changes), item(3)])
    assert data["total"] == 3
    assert named_in(data["accepted"]) == [cid(1), cid(3)]
    rejected = data["rejected"][0]
    assert set(rejected) == {"index", "clientMessageId", "code", "message"}
    assert (rejected["index"], rejected["clientMessageId"], rejected["code"]) == (1, cid(2), code)
    assert f"messages[1].{field}" in rejected["message"], rejected["message"]
    assert account.get(f"/messages/{cid(2)}").status_code == 404


NUL = "a\0b"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"meta": {"a": NUL}}, "meta"),
        ({"meta": {"deep": [{NUL: 1}]}}, "meta"),
        ({"templateName": "hello", "templateParams": ["x", NUL]}, "templateParams"),
        ({"message": NUL}, "message"),
        ({"eventId": NUL}, "eventId"),
    ],
    ids=named,
)
def test_a_character_that_nothing_can_hold_rejects_its_item_alone(
    account: TestAccount, changes: dict[str, Any], field: str
) -> None:
    data = submit(account, [item(1), item(2, **changes), item(3, meta={"a": "\\u0000"})])
    assert named_in(data["accepted"]) == [cid(1), cid(3)]
    (rejected,) = data["rejected"]
    assert rejected == {
        "index": 1, "clientMessageId": cid(2), "code": "VALIDATION_ERROR",
        "message": f"`messages[1].{field}` holds the character U+0000; leave it out",
    }  # fmt: skip


@pytest.mark.parametrize("junk", [None, 5, True, "text", [], [[]], 1.5], ids=named)
def test_what_is_no_object_is_rejected_and_the_rest_goes(account: TestAccount, junk: Any) -> None:
    data = submit(account, [junk, item(2)])
    assert (data["total"], named_in(data["accepted"])) == (2, [cid(2)])
    rejected = data["rejected"][0]
    assert (rejected["index"], rejected["clientMessageId"]) == (0, None)
    assert rejected["code"] == "VALIDATION_ERROR"
    assert "messages[0]" in rejected["message"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (MISSING, None), (None, None), (12345678, None), ("short", "short"),
        ("x" * 129, "x" * 129), ("        ", "        "), ("tab\tseparated", "tab\tseparated"),
    ],
    ids=named,
)  # fmt: skip
def test_a_bad_client_message_id_is_shown_where_it_is_text(
    account: TestAccount, value: Any, shown: str | None
) -> None:
    data = submit(account, [item(1, clientMessageId=value)])
    rejected = data["rejected"][0]
    assert (rejected["clientMessageId"], rejected["code"]) == (shown, "VALIDATION_ERROR")
    assert "messages[0].clientMessageId" in rejected["message"]


def test_a_recipient_who_is_not_allowed_is_rejected(service: TestService) -> None:
    account = service.account(allowlist=[to(1)])
    data = submit(account, [item(1), item(2)])
    assert named_in(data["accepted"]) == [cid(1)]
    assert data["rejected"][0]["code"] == "RECIPIENT_NOT_ALLOWLISTED"
    assert "messages[1].to" in data["rejected"][0]["message"]


def test_who_opted_out_is_rejected_and_not_written_to(account: TestAccount) -> None:
    submit(account, [item(1)])
    account.advance(seconds=5)
    opt_out(account, to(1))
    data = submit(account, [item(2, to=to(1)), item(3)])
    assert named_in(data["accepted"]) == [cid(3)]
    rejected = data["rejected"][0]
    assert (rejected["index"], rejected["code"]) == (0, "RECIPIENT_OPTED_OUT")
    assert account.get(f"/messages/{cid(2)}").status_code == 404
    again = submit(account, [item(2, to=to(1))])
    assert again["duplicates"] == [], "what was rejected left no trace"


def opt_out(account: TestAccount, number: str) -> None:
    query = (
        "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1 AND phone = $2 RETURNING 1"
    )
    assert account.service.sql(query, account.id, number)


def test_a_batch_of_which_nothing_is_taken_is_a_batch(account: TestAccount) -> None:
    data = submit(account, [None, item(2, to="x")])
    assert (data["total"], data["accepted"], len(data["rejected"])) == (2, [], 2)
    assert data["batchId"].startswith("bat_")
    assert received(account, "batch.completed", data["batchId"])[0]["total"] == 0


def test_a_repeat_of_a_batch_in_which_the_quota_ended_names_what_went(service: TestService) -> None:
    account = subscribed(service, unique=2, followup=0)
    messages = [
        {"clientMessageId": f"quota-{n:04}", "to": f"97250000{n:04}", "templateName": "plain"}
        for n in range(3)
    ]
    first = account.post("/messages/bulk", {"messages": messages}).json()["data"]
    assert (len(first["accepted"]), len(first["rejected"])) == (2, 1)
    again = account.post("/messages/bulk", {"messages": messages})
    assert again.status_code == 202, again.text
    data = again.json()["data"]
    assert [one["clientMessageId"] for one in data["duplicates"]] == ["quota-0000", "quota-0001"]
    assert [one["code"] for one in data["rejected"]] == ["QUOTA_EXHAUSTED"]
    fresh = account.post("/messages/bulk", {"messages": messages[2:]})
    assert (fresh.status_code, fresh.json()["error"]["code"]) == (402, "QUOTA_EXHAUSTED")
