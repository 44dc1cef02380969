"""A refusal quotes the value it refuses, shortened; never a passcode (section 7)."""

from typing import Any

import pytest

from tests.support.invitations import event_body
from tests.support.passcodes import ONE
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import body

CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("/messages/text", body(to="+972 50"), "INVALID_PHONE", '"+972 50"'),
    ("/messages/text", body(to="9" * 50), "INVALID_PHONE", '"' + "9" * 40 + '…" (50 characters)'),
    ("/messages/text", body(to="972\x1b[2J\u202e"), "INVALID_PHONE", '"972\\x1b[2J\\u202e"'),
    ("/messages/text", body(sentFrom="972000000000"), "INVALID_SENDER", '"972000000000"'),
    ("/messages/text", body(sentFrom="mine"), "INVALID_SENDER", '"mine"'),
    ("/messages/text", body(fromPolicy="maybe"), "INVALID_FROM_POLICY", '"maybe"'),
    ("/messages/text", body(kind="party"), "VALIDATION_ERROR", '"party"'),
    ("/messages/text", body(deadline="soon"), "VALIDATION_ERROR", '"soon"'),
    ("/messages/text", body(clientMessageId="x"), "VALIDATION_ERROR", '"x"'),
    ("/messages/text", body(templateName="nowhere"), "VALIDATION_ERROR", '"nowhere"'),
    ("/messages/bulk", {"messages": [body()], "fromPolicy": "no"}, "INVALID_FROM_POLICY", '"no"'),
    ("/links", {"url": "http://example.com/x"}, "INVALID_URL", '"http://example.com/x"'),
    ("/events", event_body(defaults={"sentFrom": "mine"}), "INVALID_SENDER", '"mine"'),
    ("/optouts/check", {"numbers": [GUEST, "12"]}, "INVALID_PHONE", '"12"'),
    ("/feedback/send", {"formId": "visit", "to": "12"}, "INVALID_PHONE", '"12"'),
    ("/sandbox/v1/replies", {"from": "12", "text": "hi"}, "INVALID_PHONE", '"12"'),
]


@pytest.mark.parametrize(("path", "fields", "code", "got"), CASES)
def test_the_value_is_quoted(
    account: TestAccount, path: str, fields: dict[str, Any], code: str, got: str
) -> None:
    answer = account.post(path, fields)
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert (error["code"], error["message"].isprintable()) == (code, True)
    assert got in error["message"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/forms/a%0D%0Ab/results"), ("POST", "/webhooks/failed/a%0D%0Ab/retry")],
)
def test_an_id_of_the_path_is_quoted_on_one_line(
    account: TestAccount, method: str, path: str
) -> None:
    answer = account.service.http.request(method, f"/api/v1{path}", headers=account.headers)
    assert answer.status_code == 404
    assert '"a\\r\\nb"' in answer.json()["error"]["message"]


def test_an_item_of_a_batch_quotes_it_too(account: TestAccount) -> None:
    answer = account.post("/messages/bulk", {"messages": [body(to="+972 50")]}).json()["data"]
    (rejected,) = answer["rejected"]
    assert rejected["message"].startswith("messages[0].to must be")
    assert rejected["message"].endswith(', got "+972 50"')


@pytest.mark.parametrize(
    "fields",
    [
        {"code": "48 29 13"}, {"to": "48 29 13"}, {"to": "48 29 13", "code": GUEST},
        {"meta": "48 29 13"}, {"clientMessageId": "48 29 13\t"}, {"ttlSeconds": "48 29 13"},
    ],
)  # fmt: skip
def test_a_passcode_is_not_quoted_whatever_field_it_stands_in(
    service: TestService, fields: dict[str, Any]
) -> None:
    account = service.account(ONE)
    answer = account.post("/messages/otp", {"to": GUEST, "code": "482913"} | fields)
    assert answer.status_code == 400, answer.text
    assert "48 29 13" not in answer.text
