"""X-Dry-Run on text, rich and bulk: what would happen, and that nothing did (contract, Sending)."""

import base64
import re
from typing import Any

import httpx
import pytest

from tests.support.batches import (
    SLOW,
    bulk,
    cid,
    dry_run,
    item,
    named_in,
    row_counts,
    submit,
    timestamp,
    to,
)
from tests.support.media import PDF, encoded, png
from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.text import CID, MISSING, account_now, ahead, body, phone

DRY = {"X-Dry-Run": "true"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")  # of the account, which goes on
BUTTONS = [{"id": "yes", "text": "Yes"}]
IMAGE = encoded(png())
SINGLE = {"clientMessageId", "wouldBe", "reason", "cost"}  # what the contract names, at the least


def ask(account: TestAccount, path: str = "text", /, **fields: Any) -> httpx.Response:
    return account.post(f"/messages/{path}", fields, headers=DRY)


def would(account: TestAccount, path: str = "text", /, **fields: Any) -> dict[str, Any]:
    answer = ask(account, path, **fields)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert data.keys() >= SINGLE
    return data


def rich(**changes: Any) -> dict[str, Any]:
    fields = {"clientMessageId": CID, "to": GUEST, "message": "Coming?", "buttons": BUTTONS}
    return fields | changes


@pytest.fixture
def account(service: TestService) -> TestAccount:
    """It has been asked before: its request rate is known."""
    fresh = service.account()
    fresh.get("/limits")
    return fresh


# One message


def test_what_would_be_sent_is_not(account: TestAccount) -> None:
    before = row_counts(account)
    data = would(account, **body())
    assert (data["wouldBe"], data["reason"]) == ("sent", None)
    assert data["cost"] == {"unique": 1, "followup": 0}
    assert data["clientMessageId"] == CID
    account.advance(seconds=5)
    assert row_counts(account) == before
    assert phone(account) == []
    assert account.get(f"/messages/{CID}").status_code == 404
    assert account.send(**body()).json()["data"]["duplicate"] is False


def test_a_second_message_to_a_number_costs_a_follow_up(account: TestAccount) -> None:
    account.send(**body())
    again = would(account, **body(clientMessageId="order-0002"))
    assert (again["wouldBe"], again["cost"]) == ("sent", {"unique": 0, "followup": 1})


def test_what_was_refunded_frees_its_number(account: TestAccount) -> None:
    account.send(**body(to="972500009013"))
    again = would(account, **body(clientMessageId="order-0002", to="972500009013"))
    assert again["cost"] == {"unique": 1, "followup": 0}


def test_a_repeat_would_be_a_duplicate_and_costs_nothing(account: TestAccount) -> None:
    account.send(**body())
    data = would(account, **body())
    assert (data["wouldBe"], data["cost"]) == ("duplicate", {"unique": 0, "followup": 0})


def test_a_scheduled_message_would_be_scheduled_and_is_charged(account: TestAccount) -> None:
    data = would(account, **body(scheduledFor=ahead(hours=1)))
    assert (data["wouldBe"], data["cost"]) == ("scheduled", {"unique": 1, "followup": 0})


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"paused": True}, "SENDING_PAUSED"), ({"dailyLimit": 0}, "ACCOUNT_LIMIT")],
)
def test_what_holds_it_back_is_the_reason(
    service: TestService, fields: dict[str, Any], reason: str
) -> None:
    account = service.account(**fields)
    data = would(account, **body())
    assert (data["wouldBe"], data["reason"]) == ("deferred", reason)
    assert account.events() == []


def test_who_opted_out_would_get_nothing_at_no_cost(account: TestAccount) -> None:
    account.send(**body())
    query = "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1 RETURNING phone"
    assert account.service.sql(query, account.id)
    data = would(account, **body(clientMessageId="order-0002"))
    assert (data["wouldBe"], data["reason"]) == ("failed", "RECIPIENT_OPTED_OUT")
    assert data["cost"] == {"unique": 0, "followup": 0}


def test_asking_takes_no_place_of_a_limit(service: TestService) -> None:
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\ndailyLimit = 1\n'
    account = service.account(number, dailyLimit=1)
    for n in range(3):
        assert would(account, **item(n))["wouldBe"] == "sent"
    assert len(dry_run(account, [item(n) for n in range(3)])["held"]) == 2
    limits = account.get("/limits").json()["data"]
    assert (limits["account"]["used"], limits["numbers"][0]["used"]) == (0, 0)
    assert account.send(**item(9)).json()["data"]["status"] == "sent"


def test_asking_takes_no_turn_of_a_number(service: TestService) -> None:
    account = service.account(SLOW)
    for _ in range(5):
        dry_run(account, [item(n) for n in range(200)])
        assert would(account, **item(999))["wouldBe"] == "sent"
    estimate = timestamp(submit(account, [item(1)])["estimatedCompletionAt"])
    assert (estimate - account_now(account)).total_seconds() < 70


def test_a_rich_message_can_be_asked_about(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    before = row_counts(account)
    data = would(account, "rich", **rich(headerImage=IMAGE))
    assert data["wouldBe"] == "sent"
    assert row_counts(account) == before


def test_media_is_looked_at_and_not_kept(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    before = row_counts(account)
    free = body(templateName=MISSING, type="image", mediaBase64=IMAGE)
    assert would(account, **free)["wouldBe"] == "sent"
    refused = ask(account, **(free | {"mediaBase64": "R0lGODlhAQABAAAAACw="}))
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "INVALID_MEDIA")
    assert row_counts(account) == before
    objects = account.service.settings.data / "objects"
    kept = [path for path in objects.rglob("*") if path.is_file()] if objects.exists() else []
    assert not [path for path in kept if path.read_bytes() == png() and account.id.hex in str(path)]


def test_an_upload_is_found_by_its_id(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    uploaded = account.post("/messages/upload", {"mediaBase64": base64.b64encode(PDF).decode()})
    media_id = uploaded.json()["data"]["mediaId"]
    free = body(templateName=MISSING, type="document", mediaId=media_id)
    assert would(account, **free)["wouldBe"] == "sent"


@pytest.mark.parametrize(
    "changes",
    [
        {"to": "x"}, {"to": MISSING}, {"templateName": "nope"}, {"clientMessageId": "short"},
        {"templateName": MISSING, "message": "free"}, {"sentFrom": "972555009999"},
        {"fromPolicy": "no"}, {"deadline": "2020-01-01T00:00:00Z"}, {"eventId": "no-such-event"},
        {"kind": "invitation"}, {"meta": 5}, {"buttonUrl": "http://a.b"}, {"unknown": 1},
        {"buttonUrl": "https://example.com/"},
    ],
    ids=named,
)  # fmt: skip
def test_errors_are_those_of_the_real_thing(account: TestAccount, changes: dict[str, Any]) -> None:
    before = row_counts(account)
    asked, real = ask(account, **body(**changes)), account.send(**body(**changes))
    assert asked.status_code == real.status_code >= 400
    predicted, meant = asked.json()["error"], real.json()["error"]
    for error in (predicted, meant):
        del error["requestId"]
        error["message"] = TIME.sub("(now)", error["message"])
    assert predicted == meant
    assert row_counts(account) == before


def test_a_recipient_who_is_not_allowed_is_refused(service: TestService) -> None:
    account = service.account(allowlist=["972501111111"])
    answer = ask(account, **body())
    assert (answer.status_code, answer.json()["error"]["code"]) == (
        403,
        "RECIPIENT_NOT_ALLOWLISTED",
    )


# The header


@pytest.mark.parametrize("value", ["yes", "1", "", "truely", "true, false", "null", "0", "t"])
def test_a_header_that_is_neither_true_nor_false_is_refused(
    account: TestAccount, value: str
) -> None:
    before = row_counts(account)
    for path, fields in (
        ("text", body()),
        ("rich", rich(templateName="plain")),
        ("bulk", {"messages": [item(1)]}),
    ):
        answer = account.post(f"/messages/{path}", fields, headers={"X-Dry-Run": value})
        assert answer.status_code == 400, answer.text
        error = answer.json()["error"]
        assert (error["code"], error["field"]) == ("VALIDATION_ERROR", "X-Dry-Run")
    assert row_counts(account) == before


@pytest.mark.parametrize("value", ["true", "True", "TRUE"])
def test_true_is_true_in_any_case(account: TestAccount, value: str) -> None:
    answer = account.post("/messages/text", body(), headers={"x-dry-run": value})
    assert answer.json()["data"]["wouldBe"] == "sent"


def test_false_sends(account: TestAccount) -> None:
    answer = account.post("/messages/text", body(), headers={"X-Dry-Run": "false"})
    assert answer.json()["data"]["status"] == "sent"
    assert bulk(account, [item(1)], dry="false").status_code == 202


def test_two_headers_that_disagree_send_nothing(account: TestAccount) -> None:
    before = row_counts(account)
    for values in (["true", "false"], ["false", "true"]):
        headers = [("x-api-key", account.key), *(("X-Dry-Run", value) for value in values)]
        answer = account.service.http.post("/api/v1/messages/text", json=body(), headers=headers)
        assert answer.status_code in (200, 400), answer.text
        assert answer.status_code == 400 or "wouldBe" in answer.json()["data"]
    assert row_counts(account) == before


# A batch


def test_a_batch_is_asked_about_with_the_lists_of_the_bulk_result(account: TestAccount) -> None:
    account.send(**item(1))
    before = row_counts(account)
    asked = dry_run(
        account,
        [
            item(1), item(2), item(3, to=to(2)), item(4, to=to(1)), item(2), item(5, to="x"), None,
            item(6, scheduledFor=ahead(days=1)),
        ],
        batchName="spring",
    )  # fmt: skip
    assert asked["batchId"] is None, "there is no batch"
    assert (asked["batchName"], asked["eventId"], asked["total"]) == ("spring", None, 8)
    assert named_in(asked["accepted"]) == [cid(2), cid(3), cid(4), cid(6)]
    assert named_in(asked["duplicates"]) == [cid(1), cid(2)]
    assert [(r["index"], r["code"]) for r in asked["rejected"]] == [
        (5, "INVALID_PHONE"),
        (6, "VALIDATION_ERROR"),
    ]
    assert asked["cost"] == {"unique": 2, "followup": 2}
    assert timestamp(asked["estimatedCompletionAt"]) > account_now(account)
    assert row_counts(account) == before


def test_the_answer_is_what_the_real_thing_then_says(service: TestService) -> None:
    account = service.account(SLOW, dailyLimit=20)
    deadline = ahead(minutes=20)
    messages = [item(n, deadline=deadline) for n in range(30)] + [item(99, to="x"), item(0)]
    asked, real = dry_run(account, messages), submit(account, messages)
    for name in ("total", "accepted", "rejected", "duplicates"):
        assert asked[name] == real[name], name
    assert named_in(asked["held"]) == named_in(real["held"])
    assert named_in(asked["atRisk"]) == named_in(real["atRisk"])
    gap = timestamp(real["estimatedCompletionAt"]) - timestamp(asked["estimatedCompletionAt"])
    assert abs(gap.total_seconds()) < 65
    assert set(asked) == set(real) | {"cost"}


def test_a_thousand_can_be_asked_about_and_leave_no_trace(account: TestAccount) -> None:
    before = row_counts(account)
    media = item(2000, templateName=MISSING, mediaBase64=IMAGE, type="image", to=GUEST)
    asked = dry_run(account, [item(n) for n in range(1000)] + [media])
    assert asked["cost"] == {"unique": 1000, "followup": 0}
    assert [r["code"] for r in asked["rejected"]] == ["SERVICE_WINDOW_CLOSED"]
    account.advance(seconds=5)
    assert row_counts(account) == before


def test_a_batch_that_is_refused_whole_is_refused_alike(account: TestAccount) -> None:
    before = row_counts(account)
    for messages, envelope, code, status in (
        ([item(n) for n in range(1001)], {}, "BATCH_TOO_LARGE", 400),
        ([item(1)], {"to": GUEST}, "FIELD_NOT_ALLOWED_IN_BULK", 400),
        ([item(1)], {"fromPolicy": "no"}, "INVALID_FROM_POLICY", 400),
        ([item(1)], {"eventId": "no-such-event"}, "EVENT_NOT_FOUND", 404),
        ([], {}, "VALIDATION_ERROR", 400),
    ):
        answer = bulk(account, messages, dry="true", **envelope)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert row_counts(account) == before


def test_a_paused_account_is_reported(service: TestService) -> None:
    account = service.account(paused=True)
    asked = dry_run(account, [item(1)])
    assert [h["reason"] for h in asked["held"]] == ["SENDING_PAUSED"]
    assert asked["estimatedCompletionAt"] is None
    assert asked["cost"] == {"unique": 1, "followup": 0}, "what waits is charged when accepted"


def test_asking_counts_towards_the_request_rate(service: TestService) -> None:
    account = service.account(requestsPerMinute=3)
    answers = [ask(account, **body()).status_code for _ in range(5)]
    assert answers[:3] == [200] * 3 and answers[-1] == 429


def test_the_reference_knows_the_header_and_the_answer(service: TestService) -> None:
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    for path in ("text", "rich", "bulk"):
        operation = paths[f"/api/v1/messages/{path}"]["post"]
        names = {parameter["name"].lower() for parameter in operation.get("parameters", [])}
        assert "x-dry-run" in names, path
