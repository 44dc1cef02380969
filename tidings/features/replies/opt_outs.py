"""Opt-out and opt-in: by a reply to us, or by the platform's marketing button (6.2, contract.md).

Stop and start words count only as the whole message. A stop word is not also an answer, so a guest
account gets one event for it. A start word of a guest who has not opted out is an ordinary message.
The platform's button is only about marketing; it is applied as an opt-out of all messages except
passcodes, and published once, with `source` `platform`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages.read import lookup
from tidings.features.recipients import contacts
from tidings.features.recipients.events import OPTED_IN, OPTED_OUT, PreferenceData
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.whatsapp.callbacks import MarketingPreference

from . import events
from .model import Guest, GuestReply
from .reading.words import is_start, is_stop
from .slices import in_slices

REPLY_SOURCE = "reply"
WRITTEN = frozenset({"text", "button", "interactive"})  # a caption is never a whole message


async def apply_replies(tx: Tx, replies: Sequence[GuestReply]) -> dict[tuple[UUID, str], EventKind]:
    """By reply, the kind of its event. Of several requests of one guest the last one counts."""
    requests = {}
    async for reply in in_slices(replies):
        kind = _requested(reply)
        if kind is not None:
            requests[reply.key] = kind
    if not requests:
        return {}
    requesting = [reply for reply in replies if reply.key in requests]
    known = await contacts.load(tx, sorted({reply.guest for reply in requesting}))
    was_out = {guest for guest, contact in known.items() if contact.opted_out_at is not None}
    kinds: dict[tuple[UUID, str], EventKind] = {}
    since: dict[Guest, datetime | None] = {}  # None: wants messages
    for reply in requesting:
        is_out = since[reply.guest] is not None if reply.guest in since else reply.guest in was_out
        if requests[reply.key] is OPTED_OUT:
            kinds[reply.key], since[reply.guest] = OPTED_OUT, reply.item.at
        elif is_out:
            kinds[reply.key], since[reply.guest] = OPTED_IN, None
    await contacts.opt_out(tx, [(*guest, at, REPLY_SOURCE) for guest, at in since.items() if at])
    await contacts.opt_in(tx, [guest for guest, at in since.items() if at is None])
    return kinds


async def build_events(
    tx: Tx, replies: Sequence[GuestReply], requests: Mapping[tuple[UUID, str], EventKind]
) -> dict[tuple[UUID, str], Event]:
    """By reply: guest.opted_out, guest.opted_in. They concern the account and go to its address; if
    it has none, to that of the event whose message the guest got last."""
    requesting = [reply for reply in replies if reply.key in requests]
    without_url = [reply.guest for reply in requesting if reply.account.webhook_url is None]
    last = await lookup.find_last_sent(tx, without_url)
    kinds = {}
    for reply in requesting:
        named = (message.event_id for message in last.get(reply.guest, []) if message.event_id)
        kinds[reply.key] = Event(
            account=reply.account,
            kind=requests[reply.key],
            at=reply.item.at,
            data=events.preference_data(reply),
            event_id=next(named, None),
        )
    return kinds


def _requested(reply: GuestReply) -> EventKind | None:
    item = reply.item
    if item.type not in WRITTEN or not item.text or not item.from_:
        return None
    if is_stop(item.text):
        return OPTED_OUT
    return OPTED_IN if is_start(item.text) else None


PLATFORM_SOURCE = "platform"


async def apply_preferences(
    tx: Tx, preferences: Sequence[tuple[UUID, MarketingPreference]]
) -> None:
    """The latest preference of each person counts."""
    latest: dict[Guest, MarketingPreference] = {}
    for account_id, preference in sorted(preferences, key=lambda item: item[1].at):
        latest[account_id, preference.person] = preference
    stop = [
        (*key, min(preference.at, tx.now), PLATFORM_SOURCE)
        for key, preference in latest.items()
        if not preference.wanted
    ]
    resume = [key for key, preference in latest.items() if preference.wanted]
    await _publish(tx, OPTED_OUT, await contacts.opt_out(tx, stop))
    await _publish(tx, OPTED_IN, await contacts.opt_in(tx, resume))


async def _publish(tx: Tx, kind: EventKind, people: set[Guest]) -> None:
    if not people:
        return
    accounts = await load_accounts(tx, {account_id for account_id, _ in people})
    await publish(
        tx, [_event(accounts[one], kind, person, tx.now) for one, person in sorted(people)]
    )


def _event(account: Account, kind: EventKind, person: str, real_now: datetime) -> Event:
    at = account.now(real_now)
    return Event(account, kind, at, PreferenceData(from_=person, source="platform"))
