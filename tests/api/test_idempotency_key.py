"""Idempotency-Key: the id of a message whose body has no clientMessageId."""

from typing import Any

import pytest

from tests.support.answers import refused
from tests.support.forms import form_toml
from tests.support.passcodes import CODE, ONE
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import traces

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"
TEXT = {"to": GUEST, "templateName": "plain"}
RICH = {**TEXT, "message": "Coming?", "buttons": [{"id": "yes", "text": "Yes"}]}
BODIES: dict[str, dict[str, Any]] = {
    "/messages/text": TEXT,
    "/messages/rich": RICH,
    "/messages/otp": {"to": GUEST, "code": CODE},
    "/feedback/send": {"to": GUEST, "formId": "visit"},
}
everywhere = pytest.mark.parametrize("path", BODIES)


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(form_toml() + ONE)


def post(account: TestAccount, path: str, key: str | bytes, **more: Any) -> Any:
    return account.post(path, BODIES[path] | more, headers={"Idempotency-Key": key})


@everywhere
def test_the_same_key_is_one_message(account: TestAccount, path: str) -> None:
    answers = [post(account, path, KEY) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 200], answers[0].text
    assert [one.json()["data"]["duplicate"] for one in answers] == [False, True]
    assert account.status(KEY)["to"] == GUEST
    assert traces(account)["messages"] == 1


@everywhere
def test_the_key_and_an_equal_id_are_the_same(account: TestAccount, path: str) -> None:
    assert post(account, path, KEY).status_code == 200
    again = account.post(path, BODIES[path] | {"clientMessageId": KEY})
    assert again.json()["data"]["duplicate"] is True
    both = post(account, path, KEY, clientMessageId=KEY)
    assert both.json()["data"]["duplicate"] is True


@everywhere
def test_an_id_that_differs_from_the_key_is_refused(account: TestAccount, path: str) -> None:
    answer = post(account, path, KEY, clientMessageId="order-0001")
    error = refused(answer, 400, "VALIDATION_ERROR", field="Idempotency-Key")
    assert "Idempotency-Key and clientMessageId differ" in error["message"]
    assert ("order-0001" in error["message"]) is (path != "/messages/otp"), "a code may be in it"
    assert not any(traces(account).values())


@everywhere
def test_a_key_obeys_the_rules_of_the_id(account: TestAccount, path: str) -> None:
    for key in ("", "k" * 129, "tab\tinside-it", '"         "', b"\xff\xfe-not-utf-8"):
        answer = post(account, path, key)
        error = refused(answer, 400, "VALIDATION_ERROR", field="Idempotency-Key")
        assert "the header Idempotency-Key" in error["message"]
    assert not any(traces(account).values())


def test_a_short_key_does_where_a_short_id_does(account: TestAccount) -> None:
    for path in ("/messages/text", "/messages/rich"):
        error = refused(post(account, path, "short"), 400, "VALIDATION_ERROR")
        assert "8 to 128 characters" in error["message"]
    assert post(account, "/messages/otp", "short").status_code == 200


def test_quotes_around_a_key_are_not_part_of_it(account: TestAccount) -> None:
    assert post(account, "/messages/text", f'"{KEY}"').status_code == 200
    assert post(account, "/messages/text", KEY).json()["data"]["duplicate"] is True


def test_two_keys_are_refused(account: TestAccount) -> None:
    two = [("Idempotency-Key", KEY), ("Idempotency-Key", KEY), *account.headers.items()]
    answer = account.service.http.post("/api/v1/messages/text", json=TEXT, headers=two)
    error = refused(answer, 400, "VALIDATION_ERROR", field="Idempotency-Key")
    assert "twice" in error["message"]


def test_without_either_the_id_is_missing(account: TestAccount) -> None:
    for path in ("/messages/text", "/messages/rich"):
        answer = account.post(path, BODIES[path])
        error = refused(answer, 400, "VALIDATION_ERROR", field="clientMessageId")
        assert "`clientMessageId` is missing" in error["message"]


def test_the_other_fields_are_checked_as_ever(account: TestAccount) -> None:
    refused(post(account, "/messages/text", KEY, too=1), 400, "VALIDATION_ERROR", field="too")
    refused(post(account, "/messages/text", KEY, to=1), 400, "VALIDATION_ERROR", field="to")
    answer = post(account, "/messages/text", KEY, clientMessageId=None)
    refused(answer, 400, "VALIDATION_ERROR", field="clientMessageId")


def test_a_dry_run_uses_no_key_up(account: TestAccount) -> None:
    headers = {"Idempotency-Key": KEY, "X-Dry-Run": "true"}
    answer = account.post("/messages/text", TEXT, headers=headers)
    assert answer.json()["data"]["clientMessageId"] == KEY
    assert post(account, "/messages/text", KEY).json()["data"]["duplicate"] is False


def test_items_of_a_batch_keep_their_own_ids(account: TestAccount) -> None:
    body = {"messages": [TEXT, TEXT | {"clientMessageId": "order-0001"}]}
    answer = account.post("/messages/bulk", body, headers={"Idempotency-Key": KEY})
    data = answer.json()["data"]
    assert data["accepted"] == [{"clientMessageId": "order-0001"}]
    assert [one["index"] for one in data["rejected"]] == [0]


def test_openapi_has_it_where_it_counts(service: TestService) -> None:
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    found = {
        path.removeprefix("/api/v1"): parameter
        for path, methods in paths.items()
        for operation in methods.values()
        for parameter in operation["parameters"]
        if parameter["name"] == "Idempotency-Key"
    }
    assert found.keys() == BODIES.keys()
    lengths = {path: one["schema"]["minLength"] for path, one in found.items()}
    assert lengths["/messages/text"] == 8 and lengths["/messages/otp"] == 1
    assert all(one["in"] == "header" and not one["required"] for one in found.values())
