"""Record the statuses that the platform reports about messages we sent (6.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.platforms.port import StatusUpdate

from ..model import DONE_SENDING
from ..read import lookup_store
from ..send.dispatch import SENDING_POOLS
from ..state import changes, store
from ..state.changes import Changes


@dataclass(frozen=True, slots=True)
class StatusCallback:
    account_id: UUID
    status: StatusUpdate


async def record_statuses(ctx: Context, tx: Tx, callbacks: Sequence[StatusCallback]) -> None:
    """In any order, repeated, or about messages that are not ours: each is published once."""
    keys = await _find_keys(tx, callbacks)
    messages = await store.load(tx, sorted({key for key in keys if key is not None}))
    accounts = await load_accounts(tx, {callback.account_id for callback in callbacks})
    unknown = [message for message in messages.values() if message.unknown_since is not None]
    found = Changes(accounts, store.REPORTED)
    for callback, key in zip(callbacks, keys, strict=True):
        message = messages.get(key) if key is not None else None
        if message is not None:
            found.add(message)
            found.report(message, callback.status)
    await changes.apply(ctx, tx, found)
    # These jobs would only check again whether the message was sent.
    settled = [(m.account_id, m.id.hex) for m in unknown if m.status in DONE_SENDING]
    await queue.cancel(tx, SENDING_POOLS, settled)


async def _find_keys(tx: Tx, callbacks: Sequence[StatusCallback]) -> list[store.Key | None]:
    """By our own id where the callback carries it, else by the platform's."""
    own_ids = [_own_id(callback.status.send_id) for callback in callbacks]
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


def _own_id(send_id: str | None) -> UUID | None:
    """The message of `<message uuid>.<generation>`; None if the id is not in that format."""
    text = (send_id or "").partition(".")[0]
    try:
        return UUID(hex=text) if len(text) == 32 else None
    except ValueError:
        return None
