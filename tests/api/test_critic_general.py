"""General rules at the edges: addresses that look like ids, and what the description leaves out."""

from typing import Any

import pytest

from tests.api.test_openapi import require_described
from tests.support.service import GUEST, TestAccount

DRY = {"X-Dry-Run": "true"}
ADDRESSES = [
    ("GET", "/messages/text", "POST"),
    ("GET", "/messages/otp", "POST"),
    ("GET", "/messages/bulk", "POST"),
    ("GET", "/messages/rich", "POST"),
    ("GET", "/messages/upload", "POST"),
    ("DELETE", "/optouts/check", "POST"),
]


@pytest.mark.parametrize(("method", "path", "allow"), ADDRESSES)
def test_an_address_of_its_own_is_not_taken_for_an_id(
    account: TestAccount, method: str, path: str, allow: str
) -> None:
    answer = account.service.http.request(method, f"/api/v1{path}", headers=account.headers)
    assert (answer.status_code, answer.headers["Allow"]) == (405, allow)
    assert answer.json()["error"]["code"] == "NOT_FOUND"


def test_rehearsals_are_as_described(account: TestAccount) -> None:
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


def test_a_rehearsal_for_one_who_opted_out_is_as_described(account: TestAccount) -> None:
    document = account.get("/openapi.json").json()
    account.send()
    stop = account.post("/sandbox/v1/replies", {"from": GUEST, "stop": True})
    assert stop.status_code == 200, stop.text
    body = {"clientMessageId": "order-0002", "to": GUEST, "templateName": "plain"}
    answer = account.post("/messages/text", body, headers=DRY)
    assert answer.json()["data"]["wouldBe"] == "failed"
    assert answer.json()["data"]["reason"] == "RECIPIENT_OPTED_OUT"
    require_described(document, "post", "/api/v1/messages/text", answer)
