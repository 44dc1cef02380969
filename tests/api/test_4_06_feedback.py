"""POST /feedback/send (4.6): fields, refusals, repeats, and what is answered (2.7)."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import msgspec
import pytest

from tests.support.answers import refused
from tests.support.billing import subscription
from tests.support.forms import ask, form_toml, sent
from tests.support.names import named
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import eventually, patiently
from tidings.features.feedback.sends.responses import FeedbackResult

OTHER = "972501234568"


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(form_toml())


@pytest.mark.quick
def test_a_form_is_queued_and_sent_by_a_worker(account: TestAccount) -> None:
    data = sent(account, clientMessageId="visit-0001")
    assert re.fullmatch("snd_[0-9a-f]{32}", data.pop("sendId"))
    assert re.fullmatch("job_[0-9a-f]{32}", data.pop("jobId"))
    assert data == {
        "formId": "visit",
        "version": 1,
        "to": GUEST,
        "status": "queued",
        "duplicate": False,
    }
    eventually(lambda: account.status("visit-0001")["status"] in ("sent", "delivered", "read"))
    shown = account.status("visit-0001")
    assert (shown["kind"], shown["to"], shown["meta"]) == ("feedback", GUEST, None)
    assert shown["timeline"][0]["status"] == "queued"
    event = account.events("message.status")[0]["data"]
    assert (event["clientMessageId"], event["status"]) == ("visit-0001", "sent")


def test_the_answer_is_what_openapi_shows(account: TestAccount) -> None:
    data = sent(account)
    msgspec.convert(data, FeedbackResult, strict=True)
    shown = {field.encode_name for field in msgspec.structs.fields(FeedbackResult)}
    assert shown - {"error"} == set(data)


def test_without_an_id_it_gets_one_of_its_own(account: TestAccount) -> None:
    sent(account)
    eventually(lambda: account.events("message.status"))
    cid = account.events("message.status")[0]["data"]["clientMessageId"]
    assert re.fullmatch("fb_[0-9a-f]{32}", cid)
    assert account.status(cid)["kind"] == "feedback"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"to": GUEST}, "VALIDATION_ERROR", "formId"),
        ({"formId": "visit"}, "VALIDATION_ERROR", "to"),
        ({"formId": "", "to": GUEST}, "VALIDATION_ERROR", "formId"),
        ({"formId": "  ", "to": GUEST}, "VALIDATION_ERROR", "formId"),
        ({"formId": 7, "to": GUEST}, "VALIDATION_ERROR", "formId"),
        ({"formId": None, "to": GUEST}, "VALIDATION_ERROR", "formId"),
        ({"formId": "x" * 129, "to": GUEST}, "VALIDATION_ERROR", "formId"),
        ({"formId": "visit", "to": 972501234567}, "VALIDATION_ERROR", "to"),
        ({"formId": "visit", "to": "+972501234567"}, "INVALID_PHONE", "to"),
        ({"formId": "visit", "to": "1234567"}, "INVALID_PHONE", "to"),
        ({"clientMessageId": ""}, "VALIDATION_ERROR", "clientMessageId"),
        ({"clientMessageId": "x" * 129}, "VALIDATION_ERROR", "clientMessageId"),
        ({"clientMessageId": None}, "VALIDATION_ERROR", "clientMessageId"),
        ({"clientMessageId": "        "}, "VALIDATION_ERROR", "clientMessageId"),
        ({"meta": {"table": 7}}, "VALIDATION_ERROR", "meta"),
        ({"form": "visit"}, "VALIDATION_ERROR", "form"),
    ],
    ids=named,
)
def test_a_bad_field_is_named(
    account: TestAccount, body: dict[str, Any], code: str, field: str
) -> None:
    whole = body if {"to", "formId"} & body.keys() else {"formId": "visit", "to": GUEST, **body}
    error = refused(account.post("/feedback/send", whole), 400, code)
    assert error["field"] == field and field in error["message"]
    assert account.service.sql("SELECT 1 FROM form_sends WHERE account_id = $1", account.id) == []


@pytest.mark.parametrize("form", ["other", "visit@2", "visit@0", "visit@", "@1", "VISIT", "visit "])
def test_a_form_that_is_not_there(account: TestAccount, form: str) -> None:
    refused(ask(account, form=form), 404, "FORM_NOT_FOUND")


def test_a_form_of_another_account_is_not_there(account: TestAccount, service: TestService) -> None:
    stranger = service.account(form_toml("theirs"))
    assert sent(stranger, form="theirs")
    refused(ask(account, form="theirs"), 404, "FORM_NOT_FOUND")


@pytest.mark.parametrize(
    ("approved", "published", "sendable"),
    [(False, False, False), (False, True, False), (True, False, True), (True, True, True)],
)
def test_in_the_sandbox_approval_makes_a_form_sendable(
    service: TestService, approved: bool, published: bool, sendable: bool
) -> None:
    account = service.account(form_toml(approved=approved, published=published))
    if sendable:
        sent(account)
    else:
        error = refused(ask(account), 409, "FORM_NOT_SENDABLE")
        assert "not approved" in error["message"]


def test_a_form_goes_once_to_each_number(account: TestAccount) -> None:
    before = sent(account, clientMessageId="visit-0001")
    error = refused(ask(account, clientMessageId="visit-0002"), 409, "ALREADY_SENT")
    assert datetime.fromisoformat(error["previousSendAt"])
    refused(ask(account), 409, "ALREADY_SENT")
    refused(ask(account, form="visit@1"), 409, "ALREADY_SENT")
    assert sent(account, OTHER)["sendId"] != before["sendId"]
    assert account.get("/messages/visit-0002").status_code == 404


def test_another_form_may_follow(service: TestService) -> None:
    account = service.account(form_toml() + form_toml("food"))
    sent(account)
    assert sent(account, form="food")["formId"] == "food"


def test_a_repeat_is_answered_with_the_original(account: TestAccount) -> None:
    first = sent(account, clientMessageId="visit-0001")
    eventually(lambda: account.status("visit-0001")["status"] != "queued")
    again = sent(account, clientMessageId="visit-0001")
    assert again["duplicate"] is True
    assert {**again, "status": "", "duplicate": False} == {**first, "status": ""}
    assert again["status"] in ("sending", "sent", "delivered", "read")
    # By a version's own id it is the same form.
    assert sent(account, form="visit@1", clientMessageId="visit-0001")["duplicate"] is True


def test_an_id_of_another_message_is_refused(service: TestService) -> None:
    account = service.account(form_toml() + form_toml("food"))
    account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    refused(ask(account, clientMessageId="order-0001"), 409, "DUPLICATE_CLIENT_MESSAGE_ID")
    sent(account, clientMessageId="visit-0001")
    for other in ({"to": OTHER}, {"form": "food"}):
        answer = ask(account, **other, clientMessageId="visit-0001")
        error = refused(answer, 409, "DUPLICATE_CLIENT_MESSAGE_ID")
        assert error["field"] == "clientMessageId"


def test_a_repeat_is_one_after_48_hours_too(account: TestAccount) -> None:
    """The window of 48 hours is for messages, rich ones and batches (section 8)."""
    first = sent(account, clientMessageId="visit-0001")
    for _ in range(2):
        account.advance(hours=47)
        again = sent(account, clientMessageId="visit-0001")
        assert (again["duplicate"], again["sendId"]) == (True, first["sendId"])
    refused(ask(account, clientMessageId="visit-0002"), 409, "ALREADY_SENT")
    # And by then the id is free for another number.
    assert sent(account, OTHER, clientMessageId="visit-0001")["duplicate"] is False


@pytest.mark.parametrize("same", [False, True], ids=["each its own id", "one id"])
def test_of_64_at_once_one_is_sent(account: TestAccount, same: bool) -> None:
    def one(nth: int) -> tuple[int, str]:
        cid = "visit-all" if same else f"visit-{nth:04}"
        answer = patiently(lambda: ask(account, clientMessageId=cid))
        body = answer.json()
        data = body.get("data") or {}
        return answer.status_code, data.get("sendId") or body["error"]["code"]

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(one, range(64)))
    good = [send_id for status, send_id in answers if status == 200]
    assert len(set(good)) == 1
    assert len(good) == (64 if same else 1)
    assert {code for status, code in answers if status != 200} <= {"ALREADY_SENT"}
    eventually(lambda: len(account.events("message.status")) >= 1)
    rows = account.service.sql("SELECT 1 FROM messages WHERE account_id = $1", account.id)
    assert len(rows) == 1


def test_many_forms_and_numbers_at_once(service: TestService) -> None:
    account = service.account(form_toml() + form_toml("food"))

    def one(nth: int) -> int:
        form = ("visit", "food")[nth % 2]
        return ask(account, f"97250999{nth % 20:04}", form).status_code

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(one, range(80)))
    assert statuses.count(200) == 20 and statuses.count(409) == 60


def test_a_recipient_who_is_not_allowed(service: TestService) -> None:
    account = service.account(form_toml(), allowlist=[OTHER])
    refused(ask(account), 403, "RECIPIENT_NOT_ALLOWLISTED")
    assert sent(account, OTHER)["status"] == "queued"


def test_who_asked_to_stop_gets_no_form_and_nothing_is_charged(service: TestService) -> None:
    account = service.account(form_toml() + subscription(unique=5))
    account.post("/sandbox/v1/replies", {"from": GUEST, "stop": True})
    for cid in ("visit-0001", "visit-0002"):  # nothing was sent: nothing stands in the way
        data = sent(account, clientMessageId=cid)
        assert data["status"] == "failed" and data["duplicate"] is False
        assert data["error"]["code"] == "RECIPIENT_OPTED_OUT"
    assert sent(account, clientMessageId="visit-0001")["duplicate"] is True
    assert used(account) == 0
    account.delete(f"/optouts/{GUEST}")
    assert sent(account, clientMessageId="visit-0003")["status"] == "queued"


def used(account: TestAccount) -> int:
    balance: int = account.get("/balance").json()["data"]["subscription"]["unique"]["used"]
    return balance


def test_a_form_is_charged_like_any_message(service: TestService) -> None:
    account = service.account(form_toml() + subscription(unique=1))
    sent(account)
    assert used(account) == 1
    refused(ask(account, OTHER), 402, "QUOTA_EXHAUSTED")
    assert account.service.sql(
        "SELECT 1 FROM form_sends WHERE account_id = $1 AND phone = $2", account.id, OTHER
    ) == []  # fmt: skip


def test_a_dry_run_is_refused(account: TestAccount) -> None:
    answer = account.post(
        "/feedback/send", {"formId": "visit", "to": GUEST}, headers={"X-Dry-Run": "true"}
    )
    assert refused(answer, 400, "VALIDATION_ERROR")["field"] == "X-Dry-Run"
