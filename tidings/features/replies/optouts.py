"""Guests who write that they want no more messages, or want them again (6.2, contract.md).

Stop and start words count where they are the whole message. A stop word is no answer besides, so
a guest account is told of it once; a start word of somebody who never stopped is an ordinary word.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.messages.read import lookup
from tidings.features.recipients import contacts
from tidings.features.recipients.events import OPTED_IN, OPTED_OUT
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.publish import Event

from . import events
from .model import Guest, Reply
from .reading.words import is_start, is_stop
from .slices import in_slices

SOURCE = "reply"
WRITTEN = frozenset({"text", "button", "interactive"})  # a caption is never a whole message


async def heed(tx: Tx, replies: Sequence[Reply]) -> dict[tuple[UUID, str], EventKind]:
    """By reply, what is to be told of it. Of several wishes of one guest the last one stands."""
    wishes = {}
    async for reply in in_slices(replies):
        wish = _wish(reply)
        if wish is not None:
            wishes[reply.key] = wish
    if not wishes:
        return {}
    asking = [reply for reply in replies if reply.key in wishes]
    known = await contacts.load(tx, sorted({reply.guest for reply in asking}))
    was_out = {guest for guest, contact in known.items() if contact.opted_out_at is not None}
    told: dict[tuple[UUID, str], EventKind] = {}
    since: dict[Guest, datetime | None] = {}  # None: wants messages
    for reply in asking:
        is_out = since[reply.guest] is not None if reply.guest in since else reply.guest in was_out
        if wishes[reply.key] is OPTED_OUT:
            told[reply.key], since[reply.guest] = OPTED_OUT, reply.item.at
        elif is_out:
            told[reply.key], since[reply.guest] = OPTED_IN, None
    await contacts.opt_out(tx, [(*guest, at, SOURCE) for guest, at in since.items() if at])
    await contacts.opt_in(tx, [guest for guest, at in since.items() if at is None])
    return told


async def tell(
    tx: Tx, replies: Sequence[Reply], wishes: Mapping[tuple[UUID, str], EventKind]
) -> dict[tuple[UUID, str], Event]:
    """By reply: guest.opted_out, guest.opted_in. They are about the account and go to its address;
    where it has none, to that of the event the guest heard from last."""
    asking = [reply for reply in replies if reply.key in wishes]
    astray = [reply.guest for reply in asking if reply.account.webhook_url is None]
    last = await lookup.find_last_sent(tx, astray)
    told = {}
    for reply in asking:
        named = (message.event_id for message in last.get(reply.guest, []) if message.event_id)
        told[reply.key] = Event(
            account=reply.account,
            kind=wishes[reply.key],
            at=reply.item.at,
            data=events.preference_data(reply),
            event_id=next(named, None),
        )
    return told


def _wish(reply: Reply) -> EventKind | None:
    item = reply.item
    if item.type not in WRITTEN or not item.text or not item.from_:
        return None
    if is_stop(item.text):
        return OPTED_OUT
    return OPTED_IN if is_start(item.text) else None
