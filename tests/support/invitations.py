"""Events and invitations for tests: the usual body, the usual guest, the events of replies."""

from datetime import timedelta
from typing import Any

import httpx

from tests.support.clock import STANDING
from tests.support.service import GUEST, TestAccount

TEXTS = {"invalidReply": "Sorry, yes or no?", "nudge": "Will you come?", "expired": "It is over."}
CALLBACK = "http://127.0.0.1:9/wedding"  # nobody listens there, and that is known at once


def later(**time: float) -> str:
    """A timestamp of the service's clock; an account's own starts there."""
    return (STANDING.now() + timedelta(**time)).isoformat(timespec="milliseconds")


DAY = later(days=30)


def event_body(event_id: str = "wedding", **fields: Any) -> dict[str, Any]:
    body = {
        "eventId": event_id,
        "eventDate": DAY,
        "callbackUrl": CALLBACK,
        "texts": TEXTS,
    }
    return body | fields


def register(account: TestAccount, event_id: str = "wedding", **fields: Any) -> dict[str, Any]:
    answer = account.post("/events", event_body(event_id, **fields))
    assert answer.status_code in (200, 201), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def get_event(account: TestAccount, event_id: str = "wedding") -> dict[str, Any]:
    answer = account.get(f"/events/{event_id}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def invite(
    account: TestAccount, cid: str = "invite-0001", to: str = GUEST, **fields: Any
) -> dict[str, Any]:
    """An invitation to the wedding, unless the fields say otherwise; None leaves one out."""
    usual = {
        "kind": "invitation",
        "eventId": "wedding",
        "templateName": "invite",
        "templateParams": ["Dana", "Sunday"],
    }
    body = {name: value for name, value in (usual | fields).items() if value is not None}
    answer = account.send(clientMessageId=cid, to=to, **body)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def reply(account: TestAccount, from_: str = GUEST, **fields: Any) -> str:
    """What the guest does; the id of the platform's message."""
    answer = account.post("/sandbox/v1/replies", {"from": from_} | fields)
    assert answer.status_code == 200, answer.text
    message_id: str = answer.json()["data"]["messageId"]
    return message_id


def settle(account: TestAccount, answer: str, to: str = GUEST, **fields: Any) -> None:
    """What a person decides for the guest of the wedding."""
    settled = account.post(f"/events/wedding/guests/{to}/answer", {"answer": answer} | fields)
    assert settled.status_code == 200, settled.text


def guest_events(account: TestAccount) -> list[dict[str, Any]]:
    """The events of replies: {type, ...data}."""
    return [
        {"event": event["type"]} | event["data"]
        for event in account.events()
        if event["type"].startswith("guest.") or event["type"] == "message.received"
    ]


def kinds(account: TestAccount) -> list[str]:
    return [event["event"] for event in guest_events(account)]


def texts(account: TestAccount, number: str = GUEST) -> list[str]:
    """The event's texts on the guest's phone, oldest first."""
    shown = account.get(f"/sandbox/v1/phones/{number}").json()["data"]["messages"]
    return [one["text"] for one in shown if one["direction"] == "out" and one["type"] == "text"]


def state(account: TestAccount, cid: str = "invite-0001") -> str:
    found: str = account.status(cid)["invitation"]["state"]
    return found


def require_refused(
    answer: httpx.Response, code: str, status: int = 400, field: str | None = None
) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert error["code"] == code, answer.text
    if field is not None:
        assert error["field"] == field, answer.text
    return error
