"""`tidings trigger`: an example of an event, sent to a sandbox account the way real ones are."""

import asyncio

from tidings.cli import client
from tidings.cli.database import opened
from tidings.cli.named import load_account
from tidings.cli.output import print_json, say
from tidings.cli.refusal import Refused
from tidings.cli.runner import load_settings, mendable
from tidings.engine.db.tx import Tx
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.trigger import require_kind
from tidings.features.webhooks.trigger import trigger as trigger_for
from tidings.routes import EVENTS


def trigger_event(
    kind: str, *, key: str | None, account: str | None, url: str, as_json: bool
) -> None:
    with mendable():
        found = require_kind({one.name: one for one in EVENTS}, kind)
        work = _in_database(found, account) if account else _by_api(kind, url, key)
        webhook_id = asyncio.run(work)
    if as_json:
        print_json({"webhookId": webhook_id, "type": kind})
    else:
        say(f"{kind} {webhook_id}")


async def _by_api(kind: str, url: str, key: str | None) -> str:
    async with client.session(url, key) as session:
        told = await client.answer(
            session.post(f"{url.rstrip('/')}/sandbox/v1/webhooks", json={"type": kind})
        )
        return str(told["webhookId"])


async def _in_database(kind: EventKind, name: str) -> str:
    async def work(tx: Tx) -> str:
        account = await load_account(tx, name)
        if not account.is_sandbox:
            raise Refused(f"{name} is a live account: it is told only what has happened.")
        return await trigger_for(tx, account.id, kind)

    async with opened(load_settings()) as db:
        return await db.transact(work)
