"""The sandbox's controls, as a customer calls them."""

from datetime import datetime
from typing import Any

import httpx

from tests.support.service import GUEST, TestAccount

SECOND = "972555000002"
SHOWN = {
    "direction",
    "at",
    "messageId",
    "clientMessageId",
    "type",
    "text",
    "title",
    "footer",
    "media",
    "buttons",
    "form",
}


def require_refused(answer: httpx.Response, code: str, status: int = 400) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.json()["environment"] == "sandbox"
    error: dict[str, Any] = answer.json()["error"]
    assert error["code"] == code, answer.text
    return error


def clock(account: TestAccount) -> tuple[datetime, int]:
    data = account.get("/sandbox/v1/clock").json()["data"]
    assert set(data) == {"now", "offsetSeconds", "pending"}
    return datetime.fromisoformat(data["now"]), data["offsetSeconds"]


def phone(account: TestAccount, number: str = GUEST) -> list[dict[str, Any]]:
    answer = account.get(f"/sandbox/v1/phones/{number}")
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    assert set(data) == {"number", "messages"} and data["number"] == number
    assert all(set(shown) == SHOWN for shown in data["messages"]), data
    messages: list[dict[str, Any]] = data["messages"]
    return messages


def plain(account: TestAccount, cid: str = "order-0001", to: str = GUEST) -> dict[str, Any]:
    answer = account.send(clientMessageId=cid, to=to, templateName="plain")
    data: dict[str, Any] = answer.json()["data"]
    return data


def invite(account: TestAccount, cid: str = "order-0001", **more: Any) -> None:
    params = {"templateName": "invite", "templateParams": ["Dana", "Sunday"]}
    answer = account.send(clientMessageId=cid, to=GUEST, **params, **more)
    assert answer.status_code == 200, answer.text


def reply(account: TestAccount, **fields: Any) -> httpx.Response:
    return account.post("/sandbox/v1/replies", {"from": GUEST} | fields)
