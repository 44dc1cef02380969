"""Webhooks are written in the transaction they report on, with the job that delivers them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from tests.support.clock import ManualClock
from tests.support.database import Dsn, opened_database
from tidings.engine.db.pool import Database
from tidings.features.accounts.model import Account
from tidings.features.messages.state.events import DEFERRED, STATUS
from tidings.features.recipients.events import OPTED_OUT
from tidings.features.webhooks.addresses import set_address
from tidings.features.webhooks.destinations import DEFAULT
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.publish import Event, publish

OURS = UUID(int=1 << 64)
MESSAGE = UUID(int=7)


def account(**fields: Any) -> Account:
    values = {
        "id": OURS, "name": "acme", "environment": "sandbox", "replies": "guest", "active": True,
        "paused": False, "webhook_url": "https://acme.example/hook", "requests_per_minute": 600,
        "daily_limit": None, "default_template": None, "otp_template": None,
        "resend_unknown": False, "allowlist": None, "send_window": None, "billing_mode": "OFF",
        "belongs_to": None, "partner": None, "clock": timedelta(hours=1),
        "created_at": ManualClock().now(),
    }  # fmt: skip
    return Account(**values | fields)


SENT = msgspec.Raw(b'{"status":"sent"}')


def event(kind: EventKind = STATUS, *, of: Account | None = None, **fields: Any) -> Event:
    whose = of or account()
    at = whose.now(ManualClock().now())
    return Event(whose, kind, at, SENT, **{"message_id": MESSAGE} | fields)


@pytest.fixture
async def db(dsn: Dsn, clock: ManualClock) -> AsyncIterator[Database]:
    tables = ("jobs", "webhooks", "callback_urls")
    async with opened_database(dsn, clock, *tables, size=2) as db:
        yield db


async def stored(db: Database, table: str) -> list[dict[str, Any]]:
    order = "seq" if table == "webhooks" else "id"
    return [dict(row) for row in await db.rows(f"SELECT * FROM {table} ORDER BY {order}")]


async def test_an_event_is_kept_and_owed_at_once(db: Database) -> None:
    async with db.transaction() as tx:
        await publish(tx, [event()])
        assert tx.woken == {"webhooks", "feed"}
    [webhook], [job] = await stored(db, "webhooks"), await stored(db, "jobs")
    now = ManualClock().now()
    assert (webhook["state"], webhook["type"]) == ("pending", "message.status")
    assert webhook["created_at"] == now + timedelta(hours=1), "the account's own time"
    assert (job["subject"], job["due_at"]) == (webhook["id"], now)
    assert job["clock_ms"] == 3_600_000


async def test_an_account_without_an_address_loses_nothing(db: Database) -> None:
    await db.transact(lambda tx: publish(tx, [event(of=account(webhook_url=None))]))
    [webhook] = await stored(db, "webhooks")
    assert webhook["state"] == "waiting"
    assert await stored(db, "jobs") == []


async def test_a_registered_events_own_address_is_enough(db: Database) -> None:
    await db.transact(lambda tx: set_address(tx, OURS, "party", "https://acme.example/party"))
    published = event(of=account(webhook_url=None), event_id="party")
    await db.transact(lambda tx: publish(tx, [published]))
    [webhook] = await stored(db, "webhooks")
    assert (webhook["state"], webhook["event_id"]) == ("pending", "party")
    assert len(await stored(db, "jobs")) == 1


async def test_a_registered_event_without_an_address_of_its_own_has_the_accounts(
    db: Database,
) -> None:
    silent = account(webhook_url=None)
    published = [event(event_id="party"), event(of=silent, event_id="party")]
    await db.transact(lambda tx: publish(tx, published))
    assert [row["state"] for row in await stored(db, "webhooks")] == ["pending", "waiting"]
    assert [job["partition_key"] for job in await stored(db, "jobs")] == [DEFAULT]


async def test_webhooks_to_one_host_have_one_partition_key(db: Database) -> None:
    places = {
        "same": "https://acme.example:443/other", "port": "https://acme.example:8443/hook",
        "hall": "https://hall.example/1", "barn": "https://hall.example/2",
    }  # fmt: skip
    for name, url in places.items():
        await db.transact(lambda tx, name=name, url=url: set_address(tx, OURS, name, url))
    published = [event(event_id=name) for name in (None, *places)]
    ids = await db.transact(lambda tx: publish(tx, published))
    jobs = await stored(db, "jobs")
    own, same, port, hall, barn = (job["partition_key"] for job in jobs)
    assert own == same == DEFAULT
    assert port == "acme.example:8443"
    assert hall == barn == "hall.example:443"
    assert [job["subject"] for job in jobs] == ids


async def test_many_are_written_in_order_each_with_an_id_of_its_own(db: Database) -> None:
    kinds = [STATUS, DEFERRED, OPTED_OUT]
    silent = account(id=UUID(int=2 << 64), webhook_url=None)
    events = [event(kind, message_id=None) for kind in kinds] + [event(of=silent)]
    await db.transact(lambda tx: publish(tx, events))
    webhooks, jobs = await stored(db, "webhooks"), await stored(db, "jobs")
    assert [webhook["type"] for webhook in webhooks] == [kind.name for kind in [*kinds, STATUS]]
    assert len({webhook["id"] for webhook in webhooks}) == 4
    assert [job["subject"] for job in jobs] == [webhook["id"] for webhook in webhooks[:3]]


async def test_what_was_rolled_back_is_not_announced(db: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await publish(tx, [event()])
            raise ZeroDivisionError
    assert await stored(db, "webhooks") == await stored(db, "jobs") == []


async def test_no_event_writes_nothing(db: Database) -> None:
    async with db.transaction() as tx:
        await publish(tx, [])
        assert tx.woken == set()
