"""POST /messages/otp, black box: every stated answer and refusal (4.2)."""

import json
from typing import Any

import pytest

from tests.support.names import named
from tests.support.passcodes import (
    CID,
    CODE,
    ONE,
    RESULT,
    body,
    kept,
    post,
    received,
    require_nothing_left,
    require_refused,
    send,
    template,
)
from tests.support.service import GUEST, NUMBER, TEMPLATES, TestAccount, TestService
from tests.support.text import MISSING, phone

DOTS = "••••••"


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(ONE)


# What is taken


@pytest.mark.quick
def test_a_passcode_answers_the_five_fields_of_its_result(account: TestAccount) -> None:
    answer = post(account)
    assert answer.status_code == 200
    assert set(answer.json()) == {"success", "environment", "data"}
    data = answer.json()["data"]
    assert set(data) == RESULT
    assert (data["clientMessageId"], data["status"], data["duplicate"]) == (CID, "sent", False)
    assert (data["sentFrom"], data["messageId"][:6]) == (NUMBER, "wamid.")


def test_it_is_followed_like_any_message(account: TestAccount) -> None:
    sent = send(account, meta={"login": 7})
    account.advance(seconds=3)
    status = account.status(CID)
    assert (status["kind"], status["status"], status["to"]) == ("otp", "read", GUEST)
    assert (status["messageId"], status["meta"]) == (sent["messageId"], {"login": 7})
    assert received(account) == ["sent", "delivered", "read"]
    assert {str(event["data"]["meta"]) for event in account.events()} == {"{'login': 7}"}
    assert CODE not in json.dumps([status, account.events()])


def test_the_phone_shows_dots_and_a_button_to_copy(account: TestAccount) -> None:
    send(account)
    shown = phone(account)
    assert [(one["type"], one["text"]) for one in shown] == [
        ("otp", f"{DOTS} is your verification code.")
    ]
    assert [button["type"] for button in shown[0]["buttons"]] == ["copyCode"]
    assert CODE not in json.dumps(shown)


def test_without_an_id_it_gets_one_by_which_it_is_found(account: TestAccount) -> None:
    first, second = (send(account, clientMessageId=MISSING) for _ in range(2))
    assert first["clientMessageId"] != second["clientMessageId"]
    for sent in (first, second):
        assert sent["clientMessageId"].startswith("otp_")
        assert sent["duplicate"] is False
        assert account.status(sent["clientMessageId"])["messageId"] == sent["messageId"]


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "7"},
        {"code": "A" * 15},
        {"code": "482913"},
        {"code": "G-482913"},
        {"code": "12.34"},
        {"code": "קוד-482913"},
        {"code": "😀" * 15},
        {"clientMessageId": "a"},
        {"clientMessageId": "a" * 128},
        {"to": "1" * 8},
        {"to": "9" * 20},
        {"ttlSeconds": 60},
        {"ttlSeconds": 3600},
        {"meta": {}},
    ],
    ids=named,
)
def test_a_sound_passcode_is_sent_at_once(account: TestAccount, changes: dict[str, Any]) -> None:
    sent = send(account, **changes)
    assert (sent["http"], sent["status"]) == (200, "sent")
    assert kept(account) == 0


# What is refused, and that it leaves nothing behind


REFUSED = [
    "",
    "Q7XK2M9" * 3,
    "Q7XK 2M9",
    "Q7XK\t2M9",
    "Q7XK\u00a02M9",
    "Q7XK\u200b2M9",
    "Q7XK\n2M9",
]
REFUSED += ["http://Q7XK.y", "www.Q7XK.co", "Q7XK2M9.com", "q7xk2m9.io/1", "Q7XK2M9 ", "\u30001"]


@pytest.mark.parametrize("code", REFUSED, ids=ascii)
def test_a_code_with_spaces_or_links_or_too_long_is_an_invalid_otp(
    account: TestAccount, code: str
) -> None:
    answer = account.post("/messages/otp", body(code=code))
    require_refused(answer, "INVALID_OTP", "code")
    assert "q7xk" not in answer.text.lower()
    require_nothing_left(account)


@pytest.mark.parametrize(
    "code", [MISSING, None, 7429136, 74.29136, True, ["7429136"], {}], ids=named
)
def test_a_missing_code_or_one_that_is_no_string_is_a_validation_error(
    account: TestAccount, code: Any
) -> None:
    answer = post(account, code=code)
    require_refused(answer, "VALIDATION_ERROR", "code")
    assert "7429136" not in answer.text and "74.29" not in answer.text
    require_nothing_left(account)


@pytest.mark.parametrize("to", ["+972501234567", "1" * 7, "1" * 21, "", "972 50", "١٢٣٤٥٦٧٨٩"])
def test_a_recipient_that_is_not_8_to_20_digits_is_an_invalid_phone(
    account: TestAccount, to: str
) -> None:
    require_refused(post(account, to=to), "INVALID_PHONE", "to")
    require_nothing_left(account)


@pytest.mark.parametrize("to", [MISSING, None, 972501234567, [GUEST]], ids=named)
def test_a_recipient_that_is_no_string_is_a_validation_error(account: TestAccount, to: Any) -> None:
    require_refused(post(account, to=to), "VALIDATION_ERROR", "to")


@pytest.mark.parametrize("ttl", [59, 3601, 0, -1, "600", 600.5, True, None, 10**20], ids=named)
def test_a_ttl_outside_60_to_3600_whole_seconds_is_named(account: TestAccount, ttl: Any) -> None:
    require_refused(post(account, ttlSeconds=ttl), "VALIDATION_ERROR", "ttlSeconds")
    require_nothing_left(account)


@pytest.mark.parametrize("cid", [None, "", "a" * 129, " " * 8, "login\n0001", 12345678])
def test_a_bad_client_message_id_is_named(account: TestAccount, cid: Any) -> None:
    require_refused(post(account, clientMessageId=cid), "VALIDATION_ERROR", "clientMessageId")


@pytest.mark.parametrize("meta", [None, [], "x", 1, {"a": "x" * 4096}], ids=lambda m: named(m)[:20])
def test_a_bad_meta_is_named(account: TestAccount, meta: Any) -> None:
    require_refused(post(account, meta=meta), "VALIDATION_ERROR", "meta")


@pytest.mark.parametrize("field", ["message", "templateName", "scheduledFor", "deadline", "otp"])
def test_a_field_that_passcodes_do_not_have_is_refused(account: TestAccount, field: str) -> None:
    require_refused(post(account, **{field: CODE}), "VALIDATION_ERROR", field)


def test_the_first_wrong_field_of_the_table_is_named(account: TestAccount) -> None:
    require_refused(post(account, to="1", code="1 2", ttlSeconds=600), "INVALID_PHONE", "to")
    require_refused(post(account, code="1 2", clientMessageId=" " * 8), "INVALID_OTP", "code")


def test_a_recipient_off_the_allow_list_is_refused(service: TestService) -> None:
    account = service.account(ONE, allowlist=["972500000000"])
    require_refused(post(account), "RECIPIENT_NOT_ALLOWLISTED", "to")
    require_nothing_left(account)
    assert send(account, to="972500000000")["status"] == "sent"


# The template


@pytest.mark.parametrize(
    ("templates", "chosen", "says"),
    [
        (TEMPLATES, None, "no AUTHENTICATION template"),
        (template(status="PENDING"), None, "'code' is PENDING"),
        (template("a") + template("b"), None, "several AUTHENTICATION templates (a, b)"),
        (template("a"), "plain", "no AUTHENTICATION template 'plain'"),
        (template("a") + template("b", status="PAUSED"), "b", "'b' is PAUSED"),
    ],
)
def test_without_a_template_to_carry_it_a_passcode_is_refused(
    service: TestService, templates: str, chosen: str | None, says: str
) -> None:
    account = service.account(templates, otpTemplate=chosen)
    assert says in require_refused(post(account), "VALIDATION_ERROR", "otpTemplate")
    require_nothing_left(account)


@pytest.mark.parametrize(
    ("templates", "chosen"),
    [
        (template() + template("old", status="REJECTED"), None),
        (template() + template(language="he"), None),
        (template("a") + template("b"), "b"),
    ],
)
def test_the_one_approved_or_the_chosen_template_carries_it(
    service: TestService, templates: str, chosen: str | None
) -> None:
    account = service.account(templates, otpTemplate=chosen)
    assert send(account)["status"] == "sent"
    rows = service.sql("SELECT content::text FROM messages WHERE account_id = $1", account.id)
    content = json.loads(rows[0]["content"])
    expected = {"type": "passcode", "name": chosen or "code", "language": "en"}
    assert content == expected


# OpenAPI


def test_the_reference_describes_it(service: TestService) -> None:
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    operation = paths["/api/v1/messages/otp"]["post"]
    assert {"200", "202", "400", "403"} <= set(operation["responses"])
    text = json.dumps(operation)
    assert "INVALID_OTP" in text and "RECIPIENT_NOT_ALLOWLISTED" in text


def test_a_dry_run_is_refused_and_nothing_is_sent(account: TestAccount) -> None:
    body = {"to": GUEST, "code": CODE}
    answer = account.post("/messages/otp", body, headers={"X-Dry-Run": "true"})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "X-Dry-Run"
    assert account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"] == []
