"""POST /messages/text, black box: what is taken, what is refused, and what a refusal leaves."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.clock import STANDING
from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.text import (
    CID,
    MISSING,
    RESULT,
    account_now,
    ahead,
    body,
    require_nothing_left,
    require_refused,
)

# What is taken


@pytest.mark.quick
def test_a_sent_message_answers_the_seven_fields_of_the_send_result(account: TestAccount) -> None:
    answer = account.send(**body())
    assert answer.status_code == 200
    assert set(answer.json()) == {"success", "environment", "data"}
    data = answer.json()["data"]
    assert set(data) == RESULT
    assert (data["clientMessageId"], data["status"]) == (CID, "sent")
    assert data["sentFrom"] == NUMBER
    assert (data["fallbackUsed"], data["duplicate"]) == (False, False)
    assert isinstance(data["messageId"], str) and data["messageId"]
    sent_at = datetime.strptime(data["sentAt"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert len(data["sentAt"]) == len("2026-01-01T00:00:00.000Z")
    assert abs(STANDING.now() - sent_at) < timedelta(seconds=10)


def test_an_answer_carries_the_common_headers(account: TestAccount) -> None:
    for answer in (account.send(**body()), account.send()):
        assert answer.headers["X-Request-Id"]
        assert answer.headers["Content-Type"].startswith("application/json")
        assert answer.headers["Cache-Control"] == "no-store"
        assert int(answer.headers["RateLimit-Limit"]) > int(answer.headers["RateLimit-Remaining"])
        assert int(answer.headers["RateLimit-Reset"]) >= 0


@pytest.mark.parametrize(
    "changes",
    [
        {"clientMessageId": "a" * 8},
        {"clientMessageId": "a" * 128},
        {"clientMessageId": "😀" * 8},
        {"clientMessageId": "😀" * 128},
        {"clientMessageId": "הזמנה-1 / a?b#c%2F"},
        {"clientMessageId": "'; DROP TABLE messages; --"},
        {"to": "1" * 8},
        {"to": "9" * 20},
        {"to": "0010000000"},
        {"templateLang": "en"},
        {"templateParams": []},
        {"kind": "notification"},
        {"kind": "invitation", "expiresAt": ahead(days=3)},
        {"sentFrom": NUMBER},
        {"sentFrom": NUMBER, "fromPolicy": "prefer"},
        {"sentFrom": NUMBER, "fromPolicy": "strict"},
        {"sentFrom": NUMBER, "fromPolicy": "auto"},
        {"fromPolicy": "auto"},
        {"deadline": ahead(days=5)},
        {"deadline": "2999-01-01T00:00:00+14:00"},
        {"scheduledFor": "2020-01-01T00:00:00Z"},
        {"scheduledFor": "2020-01-01T00:00:00.123456789-05:00"},
        {"scheduledFor": "2020-01-01T00:00:00Z", "deadline": ahead(days=5)},
        {"meta": {}},
    ],
    ids=named,
)
def test_a_sound_message_is_sent_at_once(account: TestAccount, changes: dict[str, Any]) -> None:
    answer = account.send(**body(**changes))
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["status"] == "sent"


def test_the_same_id_in_two_accounts_is_two_messages(service: TestService) -> None:
    first, second = service.account(), service.account()
    one = first.send(**body()).json()["data"]
    two = second.send(**body()).json()["data"]
    assert (one["duplicate"], two["duplicate"]) == (False, False)
    assert one["messageId"] != two["messageId"]


def test_the_account_time_stamps_the_result(account: TestAccount) -> None:
    account.advance(days=40)
    sent_at = datetime.fromisoformat(account.send(**body()).json()["data"]["sentAt"])
    assert abs(sent_at - account_now(account)) < timedelta(seconds=5)


# What is refused, and that it leaves nothing behind

REFUSED_IDS = [MISSING, None, 12345678, True, ["order-0001"], "", "a" * 7, "a" * 129, "😀" * 7]
REFUSED_IDS += [
    " " * 8,
    "\u3000" * 8,
    "order\n0001",
    "order\t0001",
    "order\x7f0001",
    "order\x1b0001",
]


@pytest.mark.parametrize("cid", REFUSED_IDS, ids=named)
def test_a_bad_client_message_id_is_named(account: TestAccount, cid: Any) -> None:
    answer = account.send(**body(clientMessageId=cid))
    require_refused(answer, "VALIDATION_ERROR", "clientMessageId")
    require_nothing_left(account)


@pytest.mark.parametrize("to", [MISSING, None, 972501234567, 9.5, True, [GUEST], {}], ids=named)
def test_a_recipient_that_is_no_string_is_a_validation_error(account: TestAccount, to: Any) -> None:
    require_refused(account.send(**body(to=to)), "VALIDATION_ERROR", "to")
    require_nothing_left(account)


BAD_PHONES = ["+972501234567", "972 50 123 4567", "972-50-1234567", "1" * 7, "1" * 21, "", " "]
BAD_PHONES += ["١٢٣٤٥٦٧٨٩", "１２３４５６７８９", "12345678\n", "\n12345678", "0x12345678", "²" * 9]
BAD_PHONES += ["12345678.0", "1e10000000", "972501234567 ", "𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "1" * 10_000]


@pytest.mark.parametrize("to", BAD_PHONES, ids=lambda to: named(to[:24]))
def test_a_recipient_that_is_not_8_to_20_digits_is_an_invalid_phone(
    account: TestAccount, to: str
) -> None:
    require_refused(account.send(**body(to=to)), "INVALID_PHONE", "to")
    require_nothing_left(account)


@pytest.mark.parametrize(
    "changes",
    [{}, {"message": ""}, {"templateLang": "en"}, {"kind": "notification", "meta": {"a": 1}}],
    ids=named,
)
def test_something_must_be_said(account: TestAccount, changes: dict[str, Any]) -> None:
    answer = account.send(**body(templateName=MISSING, **changes))
    error = require_refused(answer, "VALIDATION_ERROR")
    assert "templateName" in error["message"] or "message" in error["field"]
    require_nothing_left(account)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"templateName": "nowhere"}, "templateName"),
        ({"templateName": "Plain"}, "templateName"),
        ({"templateName": ""}, "templateName"),
        ({"templateName": None}, "templateName"),
        ({"templateName": 5}, "templateName"),
        ({"templateName": ["plain"]}, "templateName"),
        ({"templateLang": None}, "templateLang"),
        ({"templateLang": 5}, "templateLang"),
        ({"templateParams": None}, "templateParams"),
        ({"templateParams": "Dana"}, "templateParams"),
        ({"templateParams": {"1": "Dana"}}, "templateParams"),
        ({"templateParams": ["too many"]}, "templateParams"),
        ({"templateName": "hello"}, "templateParams"),
        ({"templateName": "hello", "templateParams": []}, "templateParams"),
        ({"templateName": "hello", "templateParams": ["a", "b"]}, "templateParams"),
        ({"templateName": "hello", "templateParams": ["a"] * 10_000}, "templateParams"),
        ({"templateName": "hello", "templateParams": [1]}, "templateParams[0]"),
        ({"templateName": "hello", "templateParams": [None]}, "templateParams[0]"),
        ({"templateName": "hello", "templateParams": ["a\nb"]}, "templateParams[0]"),
        ({"templateName": "hello", "templateParams": ["a\tb"]}, "templateParams[0]"),
        ({"templateName": "hello", "templateParams": ["a     b"]}, "templateParams[0]"),
        ({"templateName": "invite", "templateParams": ["a", ["b"]]}, "templateParams[1]"),
        ({"message": None}, "message"),
        ({"message": 5}, "message"),
        ({"kind": None}, "kind"),
        ({"kind": "x"}, "kind"),
        ({"kind": "otp"}, "kind"),
        ({"kind": "Invitation"}, "kind"),
        ({"kind": 1}, "kind"),
        ({"sentFrom": None}, "sentFrom"),
        ({"sentFrom": 972555000001}, "sentFrom"),
        ({"meta": None}, "meta"),
        ({"meta": []}, "meta"),
        ({"meta": "x"}, "meta"),
        ({"meta": 1}, "meta"),
        ({"meta": True}, "meta"),
    ],
    ids=lambda value: named(value)[:70],
)
def test_a_bad_field_is_named(account: TestAccount, changes: dict[str, Any], field: str) -> None:
    require_refused(account.send(**body(**changes)), "VALIDATION_ERROR", field)
    require_nothing_left(account)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"templateName": MISSING, "message": "hi"}, "SERVICE_WINDOW_CLOSED"),
        (
            {"templateName": MISSING, "kind": "invitation", "expiresAt": ahead(days=1)},
            "TEMPLATE_REQUIRED",
        ),
        ({"kind": "invitation"}, "VALIDATION_ERROR"),
        ({"sentFrom": "972555000009"}, "INVALID_SENDER"),
        ({"sentFrom": "972555000009", "fromPolicy": "strict"}, "INVALID_SENDER"),
        ({"sentFrom": "+" + NUMBER}, "INVALID_SENDER"),
        ({"sentFrom": ""}, "INVALID_SENDER"),
        ({"fromPolicy": "strictly"}, "INVALID_FROM_POLICY"),
        ({"fromPolicy": "PREFER"}, "INVALID_FROM_POLICY"),
        ({"fromPolicy": ""}, "INVALID_FROM_POLICY"),
        ({"fromPolicy": 1}, "INVALID_FROM_POLICY"),
        ({"fromPolicy": None}, "INVALID_FROM_POLICY"),
        ({"fromPolicy": ["prefer"]}, "INVALID_FROM_POLICY"),
        ({"fromPolicy": {}}, "INVALID_FROM_POLICY"),
        ({"buttonPayloads": []}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": ["a"] * 11}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": [""]}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": ["ok", ""]}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": ["a" * 129]}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": ["😀" * 129]}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": [1]}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": [None]}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": None}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": "yes"}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": {"0": "yes"}}, "INVALID_BUTTON_PAYLOAD"),
        ({"buttonPayloads": 5}, "INVALID_BUTTON_PAYLOAD"),
    ],
    ids=lambda value: named(value)[:70],
)
def test_a_rule_with_a_code_of_its_own_answers_it(
    account: TestAccount, changes: dict[str, Any], code: str
) -> None:
    changes = {"templateParams": ["a", "b"], "templateName": "invite"} | changes
    if "message" in changes or changes["templateName"] is MISSING:
        changes["templateParams"] = MISSING
    require_refused(account.send(**body(**changes)), code)
    require_nothing_left(account)
