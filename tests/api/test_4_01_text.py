"""POST /messages/text, black box: every stated answer, every refusal, and what a refusal leaves."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TEMPLATES, TestAccount, TestService

CID = "order-0001"
SECOND = "972555000002"
MISSING = object()  # the field is left out

RESULT = {
    "clientMessageId",
    "messageId",
    "status",
    "sentFrom",
    "fallbackUsed",
    "sentAt",
    "duplicate",
}


def body(**changes: Any) -> dict[str, Any]:
    fields = {"clientMessageId": CID, "to": GUEST, "templateName": "plain"} | changes
    return {name: value for name, value in fields.items() if value is not MISSING}


def require_refused(answer: httpx.Response, code: str, field: str | None = None) -> dict[str, Any]:
    statuses = {"RECIPIENT_NOT_ALLOWLISTED": 403, "EVENT_NOT_FOUND": 404}
    assert answer.status_code == statuses.get(code, 400), answer.text
    whole = answer.json()
    assert (whole["success"], whole["environment"]) == (False, "sandbox")
    error: dict[str, Any] = whole["error"]
    assert error["code"] == code, answer.text
    if field is not None:
        assert error["field"] == field, answer.text
        assert field.split("[")[0] in error["message"], answer.text
    assert error["requestId"] == answer.headers["X-Request-Id"]
    assert error["docUrl"].endswith(code)
    return error


def traces(account: TestAccount) -> dict[str, int]:
    """What an account has left in the database, by table."""
    tables = ("messages", "repeats", "contacts", "conversations", "webhooks", "jobs", "inbound")
    counts = {}
    for table in tables:
        query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
        counts[table] = account.service.sql(query, account.id)[0]["n"]
    return counts


def require_nothing_left(account: TestAccount) -> None:
    assert not any(traces(account).values()), traces(account)
    answer = account.send(**body())
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["duplicate"] is False


def account_now(account: TestAccount) -> datetime:
    now: str = account.get("/sandbox/v1/clock").json()["data"]["now"]
    return datetime.fromisoformat(now)


def wire(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def ahead(**delta: float) -> str:
    return wire(datetime.now(UTC) + timedelta(**delta))


# What is taken


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
    assert abs(datetime.now(UTC) - sent_at) < timedelta(seconds=10)


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
        {"to": "00000000"},
        {"templateLang": "en"},
        {"templateParams": []},
        {"kind": "notification"},
        {"kind": "invitation", "expiresAt": ahead(days=3)},
        {"sentFrom": NUMBER},
        {"sentFrom": NUMBER, "fromPolicy": "prefer"},
        {"sentFrom": NUMBER, "fromPolicy": "strict"},
        {"sentFrom": NUMBER, "fromPolicy": "auto"},
        {"fromPolicy": "auto"},
        {"deadline": ahead(minutes=5)},
        {"deadline": "2999-01-01T00:00:00+14:00"},
        {"scheduledFor": "2020-01-01T00:00:00Z"},
        {"scheduledFor": "2020-01-01T00:00:00.123456789-05:00"},
        {"scheduledFor": "2020-01-01T00:00:00Z", "deadline": ahead(minutes=5)},
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


@pytest.mark.parametrize("to", BAD_PHONES, ids=lambda to: repr(to[:24]))
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


@pytest.mark.parametrize("name", ["scheduledFor", "deadline", "expiresAt"])
@pytest.mark.parametrize(
    "value",
    [
        "tomorrow",
        "",
        "2027-01-01",
        "2027-01-01T10:00:00",
        "2027-01-01T10:00Z",
        "2027-02-30T10:00:00Z",
        "2027-01-01T24:00:00Z",
        "2027-01-01T10:60:00Z",
        "2027-W01-1T10:00:00Z",
        "20270101T100000Z",
        "2027-01-01T10:00:00+25:00",
        "2027-01-01T10:00:00+0200",
        "2027-01-01T10:00:00 Z",
        " 2027-01-01T10:00:00Z",
        "2027-01-01T10:00:00Z\n",
        "٢٠٢٧-01-01T10:00:00Z",
        "0000-01-01T00:00:00Z",
        1798797600,
        None,
        True,
        {},
    ],
    ids=named,
)
def test_a_time_that_is_no_rfc_3339_moment_is_refused(
    account: TestAccount, name: str, value: Any
) -> None:
    answer = account.send(**body(kind="invitation", **{"expiresAt": ahead(days=9), name: value}))
    require_refused(answer, "VALIDATION_ERROR", name)
    require_nothing_left(account)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"scheduledFor": ahead(days=366, minutes=1)}, "scheduledFor"),
        ({"scheduledFor": "9999-12-31T23:59:59Z"}, "scheduledFor"),
        ({"deadline": ahead(seconds=-1)}, "deadline"),
        ({"deadline": "2020-01-01T00:00:00Z"}, "deadline"),
        ({"deadline": "0001-01-01T00:00:00+14:00"}, "deadline"),
        ({"deadline": ahead(hours=1), "scheduledFor": ahead(hours=2)}, "deadline"),
    ],
    ids=named,
)
def test_times_that_cannot_be_kept_are_refused(
    account: TestAccount, changes: dict[str, Any], field: str
) -> None:
    require_refused(account.send(**body(**changes)), "VALIDATION_ERROR", field)
    require_nothing_left(account)


@pytest.mark.parametrize(
    "moment",
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"],
)
@pytest.mark.parametrize("name", ["scheduledFor", "deadline", "expiresAt"])
def test_the_ends_of_time_are_no_fault_of_ours(
    account: TestAccount, name: str, moment: str
) -> None:
    answer = account.send(**body(kind="invitation", **{"expiresAt": ahead(days=9), name: moment}))
    assert answer.status_code in (200, 202, 400), answer.text


def test_times_are_judged_by_the_accounts_clock(account: TestAccount) -> None:
    account.advance(days=2)
    answer = account.send(**body(deadline=ahead(days=1)))
    require_refused(answer, "VALIDATION_ERROR", "deadline")
    soon = wire(account_now(account) + timedelta(hours=1))
    assert account.send(**body(scheduledFor=soon)).status_code == 202


def test_a_schedule_within_a_year_is_kept(account: TestAccount) -> None:
    moment = ahead(days=364, hours=23)
    answer = account.send(**body(scheduledFor=moment))
    assert answer.status_code == 202, answer.text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("templatename", "templateName"),
        ("schedule_for", "scheduledFor"),
        ("text", None),
        ("TO", "to"),
    ],
)
def test_an_unknown_field_is_refused_with_the_nearest_known_name(
    account: TestAccount, name: str, meant: str | None
) -> None:
    error = require_refused(account.send(**body(**{name: "x"})), "VALIDATION_ERROR", name)
    assert meant is None or meant in error["message"].replace(f"`{name}`", "")
    require_nothing_left(account)


@pytest.mark.parametrize(
    "name", ["status", "accountId", "environment", "messageId", "batchId", "id"]
)
def test_fields_of_the_answer_cannot_be_given(account: TestAccount, name: str) -> None:
    require_refused(account.send(**body(**{name: "sent"})), "VALIDATION_ERROR", name)
    require_nothing_left(account)


def test_a_recipient_off_the_list_is_refused(service: TestService) -> None:
    account = service.account(allowlist=[GUEST])
    require_refused(account.send(**body(to="972501234568")), "RECIPIENT_NOT_ALLOWLISTED")
    require_nothing_left(account)


def test_an_empty_list_allows_nobody(service: TestService) -> None:
    account = service.account(allowlist=[])
    require_refused(account.send(**body()), "RECIPIENT_NOT_ALLOWLISTED")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"{",
        b"{} {}",
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain",}',
        b'\xef\xbb\xbf{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain"}',
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain","meta":{"a":NaN}}',
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain","meta":{"a":"\xff"}}',
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain","meta":{"a":"\\ud800"}}',
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain","meta":{"a":"\\u0000"}}',
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain","meta":{"\\u0000":1}}',
        b'{"clientMessageId":"order-\\u00001","to":"972501234567","templateName":"plain"}',
        b'{"clientMessageId":"order-\\udc001","to":"972501234567","templateName":"plain"}',
        b'{"clientMessageId":"order-0001","to":"972501234567","templateName":"plain","meta":'
        + b'{"a":' * 40
        + b"1"
        + b"}" * 41,
    ],
    ids=lambda raw: repr(raw[:30] + raw[-30:]),
)
def test_a_body_that_is_no_sound_json_object_is_refused(account: TestAccount, raw: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    require_refused(account.post("/messages/text", content=raw, headers=kind), "VALIDATION_ERROR")
    require_nothing_left(account)


# Which of several faults is told

FAULTS: list[tuple[str, Any, str]] = [
    ("clientMessageId", "short", "VALIDATION_ERROR"),
    ("to", "123", "INVALID_PHONE"),
    ("templateName", "nowhere", "VALIDATION_ERROR"),
    ("kind", "party", "VALIDATION_ERROR"),
    ("scheduledFor", "tomorrow", "VALIDATION_ERROR"),
    ("deadline", "tomorrow", "VALIDATION_ERROR"),
    ("sentFrom", "972555000009", "INVALID_SENDER"),
    ("fromPolicy", "strictly", "INVALID_FROM_POLICY"),
    ("meta", [], "VALIDATION_ERROR"),
    ("buttonPayloads", [], "INVALID_BUTTON_PAYLOAD"),
]
FORM = {"clientMessageId", "to", "kind", "scheduledFor", "deadline", "fromPolicy", "meta"}
FORM |= {"buttonPayloads"}  # judged by the request alone; the others need the account's facts


def test_of_several_faults_of_form_the_first_of_the_table_is_told(account: TestAccount) -> None:
    faults = [fault for fault in FAULTS if fault[0] in FORM]
    for first in range(len(faults)):
        wrong = {name: value for name, value, _ in faults[first:]}
        name, _, code = faults[first]
        require_refused(account.send(**body(**wrong)), code, name)
    require_nothing_left(account)


def test_the_order_of_the_bodys_fields_does_not_change_what_is_told(account: TestAccount) -> None:
    wrong = {name: value for name, value, _ in FAULTS}
    forwards = account.send(**body(**wrong)).json()["error"]
    backwards = account.send(**dict(reversed(body(**wrong).items()))).json()["error"]
    assert (forwards["code"], forwards["field"]) == (backwards["code"], backwards["field"])


def test_types_are_told_in_the_tables_order_too(account: TestAccount) -> None:
    wrong = {"meta": 1, "kind": 1, "to": 1, "clientMessageId": 1}
    require_refused(account.send(**wrong), "VALIDATION_ERROR", "clientMessageId")


def test_fields_come_before_the_allowed_list(service: TestService) -> None:
    account = service.account(allowlist=[GUEST])
    answer = account.send(**body(to="972501234568", templateName="nowhere"))
    require_refused(answer, "VALIDATION_ERROR", "templateName")


# Templates and free text


def phone(account: TestAccount, number: str = GUEST) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = account.get(f"/sandbox/v1/phones/{number}").json()["data"][
        "messages"
    ]
    return messages


def test_variables_fill_header_body_and_url_button_in_this_order(service: TestService) -> None:
    account = service.account("""
        [[accounts.templates]]
        name = "full"
        language = "en"
        category = "UTILITY"
        status = "APPROVED"
        header = "TEXT"
        headerText = "Re {{1}}"
        body = "{{2}} then {{1}}, {{2}}"
        buttons = [ { type = "URL", text = "Open", url = "https://example.com/x/{{1}}" } ]
    """)
    answer = account.send(**body(templateName="full", templateParams=["h", "one", "two", "u"]))
    assert answer.status_code == 200, answer.text
    (shown,) = phone(account)
    assert (shown["title"], shown["text"]) == ("Re h", "two then one, two")
    assert [button["url"] for button in shown["buttons"]] == ["https://example.com/x/u"]
    short = account.send(
        **body(
            clientMessageId="order-0002", templateName="full", templateParams=["h", "one", "two"]
        )
    )
    require_refused(short, "VALIDATION_ERROR", "templateParams")


def test_a_variable_is_not_read_as_a_variable(account: TestAccount) -> None:
    account.send(**body(templateName="invite", templateParams=["{{2}}", "{{1}} \\1 %s <b>"]))
    assert phone(account)[0]["text"] == "Hi {{2}}, join us on {{1}} \\1 %s <b>"


def test_the_language_chooses_the_template(service: TestService) -> None:
    languages = "".join(
        f'[[accounts.templates]]\nname = "bye"\nlanguage = "{language}"\ncategory = "UTILITY"\n'
        f'status = "APPROVED"\nbody = "{words}"\n'
        for language, words in (("en", "Bye"), ("he", "להתראות"))
    )
    account = service.account(languages)
    assert account.send(**body(templateName="bye", templateLang="he")).status_code == 200
    assert phone(account)[0]["text"] == "להתראות"
    answer = account.send(
        **body(clientMessageId="order-0002", templateName="bye", templateLang="fr")
    )
    require_refused(answer, "VALIDATION_ERROR")


@pytest.mark.parametrize("status", ["PENDING", "REJECTED", "PAUSED", "DISABLED"])
def test_a_template_that_is_not_approved_is_refused(service: TestService, status: str) -> None:
    account = service.account(TEMPLATES.replace('"APPROVED"', f'"{status}"', 1))
    answer = account.send(**body(templateName="hello", templateParams=["Dana"]))
    require_refused(answer, "VALIDATION_ERROR", "templateName")
    require_nothing_left(account)


def test_a_template_with_a_picture_cannot_go_without_one(service: TestService) -> None:
    account = service.account(TEMPLATES.replace('body = "Good', 'header = "IMAGE"\nbody = "Good'))
    require_refused(account.send(**body()), "VALIDATION_ERROR")
    assert not any(traces(account).values())


def test_a_template_of_another_account_is_unknown(service: TestService) -> None:
    extra = TEMPLATES + TEMPLATES.replace('"hello"', '"secret"').split("[[accounts.templates]]")[
        1
    ].join(["[[accounts.templates]]", ""])
    owner, other = service.account(extra), service.account()
    fields = body(templateName="secret", templateParams=["a"])
    assert owner.send(**fields).status_code == 200
    require_refused(other.send(**fields), "VALIDATION_ERROR", "templateName")


def test_free_text_goes_inside_the_window(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    answer = account.send(**body(templateName=MISSING, message="Hi *Dana* 👋\nline two"))
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["fallbackUsed"] is False
    shown = phone(account)[-1]
    assert (shown["type"], shown["text"]) == ("text", "Hi *Dana* 👋\nline two")


def test_the_window_is_open_for_24_hours_after_the_last_reply(account: TestAccount) -> None:
    text = body(templateName=MISSING, message="hi")
    account.reply(GUEST, "one")
    account.advance(hours=23, minutes=59, seconds=50)
    assert account.send(**text).status_code == 200
    account.advance(seconds=11)
    late = text | {"clientMessageId": "order-0002"}
    require_refused(account.send(**late), "SERVICE_WINDOW_CLOSED")
    account.reply(GUEST, "two")
    assert account.send(**late).status_code == 200


def test_the_window_of_one_guest_is_not_anothers(service: TestService) -> None:
    account, other = service.account(), service.account()
    account.reply(GUEST, "hello?")
    text = body(templateName=MISSING, message="hi")
    require_refused(account.send(**(text | {"to": "972501234568"})), "SERVICE_WINDOW_CLOSED")
    require_refused(other.send(**text), "SERVICE_WINDOW_CLOSED")


def test_our_own_message_opens_no_window(account: TestAccount) -> None:
    account.send(**body())
    account.advance(seconds=5)
    answer = account.send(clientMessageId="order-0002", to=GUEST, message="hi")
    require_refused(answer, "SERVICE_WINDOW_CLOSED")


def test_with_both_the_free_text_goes_inside_the_window_and_the_template_outside(
    account: TestAccount,
) -> None:
    both = body(message="free words")
    outside = account.send(**both).json()["data"]
    account.reply(GUEST, "hello?")
    inside = account.send(**(both | {"clientMessageId": "order-0002"})).json()["data"]
    assert (outside["fallbackUsed"], inside["fallbackUsed"]) == (True, False)
    sent = [shown["text"] for shown in phone(account) if shown["direction"] == "out"]
    assert sent == ["Good morning", "free words"]


def test_a_broken_template_is_told_even_where_the_free_text_would_go(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    answer = account.send(**body(message="free words", templateName="nowhere"))
    require_refused(answer, "VALIDATION_ERROR", "templateName")


def test_an_invitation_uses_the_accounts_default_template(service: TestService) -> None:
    account = service.account(defaultTemplate="invite")
    fields = body(templateName=MISSING, templateParams=["Dana", "Sunday"], kind="invitation")
    answer = account.send(**fields, expiresAt=ahead(days=3))
    assert answer.status_code == 200, answer.text
    assert phone(account)[0]["text"] == "Hi Dana, join us on Sunday"
    assert account.status(CID)["kind"] == "invitation"


def test_an_invitation_needs_a_template_even_inside_the_window(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    fields = body(templateName=MISSING, message="come!", kind="invitation")
    require_refused(account.send(**fields, expiresAt=ahead(days=3)), "TEMPLATE_REQUIRED")


# Button payloads


def payloads(account: TestAccount) -> list[str]:
    return [button["payload"] for button in phone(account)[-1]["buttons"]]


def invitation(**changes: Any) -> dict[str, Any]:
    return body(templateName="invite", templateParams=["Dana", "Sunday"], **changes)


def test_payloads_go_to_the_buttons_in_order_and_verbatim(account: TestAccount) -> None:
    given = ["  yes:1/ü😀 ", "x" * 128]
    assert account.send(**invitation(buttonPayloads=given)).status_code == 200
    assert payloads(account) == given


def test_the_default_payload_is_the_client_message_id(account: TestAccount) -> None:
    account.send(**invitation())
    assert payloads(account) == [CID, CID]


def test_a_payload_of_128_characters_is_counted_in_code_points(account: TestAccount) -> None:
    given = ["😀" * 128, "b"]
    assert account.send(**invitation(buttonPayloads=given)).status_code == 200
    assert payloads(account) == given


# Sending numbers


@pytest.fixture
def two_numbers(service: TestService) -> TestAccount:
    numbers = "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n' for n in (NUMBER, SECOND))
    return service.account(numbers)


@pytest.mark.parametrize("policy", [MISSING, "prefer", "strict"])
def test_the_asked_number_sends(two_numbers: TestAccount, policy: Any) -> None:
    data = two_numbers.send(**body(sentFrom=SECOND, fromPolicy=policy)).json()["data"]
    assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, False)


def test_auto_ignores_the_asked_number(two_numbers: TestAccount) -> None:
    data = two_numbers.send(**body(sentFrom=SECOND, fromPolicy="auto")).json()["data"]
    assert data["sentFrom"] == NUMBER


def test_a_guest_already_messaged_keeps_its_number(two_numbers: TestAccount) -> None:
    two_numbers.send(**body(sentFrom=SECOND))
    for cid, policy in (("order-0002", MISSING), ("order-0003", "auto")):
        data = two_numbers.send(**body(clientMessageId=cid, fromPolicy=policy)).json()["data"]
        assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, False)


# Meta


def post_with_meta(account: TestAccount, meta: str, cid: str = CID) -> httpx.Response:
    raw = f'{{"clientMessageId":"{cid}","to":"{GUEST}","templateName":"plain","meta":{meta}}}'
    kind = {"Content-Type": "application/json"}
    return account.post("/messages/text", content=raw.encode(), headers=kind)


@pytest.mark.parametrize(
    "meta",
    [
        "{}",
        '{"z":1,"a":2,"m":3}',
        '{"big":123456789012345678901234567890,"negative":-9223372036854775809}',
        '{"over":18446744073709551616,"float":1.0,"exact":0.10000000000000000001,"e":1e2,"E":1E+2}',
        '{"minus":-0,"zero":-0.0,"tiny":1e-400}',
        '{"ü":"é","emoji":"😀","rtl":"שלום"}',
        r'{"escaped":"\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\"}',
        '{"deep":{"a":[[[{"b":[null,true,false,"",{},[]]}]]]}}',
        '{"__proto__":{"x":1},"constructor":1,"":"empty key"}',
        '{"null":null,"same":1,"same":2}',
        '{"html":"<script>alert(1)</script>","sql":"\' OR 1=1 --"}',
    ],
)
def test_meta_comes_back_verbatim_in_the_status_and_in_every_event(
    account: TestAccount, meta: str
) -> None:
    assert post_with_meta(account, meta).status_code == 200
    account.advance(seconds=3)
    assert f'"meta":{meta}' in account.get(f"/messages/{CID}").text
    query = "SELECT convert_from(body, 'UTF8') AS body FROM webhooks WHERE account_id = $1"
    bodies = [row["body"] for row in account.service.sql(query, account.id)]
    assert len(bodies) == 3
    assert all(f'"meta":{meta}' in event for event in bodies), bodies


def test_meta_with_white_space_keeps_every_value(account: TestAccount) -> None:
    meta = '{ "b" : 1.50 ,\n\t"a" : [ 1 , 2 ] , "c": " x  y " }'
    assert post_with_meta(account, meta).status_code == 200
    text = account.get(f"/messages/{CID}").text
    back = json.loads(text, parse_float=Decimal)["data"]["meta"]
    assert list(back.items()) == [("b", Decimal("1.50")), ("a", [1, 2]), ("c", " x  y ")]


def filled(size: int) -> str:
    """An object of `size` bytes as compact UTF-8."""
    return '{"a":"' + "é" * ((size - 8) // 2) + "x" * (size % 2) + '"}'


def test_meta_of_4096_bytes_is_kept_and_one_of_4097_refused(account: TestAccount) -> None:
    assert len(filled(4096).encode()) == 4096 and len(filled(4097).encode()) == 4097
    require_refused(post_with_meta(account, filled(4097)), "VALIDATION_ERROR", "meta")
    assert not any(traces(account).values())
    assert post_with_meta(account, filled(4096)).status_code == 200
    assert account.status(CID)["meta"] == json.loads(filled(4096))


def test_meta_is_measured_compact_whatever_way_it_is_written(account: TestAccount) -> None:
    spaced = '{"a":' + " " * 5000 + "1}"
    assert post_with_meta(account, spaced).status_code == 200
    escaped = '{"a":"' + "\\u00e9" * 2000 + '"}'  # 12,000 characters, 4,008 bytes compact
    assert post_with_meta(account, escaped, "order-0002").status_code == 200
    assert account.status("order-0002")["meta"] == {"a": "é" * 2000}
    over = '{"a":"' + "\\u00e9" * 2045 + '"}'  # 4,098 bytes compact
    require_refused(post_with_meta(account, over, "order-0003"), "VALIDATION_ERROR", "meta")
