"""Rehearsals (X-Dry-Run) of one message and of a batch answer as /api/v1/openapi.json says."""

import re
from typing import Any

import pytest

from tests.api.test_openapi import require_described
from tests.support.service import GUEST, TestAccount

DRY = {"X-Dry-Run": "true"}


def test_dry_runs_are_as_described(account: TestAccount) -> None:
    document = account.get("/openapi.json").json()
    text: dict[str, Any] = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"}
    buttons = {"message": "Coming?", "buttons": [{"id": "yes", "text": "Yes"}]}
    for path, body in (
        ("text", text),
        ("text", text | {"scheduledFor": "2027-01-01T00:00:00Z"}),
        ("rich", text | buttons),
        ("bulk", {"messages": [text]}),
    ):
        answer = account.post(f"/messages/{path}", body, headers=DRY)
        assert answer.status_code == 200, answer.text
        require_described(document, "post", f"/api/v1/messages/{path}", answer)
        assert "cost" in answer.json()["data"]


def test_a_dry_run_for_one_who_opted_out_is_as_described(account: TestAccount) -> None:
    document = account.get("/openapi.json").json()
    account.send()
    stop = account.post("/sandbox/v1/replies", {"from": GUEST, "stop": True})
    assert stop.status_code == 200, stop.text
    body = {"clientMessageId": "order-0002", "to": GUEST, "templateName": "plain"}
    answer = account.post("/messages/text", body, headers=DRY)
    assert answer.json()["data"]["wouldBe"] == "failed"
    assert answer.json()["data"]["reason"] == "RECIPIENT_OPTED_OUT"
    require_described(document, "post", "/api/v1/messages/text", answer)


@pytest.mark.parametrize("value", ["true", "True", "TRUE", "false", "False", "yes", "1", "truely"])
def test_the_header_takes_what_its_pattern_says(account: TestAccount, value: str) -> None:
    operation = account.get("/openapi.json").json()["paths"]["/api/v1/messages/text"]["post"]
    (header,) = [one for one in operation["parameters"] if one["name"] == "X-Dry-Run"]
    body = {"clientMessageId": "order-0003", "to": GUEST, "templateName": "plain"}
    answer = account.post("/messages/text", body, headers={"X-Dry-Run": value})
    is_described = re.search(header["schema"]["pattern"], value) is not None
    assert (answer.status_code == 200) == is_described, answer.text
