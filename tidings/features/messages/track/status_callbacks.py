"""Record the statuses that the platform reports about messages we sent (6.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import recall_accounts
from tidings.platforms.port import Failure, StatusKind, StatusUpdate

from .. import spans
from ..model import DONE_SENDING, Message, Status
from ..read import lookup_store
from ..send.dispatch import SENDING_POOLS
from ..send.send_ids import own_id
from ..state import changes, counts, store
from ..state.changes import Changes
from ..state.recall import recall


@dataclass(frozen=True, slots=True)
class StatusCallback:
    account_id: UUID
    status: StatusUpdate
    may_wait: bool = False  # until the send is recorded that it is about


async def record_statuses(
    ctx: Context, tx: Tx, callbacks: Sequence[StatusCallback], *, load_all: bool = False
) -> set[int]:
    """In any order, repeated, or about messages that are not ours: each is published once.

    Messages that this process wrote last are not loaded, unless `load_all`. It raises `Overtaken`
    if one of them has changed. Returns the positions of the callbacks that have to come again.
    """
    started_at = None if ctx.tracer is None else ctx.tracer.now()
    keys = await _find_keys(tx, callbacks)
    recalled = {} if load_all else _recall(ctx, callbacks, keys)
    messages = await store.load(
        tx, sorted({key for key in keys if key is not None and key not in recalled})
    )
    accounts = await recall_accounts(tx, {callback.account_id for callback in callbacks})
    unknown = [message for message in messages.values() if message.unknown_since is not None]
    found = Changes(accounts, store.REPORTED)
    messages |= {key: found.add_recalled(before) for key, before in recalled.items()}
    if any(key not in messages for key in keys):
        # Perhaps the number has another account by now: have that checked, if nothing is written.
        await tx.begin()
    early: set[int] = set()
    errors: list[tuple[str, Failure]] = []
    for position, (callback, key) in enumerate(zip(callbacks, keys, strict=True)):
        message = messages.get(key) if key is not None else None
        if message is not None and callback.may_wait and _is_being_sent(message):
            early.add(position)
        elif message is not None:
            if key not in recalled:
                found.add(message)
            found.report(message, callback.status)
            if callback.status.failure is not None:
                environment = accounts[callback.account_id].environment
                errors.append((environment, callback.status.failure))
    await changes.apply(ctx, tx, found)
    if errors:
        tx.after_commit(lambda: counts.count_platform_errors(ctx, "status", errors))
    if ctx.tracer is not None and started_at is not None:
        traced = [
            (messages[key], callback.status)
            for n, (callback, key) in enumerate(zip(callbacks, keys, strict=True))
            if key is not None and key in messages and n not in early
        ]
        tx.after_commit(partial(spans.reported, ctx.tracer, traced, started_at))
    # These jobs would only check again whether the message was sent.
    settled = [(m.account_id, m.id.hex) for m in unknown if m.status in DONE_SENDING]
    await queue.cancel(tx, SENDING_POOLS, settled)
    return early


def _is_being_sent(message: Message) -> bool:
    """Another process has called the platform and is about to record the response."""
    return message.status is Status.SENDING and message.unknown_since is None


def _recall(
    ctx: Context, callbacks: Sequence[StatusCallback], keys: Sequence[store.Key | None]
) -> dict[store.Key, Message]:
    reported: dict[store.Key, list[StatusKind]] = {}
    for callback, key in zip(callbacks, keys, strict=True):
        if key is not None:
            reported.setdefault(key, []).append(callback.status.status)
    found = {key: recall(ctx, key, statuses) for key, statuses in reported.items()}
    return {key: message for key, message in found.items() if message is not None}


async def _find_keys(tx: Tx, callbacks: Sequence[StatusCallback]) -> list[store.Key | None]:
    """By our own id where the callback carries it, else by the platform's."""
    own_ids = [own_id(callback.status.send_id) for callback in callbacks]
    others = [
        (callback.account_id, callback.status.platform_id)
        for callback, own in zip(callbacks, own_ids, strict=True)
        if own is None
    ]
    found = await lookup_store.find_by_platform_id(tx, others) if others else {}
    keys: list[store.Key | None] = []
    for callback, own in zip(callbacks, own_ids, strict=True):
        message_id = own or found.get((callback.account_id, callback.status.platform_id))
        keys.append(None if message_id is None else (callback.account_id, message_id))
    return keys
