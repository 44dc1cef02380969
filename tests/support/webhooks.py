"""Webhooks: published without a message, run by hand, managed as a customer does, and compared
with the catalogue."""

import asyncio
import json
import time
from collections.abc import Iterable
from functools import cache
from typing import Any

import httpx
import msgspec
from jsonschema import Draft202012Validator

from tests.support.service import TestAccount
from tests.support.waiting import patiently, wait_for_feed
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.engine.queue.claim import Claimer, EqualShares
from tidings.engine.queue.claim_store import AccountJobs
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.events import HEALTH
from tidings.features.webhooks.publish import Event, publish
from tidings.routes import EVENTS


def publish_events(account: TestAccount, count: int = 1, **fields: Any) -> list[str]:
    """Publish so many events of an account at once; their webhook ids."""
    values = {"kind": HEALTH, "data": HEALTH.example} | fields

    async def work(tx: Tx) -> list[str]:
        whose = (await load_accounts(tx, [account.id]))[account.id]
        now = whose.now(tx.now)
        return await publish(tx, [Event(account=whose, at=now, **values) for _ in range(count)])

    return account.service.transact(work)


def claim(account: TestAccount) -> list[Job]:
    """What is due of the account's webhooks, as a worker would take it."""
    claimer = Claimer(AccountJobs(account.id, ["webhooks"]))
    claimed = account.service.transact(lambda tx: claimer.claim(tx, EqualShares(100)))
    return claimed.jobs


def run(account: TestAccount, jobs: list[Job]) -> None:
    executor = account.service.ctx.clock_executor

    async def work() -> None:
        await asyncio.gather(*executor.start(jobs, len(jobs)))

    account.service.call(work)


def outcomes(account: TestAccount) -> list[dict[str, Any]]:
    """Every webhook of the account with its state and attempts, in order."""
    rows = account.service.sql(
        "SELECT id, state, cycle, attempts FROM webhooks WHERE account_id = $1 ORDER BY seq",
        account.id,
    )
    return [row | {"attempts": json.loads(row["attempts"])} for row in rows]


def wait_for_states(
    account: TestAccount, *states: str, timeout: float = 30
) -> list[dict[str, Any]]:
    """As soon as all its webhooks are in one of these states."""
    end = time.monotonic() + timeout
    while True:
        found = outcomes(account)
        if all(row["state"] in states for row in found):
            return found
        assert time.monotonic() < end, [row["state"] for row in found]
        time.sleep(0.02)


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
    """What the catch-up feed has, with all that was written before."""
    wait_for_feed(account)
    return _listed(account, "/webhooks/events", query)


def _listed(account: TestAccount, path: str, query: dict[str, Any]) -> list[dict[str, Any]]:
    answer = account.get(path, params=query)
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data


BY_NAME = {kind.name: kind for kind in EVENTS}


def require_described(bodies: Iterable[dict[str, Any] | bytes]) -> None:
    """Every one of these webhook bodies is as the catalogue says.

    `require_described(account.events())`, or `[r.body for r in receiver.requests]`.
    """
    for body in bodies:
        event = body if isinstance(body, dict) else json.loads(body)
        assert set(event) == {"id", "type", "createdAt", "environment", "accountId", "data"}, event
        _require_shape(event["type"], event["data"])


def _require_shape(kind: str, data: dict[str, Any]) -> None:
    faults = [f"{fault.json_path} {fault.message}" for fault in _validator(kind).iter_errors(data)]
    assert not faults, f"{kind} has {faults}: {data}"


@cache
def _validator(kind: str) -> Draft202012Validator:
    """Of the documented schema, with no fields beside those it names."""
    schema = msgspec.json.schema(BY_NAME[kind].data)
    for struct in schema["$defs"].values():
        struct["additionalProperties"] = False
    return Draft202012Validator(schema)


def require_kinds(account: TestAccount, *kinds: str) -> None:
    """These kinds were published, and every event matches the catalogue."""
    bodies = account.events()
    require_described(bodies)
    missing = set(kinds) - {body["type"] for body in bodies}
    assert not missing, f"{missing} were not published"
