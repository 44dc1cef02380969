"""POST /webhooks/verify: what a receiver shows, compared with what was really posted."""

import json
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.support.receiver import ReceivedRequest, Receiver
from tests.support.service import TestAccount, TestService, account_toml
from tests.support.webhooks import publish_events


@pytest.fixture
def posted(service: TestService) -> tuple[TestAccount, ReceivedRequest]:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        publish_events(account, data={"text": "שלום 🎉", "n": 1})
        return account, receiver.wait_for(1)[0]


def examine(
    account: TestAccount, heard: ReceivedRequest, body: str | None = None, **more: Any
) -> Any:
    text = heard.body.decode() if body is None else body
    answer = account.post(
        "/webhooks/verify", {"headers": dict(heard.headers), "body": text, **more}
    )
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    return data["valid"], [finding["code"] for finding in data["findings"]]


def test_the_libraries_of_standard_webhooks_take_it_as_it_is(
    posted: tuple[TestAccount, ReceivedRequest],
) -> None:
    account, heard = posted
    assert Webhook(account.secret).verify(heard.body, dict(heard.headers)) == heard.json()


def test_a_post_as_it_came_is_valid(posted: tuple[TestAccount, ReceivedRequest]) -> None:
    assert examine(*posted) == (True, ["valid"])


def test_names_of_headers_may_be_in_any_case(posted: tuple[TestAccount, ReceivedRequest]) -> None:
    account, heard = posted
    headers = {name.upper(): text for name, text in heard.headers.items()}
    answer = account.post("/webhooks/verify", {"headers": headers, "body": heard.body.decode()})
    assert answer.json()["data"]["valid"] is True


def test_a_body_written_anew_is_compared_with_the_one_we_posted(
    posted: tuple[TestAccount, ReceivedRequest],
) -> None:
    account, heard = posted
    assert examine(account, heard, json.dumps(heard.json())) == (False, ["body_changed"])
    assert examine(account, heard, heard.body.decode() + "\n") == (False, ["body_changed"])


def test_the_receivers_secret_is_judged(posted: tuple[TestAccount, ReceivedRequest]) -> None:
    account, heard = posted
    assert examine(account, heard, secret=account.secret) == (True, ["secret_current"])
    assert examine(account, heard, secret=account.secret[6:]) == (True, ["secret_without_prefix"])
    assert examine(account, heard, secret=account.key) == (True, ["secret_is_api_key"])


def test_what_the_receiver_worked_out_is_judged(
    posted: tuple[TestAccount, ReceivedRequest],
) -> None:
    account, heard = posted
    assert examine(account, heard, computed=heard["X-Signature"]) == (True, ["computed_right"])
    digits = heard["X-Signature"].removeprefix("sha256=")
    assert examine(account, heard, computed=digits) == (True, ["computed_wrong"])


def test_a_post_signed_before_a_rotation_is_recognised(service: TestService) -> None:
    with Receiver() as receiver:
        fields = {"name": "rotated-since", "webhookUrl": receiver.url}
        account = service.account(signingSecret="whsec_" + "a" * 43, **fields)
        publish_events(account)
        [heard] = receiver.wait_for(1)
    service.apply(account_toml(signingSecret="whsec_" + "b" * 43, **fields))
    assert examine(account, heard) == (False, ["previous_secret"])


def test_anothers_post_is_nobodys(
    service: TestService, posted: tuple[TestAccount, ReceivedRequest]
) -> None:
    stranger = service.account()
    assert examine(stranger, posted[1]) == (False, ["unknown_post"])
    changed = json.dumps(posted[1].json())
    assert examine(stranger, posted[1], changed) == (False, ["unknown_post"]), (
        "nothing is disclosed"
    )


@pytest.mark.parametrize(
    "body",
    [
        {}, {"headers": {}}, {"body": "x"}, {"headers": [], "body": ""},
        {"headers": {"a": 1}, "body": ""}, {"headers": {}, "body": "x" * 70_000},
        {"headers": {str(n): "" for n in range(101)}, "body": ""},
        {"headers": {}, "body": "", "secret": 1}, {"headers": {}, "body": "", "key": "x"},
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(account: TestAccount, body: dict[str, Any]) -> None:
    answer = account.post("/webhooks/verify", body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"


def test_a_secret_is_not_shown_back(account: TestAccount) -> None:
    body = {"headers": {}, "body": "", "secret": "whsec_CANARY" + "x" * 300}
    answer = account.post("/webhooks/verify", body)
    assert answer.status_code == 400 and "CANARY" not in answer.text


# Examples on demand


def test_an_example_comes_like_any_event(service: TestService) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        answer = account.post("/sandbox/v1/webhooks", {"type": "guest.confirmed"})
        assert answer.status_code == 200, answer.text
        [heard] = receiver.wait_for(1)
        receiver.verify(account.secret, now=account.service.clock.now().timestamp())
    queued = answer.json()["data"]
    assert queued == {"webhookId": heard["X-Webhook-Id"], "type": "guest.confirmed"}
    body = heard.json()
    assert body["data"]["meta"] == {"example": True}
    assert body["data"]["receivedAt"] == body["createdAt"], "its times are of now"


def test_only_kinds_that_exist_have_one(account: TestAccount) -> None:
    answer = account.post("/sandbox/v1/webhooks", {"type": "guest.sang"})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "type"
