"""A passcode is known only on its way (4.2): opened to be sent, erased at the end."""

from collections.abc import Iterable
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx

from .model import Kind, Message
from .states import WAITING, Status


async def open_codes(ctx: Context, tx: Tx, messages: Iterable[Message]) -> dict[UUID, str]:
    keys = [(m.account_id, m.id.hex) for m in messages if m.kind == Kind.PASSCODE]
    if not keys:
        return {}
    opened = await ctx.vault.open(tx, keys)
    return {UUID(hex=subject): secret.reveal() for (_, subject), secret in opened.items()}


def is_over(message: Message) -> bool:
    return message.status not in WAITING and message.status is not Status.SENDING


async def forget_ended(ctx: Context, tx: Tx, messages: Iterable[Message]) -> None:
    """In the transaction that ends a passcode, its code is erased."""
    await forget(ctx, tx, [message for message in messages if is_over(message)])


async def forget(ctx: Context, tx: Tx, messages: Iterable[Message]) -> None:
    passcodes = [(m.account_id, m.id.hex) for m in messages if m.kind == Kind.PASSCODE]
    if passcodes:
        await ctx.vault.erase(tx, passcodes)
