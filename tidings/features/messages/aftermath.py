"""What follows when messages have changed, in the transaction that changed them.

Every verb that moves messages ends here, so that no end of a message is forgotten by one of them:
its code is erased, its unused place freed, its batch counted, its time-out watched.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import batching, places, secrecy, timeouts
from .model import Message


async def follow(
    ctx: Context, tx: Tx, accounts: Mapping[UUID, Account], changed: Iterable[Message]
) -> None:
    """In the order of locks. The messages are saved already."""
    messages = list(changed)
    if not messages:
        return
    await places.give_back_unused(tx, messages)
    await secrecy.forget_ended(ctx, tx, messages)
    await timeouts.watch(tx, accounts, timeouts.of(messages))
    await batching.announce(tx, accounts, batching.left(messages))
