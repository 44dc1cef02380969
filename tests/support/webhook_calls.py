"""Webhook management (section 4.12) as a customer calls it."""

from typing import Any

import httpx

from tests.support.live import patiently
from tests.support.service import TestAccount

ALL_SIX = 3 * 3600  # seconds: longer than all waits together
ONLY_SENT = "972500009001"  # one event a message


def send(account: TestAccount, cid: str = "order-0001", **more: Any) -> None:
    answer = account.send(clientMessageId=cid, to=ONLY_SENT, templateName="plain", **more)
    assert answer.status_code == 200, answer.text


def fail(account: TestAccount, *cids: str) -> list[dict[str, Any]]:
    """Send messages whose events run out of attempts; the failed list, newest first."""
    for cid in cids or ("order-0001",):
        send(account, cid)
    account.advance(seconds=ALL_SIX)
    return failed(account)


def failed(account: TestAccount, **query: Any) -> list[dict[str, Any]]:
    return _listed(account, "/webhooks/failed", query)


def retry(account: TestAccount, webhook_id: str) -> httpx.Response:
    return patiently(lambda: account.post(f"/webhooks/failed/{webhook_id}/retry"))


def feed(account: TestAccount, **query: Any) -> list[dict[str, Any]]:
    return _listed(account, "/webhooks/events", query)


def _listed(account: TestAccount, path: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    answer = account.get(path, params=query)
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data
