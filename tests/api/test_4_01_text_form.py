"""POST /messages/text, black box: times, unknown fields, broken bodies, several faults."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.names import named
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import account_now, ahead, body, require_nothing_left, require_refused, wire


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
def test_a_time_that_is_not_rfc_3339_is_refused(
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
    "timestamp",
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"],
)
@pytest.mark.parametrize("name", ["scheduledFor", "deadline", "expiresAt"])
def test_the_ends_of_time_are_no_fault_of_ours(
    account: TestAccount, name: str, timestamp: str
) -> None:
    answer = account.send(
        **body(kind="invitation", **{"expiresAt": ahead(days=9), name: timestamp})
    )
    assert answer.status_code in (200, 202, 400), answer.text


def test_times_are_judged_by_the_accounts_clock(account: TestAccount) -> None:
    account.advance(days=2)
    answer = account.send(**body(deadline=ahead(days=1)))
    require_refused(answer, "VALIDATION_ERROR", "deadline")
    soon = wire(account_now(account) + timedelta(hours=1))
    assert account.send(**body(scheduledFor=soon)).status_code == 202


def test_a_schedule_within_a_year_is_kept(account: TestAccount) -> None:
    timestamp = ahead(days=364, hours=23)
    answer = account.send(**body(scheduledFor=timestamp))
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
    ids=lambda raw: named(raw[:30] + raw[-30:]),
)
def test_a_body_that_is_no_sound_json_object_is_refused(account: TestAccount, raw: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    require_refused(account.post("/messages/text", content=raw, headers=kind), "VALIDATION_ERROR")
    require_nothing_left(account)


# Which of several faults is reported

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


def test_of_several_faults_of_form_the_first_of_the_table_is_reported(account: TestAccount) -> None:
    faults = [fault for fault in FAULTS if fault[0] in FORM]
    for first in range(len(faults)):
        wrong = {name: value for name, value, _ in faults[first:]}
        name, _, code = faults[first]
        require_refused(account.send(**body(**wrong)), code, name)
    require_nothing_left(account)


def test_the_order_of_the_bodys_fields_does_not_change_the_error(account: TestAccount) -> None:
    wrong = {name: value for name, value, _ in FAULTS}
    forwards = account.send(**body(**wrong)).json()["error"]
    backwards = account.send(**dict(reversed(body(**wrong).items()))).json()["error"]
    assert (forwards["code"], forwards["field"]) == (backwards["code"], backwards["field"])


def test_types_are_reported_in_the_tables_order_too(account: TestAccount) -> None:
    wrong = {"meta": 1, "kind": 1, "to": 1, "clientMessageId": 1}
    require_refused(account.send(**wrong), "VALIDATION_ERROR", "clientMessageId")


def test_fields_come_before_the_allowed_list(service: TestService) -> None:
    account = service.account(allowlist=[GUEST])
    answer = account.send(**body(to="972501234568", templateName="nowhere"))
    require_refused(answer, "VALIDATION_ERROR", "templateName")
