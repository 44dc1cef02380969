"""Register an event, or replace its settings (4.10)."""

from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.number_selection import require_own
from tidings.features.webhooks import addresses

from . import counting, invitations, rules, store
from .model import Counts, Event, Settings


class Registered(msgspec.Struct, frozen=True):
    event: Event
    counts: Counts
    is_new: bool = False
    duplicate: bool = False


async def register(
    tx: Tx, account_id: UUID, event_id: str, settings: Settings, *, confirmed: bool
) -> Registered:
    """`confirmed`: the date may change although invitations were sent."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    now = account.now(tx.now)
    await _require_sender(tx, account_id, settings)
    event = Event(account_id, event_id, settings, now, now)
    if await store.insert(tx, event):
        rules.require_ahead(settings, None, now)
        await addresses.set_address(tx, account_id, event_id, settings.callback_url)
        return Registered(event, Counts(), is_new=True)
    before = await store.lock(tx, account_id, event_id)
    counts = await counting.load_counts(tx, account, event_id)
    if before.settings == settings:
        return Registered(before, counts, duplicate=True)
    rules.require_ahead(settings, before.settings, now)
    locked = counts.sent > 0
    rules.require_unlocked(settings, before.settings, locked=locked, confirmed=confirmed)
    event = Event(account_id, event_id, settings, before.created_at, now)
    await store.update(tx, event)
    await addresses.set_address(tx, account_id, event_id, settings.callback_url)
    if await invitations.move_ends(tx, account, before, event):
        await counting.forget(tx, account_id, event_id)
        counts = await counting.load_counts(tx, account, event_id)
    return Registered(event, counts)


async def _require_sender(tx: Tx, account_id: UUID, settings: Settings) -> None:
    sent_from = settings.defaults.sent_from
    if sent_from is not None:
        numbers = (await load_numbers(tx, [account_id])).get(account_id, [])
        require_own(numbers, sent_from, "defaults.sentFrom")
