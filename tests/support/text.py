"""POST /messages/text as tests write it: a sound request to spoil, and how a refusal is checked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tests.support.clock import STANDING
from tests.support.service import GUEST, TestAccount

CID = "order-0001"
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
    tables = (
        "messages",
        "idempotency_keys",
        "contacts",
        "conversations",
        "webhooks",
        "jobs",
        "inbound",
    )
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


def wire(timestamp: datetime) -> str:
    return timestamp.astimezone(UTC).isoformat().replace("+00:00", "Z")


def ahead(**delta: float) -> str:
    return wire(STANDING.now() + timedelta(**delta))


def phone(account: TestAccount, number: str = GUEST) -> list[dict[str, Any]]:
    data = account.get(f"/sandbox/v1/phones/{number}").json()["data"]
    messages: list[dict[str, Any]] = data["messages"]
    return messages


def received(account: TestAccount, cid: str = CID) -> list[str]:
    """The events of a message in short: its statuses, and the reasons why it waited."""
    mine = [
        event["data"] for event in account.events() if event["data"].get("clientMessageId") == cid
    ]
    return [data.get("status") or data["reason"] for data in mine]
