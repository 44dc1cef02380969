"""What follows when messages have changed, in the transaction that changed them.

Every verb that moves messages ends here, so that no end of a message is forgotten by one of them:
its code is erased, its unused place freed, its charge settled or refunded, its batch counted, its
time-out watched.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.billing.charging import resolve
from tidings.features.billing.charging.resolve import EndedMessage
from tidings.features.events import invitations

from . import batching, fates, places, secrecy, timeouts
from .model import Message


async def follow(
    ctx: Context, tx: Tx, accounts: Mapping[UUID, Account], changed: Iterable[Message]
) -> None:
    """In the order of locks. The messages are saved already."""
    messages = list(changed)
    if not messages:
        return
    await places.give_back_unused(tx, accounts, messages)
    await secrecy.forget_ended(ctx, tx, messages)
    await invitations.mark(tx, fates.of(messages))
    await _settle_charges(tx, accounts, messages)
    await timeouts.watch(tx, accounts, timeouts.of(messages))
    await batching.announce(tx, accounts, batching.left(messages))


async def _settle_charges(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> None:
    charged = [message for message in messages if message.charge is not None]
    await resolve.settle(
        tx,
        [
            EndedMessage(m.account_id, m.id, m.recipient, m.delivered_at)
            for m in charged
            if m.delivered_at is not None and m.refunded_at is None
        ],
    )
    await resolve.refund(
        tx,
        accounts,
        [
            EndedMessage(m.account_id, m.id, m.recipient, m.refunded_at)
            for m in charged
            if m.refunded_at is not None
        ],
    )
