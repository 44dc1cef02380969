"""`tidings trigger` and `tidings webhooks catalogue`: examples of events."""

import asyncio

from tidings.cli import client
from tidings.cli.database import load_account, opened
from tidings.cli.output import Refused, print_json, say, write_data
from tidings.cli.runner import load_settings, reported_errors
from tidings.engine.db.tx import Tx
from tidings.features.webhooks import event_page
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.trigger import require_kind
from tidings.features.webhooks.trigger import trigger as trigger_for
from tidings.routes import EVENTS


def trigger_event(
    kind: str, *, key: str | None, account: str | None, url: str, as_json: bool
) -> None:
    """Deliver an example event to a sandbox account like a real one, and print its id."""
    with reported_errors():
        found = require_kind({one.name: one for one in EVENTS}, kind)
        work = _in_database(found, account) if account else _by_api(kind, url, key)
        webhook_id = asyncio.run(work)
    if as_json:
        print_json({"webhookId": webhook_id, "type": kind})
    else:
        say(f"{kind} {webhook_id}")


async def _by_api(kind: str, url: str, key: str | None) -> str:
    async with client.session(url, key) as session:
        data = await client.read_data(
            session.post(f"{url.rstrip('/')}/sandbox/v1/webhooks", json={"type": kind})
        )
        return str(data["webhookId"])


async def _in_database(kind: EventKind, name: str) -> str:
    async def work(tx: Tx) -> str:
        account = await load_account(tx, name)
        if not account.is_sandbox:
            raise Refused(f"{name} is a live account: it receives only events that happened.")
        return await trigger_for(tx, account.id, kind)

    async with opened(load_settings()) as db:
        return await db.transact(work)


def print_catalogue() -> None:
    write_data(event_page.page(EVENTS))
