"""Raw accounts: every reply verbatim, with what it may be about (6.2 message.received)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.messages.read import lookup
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import Event

from . import events
from .inbound_media import media_url
from .model import About, GuestReply


async def build_events(
    ctx: Context, tx: Tx, replies: Sequence[GuestReply], abouts: Mapping[tuple[UUID, str], About]
) -> dict[tuple[UUID, str], Event]:
    """By reply: its message.received. Interpretation is the caller's."""
    people = sorted({reply.guest for reply in replies if reply.item.from_})
    if not replies:
        return {}
    last = await lookup.find_last_sent(tx, people)
    known = await contacts.load(tx, people) if people else {}
    built = {}
    for reply in replies:
        about, outbound = abouts.get(reply.key), last.get(reply.guest, [])
        last_inbound = known[reply.guest].last_inbound if reply.guest in known else {}
        data = events.received_data(
            reply, about, outbound, last_inbound.get(reply.item.sender), media_url(ctx, reply)
        )
        message = about.message if about is not None else next(iter(outbound), None)
        built[reply.key] = Event(
            account=reply.account,
            kind=events.RECEIVED,
            at=reply.item.at,
            data=data,
            message_id=None if message is None else message.id,
            event_id=None if message is None else message.event_id,
        )
    return built
