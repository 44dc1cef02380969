"""Messages from guests (4.10, 6.2): stored once; each opens a window and publishes its event.

Raw accounts receive every reply verbatim. In guest accounts a reply is an answer to an invitation,
an opt-out or opt-in, or a message; exactly one of these.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.feedback.answers.receive import receive as receive_forms
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import publish
from tidings.platforms.port import InboundMessage

from . import guests, opt_outs, raw, store
from .attribute import find_abouts
from .model import GuestReply

NO_CONTENT = frozenset({"system"})  # sent by the platform, not the guest: opens no window


async def receive(ctx: Context, tx: Tx, inbound: Sequence[tuple[UUID, InboundMessage]]) -> None:
    """Lock order: contacts, invitations, jobs and outbox."""
    replies = await _insert_new(tx, inbound)
    if not replies:
        return
    abouts = await find_abouts(tx, replies)
    heard = await guests.hear_all(replies, abouts)
    await _open_windows(tx, replies)
    preferences = await opt_outs.apply_replies(tx, replies)
    forms = [(reply.account, reply.item) for reply in replies if reply.item.form is not None]
    submitted = await receive_forms(tx, forms) if forms else set()
    events = await raw.build_events(
        ctx, tx, [r for r in replies if r.account.replies == "raw"], abouts
    )
    answering = _answering(replies, preferences, submitted)
    events |= await guests.answer(ctx, tx, answering, abouts, heard)
    opted = await opt_outs.build_events(tx, replies, preferences) if preferences else {}
    pairs = [(events.get(reply.key), opted.get(reply.key)) for reply in replies]
    await publish(tx, [event for pair in pairs for event in pair if event is not None])


def _answering(
    replies: Sequence[GuestReply],
    preferences: Mapping[tuple[UUID, str], object],
    submitted: set[str],
) -> list[GuestReply]:
    """Replies that are neither opt-outs nor submitted forms."""
    return [
        reply
        for reply in replies
        if reply.account.replies == "guest"
        and reply.key not in preferences
        and reply.item.platform_id not in submitted
    ]


async def _insert_new(tx: Tx, inbound: Sequence[tuple[UUID, InboundMessage]]) -> list[GuestReply]:
    """New messages (the platform repeats callbacks), in the order they were written."""
    new = await store.insert(tx, inbound)
    accounts = await load_accounts(tx, {account_id for account_id, _ in inbound})
    replies: dict[tuple[UUID, str], GuestReply] = {}
    for account_id, item in inbound:
        key = (account_id, item.platform_id)
        if key in new and key not in replies:
            replies[key] = GuestReply(accounts[account_id], item)
    return sorted(replies.values(), key=lambda reply: reply.item.at)


async def _open_windows(tx: Tx, replies: Sequence[GuestReply]) -> None:
    inbound = [
        (reply.account.id, reply.item.from_, reply.item.sender, reply.item.at)
        for reply in replies
        if reply.item.type not in NO_CONTENT and reply.item.from_
    ]
    if inbound:
        await contacts.record_inbound(tx, inbound)
