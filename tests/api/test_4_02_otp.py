"""POST /messages/otp, black box: every stated answer and refusal, and that no code is ever late."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import msgspec
import pytest

from tests.support.names import named
from tests.support.service import (
    GUEST,
    NUMBER,
    TEMPLATES,
    TestAccount,
    TestService,
    account_toml,
)
from tidings.features.otp.shapes import PasscodeResult

CID = "login-0001"
CODE = "Q7XK2M9"
MISSING = object()  # the field is left out
RESULT = {"clientMessageId", "messageId", "status", "sentFrom", "duplicate"}
DOTS = "••••••"


def template(name: str = "code", **changes: str) -> str:
    facts = {"language": "en", "category": "AUTHENTICATION", "status": "APPROVED"} | changes
    lines = [f'{key} = "{value}"' for key, value in ({"name": name} | facts).items()]
    return "\n".join(["[[accounts.templates]]", *lines, ""])


ONE = template() + TEMPLATES


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(ONE)


def body(**changes: Any) -> dict[str, Any]:
    fields = {"to": GUEST, "code": CODE, "clientMessageId": CID} | changes
    return {name: value for name, value in fields.items() if value is not MISSING}


def post(account: TestAccount, **changes: Any) -> httpx.Response:
    answer = account.post("/messages/otp", body(**changes))
    assert CODE not in answer.text
    return answer


def send(account: TestAccount, **changes: Any) -> dict[str, Any]:
    answer = post(account, **changes)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    msgspec.convert(data, PasscodeResult)
    return data | {"http": answer.status_code}


def require_refused(answer: httpx.Response, code: str, field: str) -> str:
    assert answer.status_code == {"RECIPIENT_NOT_ALLOWLISTED": 403}.get(code, 400), answer.text
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    message: str = error["message"]
    assert field in message
    return message


def require_nothing_left(account: TestAccount) -> None:
    for table in ("messages", "repeats", "contacts", "webhooks", "jobs", "vault"):
        query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
        assert account.service.sql(query, account.id) == [{"n": 0}], table


def kept(account: TestAccount) -> int:
    """How many codes of the account are in the vault."""
    query = "SELECT count(*) AS n FROM vault WHERE account_id = $1"
    count: int = account.service.sql(query, account.id)[0]["n"]
    return count


def told(account: TestAccount, cid: str = CID) -> list[str]:
    mine = [event["data"] for event in account.events() if event["data"]["clientMessageId"] == cid]
    return [data.get("status") or data["reason"] for data in mine]


def phone(account: TestAccount, to: str = GUEST) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = account.get(f"/sandbox/v1/phones/{to}").json()["data"]["messages"]
    return shown


def paused(service: TestService, name: str) -> TestAccount:
    return service.account(ONE, name=name, paused=True)


def unpause(account: TestAccount, name: str) -> None:
    account.service.apply(account_toml(ONE, name=name, paused=False))


# What is taken


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
    assert told(account) == ["sent", "delivered", "read"]
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
        {"clientMessageId": "a" * 8},
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


@pytest.mark.parametrize("cid", [None, "", "a" * 7, "a" * 129, " " * 8, "login\n0001", 12345678])
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


# Repeats


def test_a_repeat_is_the_original_whatever_its_body_says(account: TestAccount) -> None:
    first = send(account)
    again = send(account, to="972501111111", code="Other-1", ttlSeconds=60)
    assert again == first | {"duplicate": True}
    assert len(phone(account)) == 1 and phone(account, "972501111111") == []
    assert kept(account) == 0


def test_a_repeat_after_48_hours_is_a_new_passcode(account: TestAccount) -> None:
    first = send(account)
    account.advance(hours=47, minutes=59, seconds=55)
    assert send(account)["duplicate"] is True
    account.advance(seconds=6)
    second = send(account)
    assert second["duplicate"] is False and second["messageId"] != first["messageId"]


def test_ten_at_the_same_instant_are_one_passcode(account: TestAccount) -> None:
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: send(account), range(10)))
    assert sorted(answer["duplicate"] for answer in answers) == [False] + [True] * 9
    assert {answer["messageId"] for answer in answers} == {answers[0]["messageId"]}
    assert len(phone(account)) == 1 and kept(account) == 0


def test_an_id_of_another_kind_of_message_is_a_repeat_too(account: TestAccount) -> None:
    text = account.send(clientMessageId=CID, to=GUEST, templateName="plain").json()["data"]
    again = send(account)
    assert (again["duplicate"], again["messageId"]) == (True, text["messageId"])
    assert set(again) == RESULT | {"http"}
    assert kept(account) == 0


# Opt-outs, windows, pauses


def test_a_marketing_opt_out_does_not_stop_a_passcode(account: TestAccount) -> None:
    send(account)
    opt_out = "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1"
    account.service.sql(opt_out, account.id)
    text = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert text.json()["data"]["error"]["code"] == "RECIPIENT_OPTED_OUT"
    assert send(account, clientMessageId="login-0002")["status"] == "sent"


def test_a_waiting_passcode_is_not_stopped_by_an_opt_out_either(service: TestService) -> None:
    account = paused(service, "otp-opt-out")
    send(account)
    service.sql(
        "INSERT INTO contacts (account_id, phone, opted_out_at) VALUES ($1, $2, now())"
        " ON CONFLICT (account_id, phone) DO UPDATE SET opted_out_at = now()",
        account.id,
        GUEST,
    )
    unpause(account, "otp-opt-out")
    account.advance(seconds=599)
    assert account.status(CID)["status"] in ("sent", "delivered", "read")


def test_a_closed_send_window_does_not_hold_a_passcode(service: TestService) -> None:
    opens = datetime.now(UTC) + timedelta(hours=2)
    window = {"from": f"{opens:%H:%M}", "to": f"{opens + timedelta(hours=1):%H:%M}"}
    account = service.account(ONE, sendWindow=window | {"timezone": "UTC"})
    text = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert text.json()["data"].get("reason") == "SEND_WINDOW"
    assert send(account)["status"] == "sent"


def test_a_passcode_that_must_wait_is_accepted_with_the_reason(service: TestService) -> None:
    account = paused(service, "otp-waits")
    answer = send(account)
    assert set(answer) == RESULT | {"http", "reason", "retryAt"}
    assert (answer["http"], answer["status"], answer["reason"]) == (
        202,
        "deferred",
        "SENDING_PAUSED",
    )
    assert (answer["messageId"], answer["duplicate"]) == (None, False)
    assert send(account) == answer | {"duplicate": True}
    assert told(account) == ["SENDING_PAUSED"]
    assert kept(account) == 1


def test_it_goes_as_soon_as_it_may_and_its_code_is_forgotten(service: TestService) -> None:
    account = paused(service, "otp-goes")
    send(account, ttlSeconds=3600)
    unpause(account, "otp-goes")
    account.advance(minutes=30)
    assert account.status(CID)["status"] in ("sent", "delivered", "read")
    assert told(account)[:2] == ["SENDING_PAUSED", "sent"]
    assert len(phone(account)) == 1 and kept(account) == 0
    assert send(account)["http"] == 200


# Time to live


@pytest.mark.parametrize(("given", "lives"), [({}, 600), ({"ttlSeconds": 60}, 60)], ids=named)
def test_a_passcode_not_sent_in_its_time_expires(
    service: TestService, given: dict[str, int], lives: int
) -> None:
    account = paused(service, f"otp-expires-{lives}")
    send(account, **given)
    account.advance(seconds=lives - 2)
    assert account.status(CID)["status"] == "deferred" and kept(account) == 1
    account.advance(seconds=3)
    assert account.status(CID)["status"] == "expired"
    assert kept(account) == 0
    assert told(account) == ["SENDING_PAUSED", "expired"]
    assert account.events("message.status")[0]["data"]["neverDelivered"] is True
    repeated = send(account)
    assert (repeated["http"], repeated["status"]) == (200, "expired")
    assert set(repeated) == RESULT | {"http"}


def test_an_expired_passcode_is_never_sent_late(service: TestService) -> None:
    account = paused(service, "otp-late")
    send(account, ttlSeconds=60)
    account.advance(seconds=61)
    unpause(account, "otp-late")
    account.advance(hours=2)
    assert account.status(CID)["status"] == "expired"
    assert phone(account) == []


# What the platform answers


def magic(digits: str) -> str:
    return f"97250000{digits}"


def test_a_refusal_by_the_platform_is_a_failure_with_what_to_do(account: TestAccount) -> None:
    answer = send(account, to=magic("9013"))
    assert set(answer) == RESULT | {"http", "error"}
    assert (answer["http"], answer["status"], answer["messageId"]) == (200, "failed", None)
    assert set(answer["error"]) == {"code", "explanation", "action"}
    assert kept(account) == 0 and told(account) == ["failed"]


@pytest.mark.parametrize(
    ("digits", "reason"),
    [("9020", "NUMBER_LIMIT"), ("9021", "NUMBER_LIMIT"), ("9022", "PLATFORM_UNAVAILABLE")],
)
def test_a_platform_that_cannot_now_is_tried_again(
    account: TestAccount, digits: str, reason: str
) -> None:
    answer = send(account, to=magic(digits))
    assert (answer["http"], answer["status"], answer["reason"]) == (202, "deferred", reason)
    assert kept(account) == 1
    account.advance(seconds=590)
    assert account.status(CID)["status"] in ("sent", "delivered", "read")
    assert kept(account) == 0


def test_a_platform_that_is_down_for_longer_than_its_time_lets_it_expire(
    account: TestAccount,
) -> None:
    send(account, to=magic("9030"), ttlSeconds=60)
    account.advance(hours=2)
    assert account.status(CID)["status"] == "expired"
    assert phone(account, magic("9030")) == [] and kept(account) == 0


def test_a_callback_settles_a_send_that_got_no_answer(account: TestAccount) -> None:
    answer = send(account, to=magic("9023"))
    assert (answer["http"], answer["status"], answer["messageId"]) == (202, "sending", None)
    assert kept(account) == 1
    account.advance(seconds=10)
    assert account.status(CID)["status"] == "read"
    assert kept(account) == 0


def test_without_any_callback_it_is_sent_once_more_in_its_time(account: TestAccount) -> None:
    send(account, to=magic("9024"))
    account.advance(seconds=119)
    assert len(account.status(CID)["attempts"]) == 1
    account.advance(seconds=31)
    assert len(account.status(CID)["attempts"]) == 2
    account.advance(seconds=500)
    assert account.status(CID)["status"] in ("failed", "expired")
    assert len(account.status(CID)["attempts"]) == 2
    assert kept(account) == 0


def test_a_short_lived_one_without_an_answer_is_not_sent_again(account: TestAccount) -> None:
    send(account, to=magic("9024"), ttlSeconds=60)
    account.advance(seconds=300)
    status = account.status(CID)
    assert status["status"] in ("failed", "expired")
    assert len(status["attempts"]) == 1 and kept(account) == 0


# OpenAPI


def test_the_reference_describes_it(service: TestService) -> None:
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    operation = paths["/api/v1/messages/otp"]["post"]
    assert {"200", "202", "400", "403"} <= set(operation["responses"])
    text = json.dumps(operation)
    assert "INVALID_OTP" in text and "RECIPIENT_NOT_ALLOWLISTED" in text


def test_a_rehearsal_is_refused_and_nothing_is_sent(account: TestAccount) -> None:
    body = {"to": GUEST, "code": CODE}
    answer = account.post("/messages/otp", body, headers={"X-Dry-Run": "true"})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "X-Dry-Run"
    assert account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"] == []
