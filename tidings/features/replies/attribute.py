"""Attribute replies to our messages by what the reply itself names: a button, or a quote."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup

from .model import About, GuestReply, How

Found = dict[tuple[UUID, str], Message]


async def find_abouts(tx: Tx, replies: Sequence[GuestReply]) -> dict[tuple[UUID, str], About]:
    """By reply. A quote carries the message's id; a button's payload is its clientMessageId, unless
    the sender set another."""
    quoted = await lookup.find_quoted(
        tx, [(r.account.id, r.item.quoted) for r in replies if r.item.quoted]
    )
    named = await lookup.find_named(
        tx,
        [
            (r.account.id, r.item.payload)
            for r in replies
            if r.item.payload and (r.account.id, r.item.quoted) not in quoted
        ],
    )
    abouts = {reply.key: _about(reply, quoted, named) for reply in replies}
    return {key: about for key, about in abouts.items() if about is not None}


def _about(reply: GuestReply, quoted: Found, named: Found) -> About | None:
    account_id, item = reply.account.id, reply.item
    pressed = item.payload is not None
    message = quoted.get((account_id, item.quoted or ""))
    if message is None and pressed:
        message = named.get((account_id, item.payload or ""))
    # A reply cannot be about a message to another recipient.
    if message is None or (item.from_ and message.recipient != item.from_):
        return None
    return About(message, How.BUTTON if pressed else How.QUOTED)
