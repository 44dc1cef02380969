"""What the platform tells us about messages we sent: status callbacks (6.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.port import StatusKind
from tidings.platforms.port import StatusUpdate as Reported

from ..model import LEFT_US, Message, Status
from ..read import lookup_store
from ..send.dispatch import SENDING_POOLS
from ..state import events as message_events
from ..state import side_effects, store, transitions

REACHED = frozenset({StatusKind.DELIVERED, StatusKind.READ})


@dataclass(frozen=True, slots=True)
class StatusCallback:
    """A status callback, and whose it is."""

    account_id: UUID
    status: Reported


async def record_statuses(ctx: Context, tx: Tx, reports: Sequence[StatusCallback]) -> None:
    """In any order, doubled, or about messages that are not ours: each news is told once."""
    keys = await _find(tx, reports)
    messages = await store.load(tx, sorted({key for key in keys if key is not None}))
    unnamed = [message for message in messages.values() if message.platform_id is None]
    accounts = await load_accounts(tx, {report.account_id for report in reports})
    changed: dict[UUID, Message] = {}
    events: list[Event] = []
    reached: list[tuple[UUID, str, datetime]] = []
    stopped: list[side_effects.OptOut] = []
    came_to: list[Status] = []
    unsure = [message for message in messages.values() if message.unknown_since is not None]
    for report, key in zip(reports, keys, strict=True):
        message = messages.get(key) if key is not None else None
        if message is None:
            continue
        status, account = report.status, accounts[report.account_id]
        changed[message.id] = message
        at = transitions.not_before(message, status.at)
        if transitions.reported(message, status.status, status.platform_id, at, status.failure):
            came_to.append(message.status)
            events.append(message_events.status(account, message, at))
            stopped += side_effects.opt_outs_of(message, account, at)
        if status.status in REACHED:
            reached.append((account.id, message.recipient, at))
    await store.save_reported(tx, list(changed.values()), unnamed)
    await contacts.mark_delivered(tx, reached)
    events += await side_effects.record_opt_outs(tx, stopped)
    await side_effects.apply(ctx, tx, accounts, changed.values())
    settled = [(m.account_id, m.id.hex) for m in unsure if m.status in LEFT_US]
    await queue.cancel(tx, SENDING_POOLS, settled)  # nobody need look whether an answer came
    await publish(tx, events)
    side_effects.count_statuses(ctx, tx, came_to)


async def _find(tx: Tx, reports: Sequence[StatusCallback]) -> list[store.Key | None]:
    """By our own id where the callback brings it, else by the platform's."""
    known = [_own_id(report.status.send_id) for report in reports]
    unknown = [
        (report.account_id, report.status.platform_id)
        for report, own in zip(reports, known, strict=True)
        if own is None
    ]
    found = await lookup_store.find_by_platform_id(tx, unknown) if unknown else {}
    keys: list[store.Key | None] = []
    for report, own in zip(reports, known, strict=True):
        message_id = own or found.get((report.account_id, report.status.platform_id))
        keys.append(None if message_id is None else (report.account_id, message_id))
    return keys


def _own_id(send_id: str | None) -> UUID | None:
    """The message of `<message uuid>.<generation>`; None for anything we never wrote."""
    text = (send_id or "").partition(".")[0]
    try:
        return UUID(hex=text) if len(text) == 32 else None
    except ValueError:
        return None
