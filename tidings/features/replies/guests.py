"""Guest accounts: replies are answers to invitations (contract.md, "Replies").

Each reply is matched to its invitation, changes it, and publishes exactly one guest.* event; texts
to the guest and timers are jobs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.events import invitation_states, invitations
from tidings.features.events.lookup import load_events
from tidings.features.events.model import Event as Registered
from tidings.features.events.model import Invitation, Unclear
from tidings.features.messages.read import lookup
from tidings.features.webhooks.publish import Event

from . import events, rules, timers
from .inbound_media import media_url as find_media_url
from .model import About, Candidate, Guest, GuestReply, Match, Slot
from .reading.reader import Previous
from .second_opinion.jobs import ask_about
from .second_opinion.rules import is_worth_asking
from .slices import in_slices

Abouts = Mapping[tuple[UUID, str], About]
Published = dict[tuple[UUID, str], Event]
Heard = dict[tuple[UUID, str], rules.Spoken]


@dataclass(slots=True)
class _Batch:
    """A batch of replies, their guests' invitations, and the resulting changes, jobs and events."""

    candidates: dict[Guest, list[Candidate]]
    events: dict[tuple[UUID, str], Registered]
    changed: dict[UUID, Invitation] = field(default_factory=dict)
    jobs: list[NewJob] = field(default_factory=list)
    published: Published = field(default_factory=dict)


async def hear_all(replies: Sequence[GuestReply], abouts: Abouts) -> Heard:
    """By reply, its words. CPU work: done before rows are locked, yielding to the event loop."""
    heard: Heard = {}
    async for reply in in_slices(replies):
        if reply.account.replies == "guest" and rules.speaks(reply.item):
            heard[reply.key] = rules.hear_reply(reply.item, abouts.get(reply.key))
    return heard


async def answer(
    ctx: Context, tx: Tx, replies: Sequence[GuestReply], abouts: Abouts, heard: Heard
) -> Published:
    """By reply: its guest.* event."""
    if not replies:
        return {}
    candidates = await _load_candidates(tx, replies, abouts)
    named = [
        (one.invitation.account_id, one.invitation.event_id)
        for each in candidates.values()
        for one in each
        if one.invitation.event_id is not None
    ]
    batch = _Batch(candidates, await load_events(tx, named))
    for reply in replies:
        match = _match(reply, abouts.get(reply.key), heard.get(reply.key), batch)
        batch.published[reply.key] = _take(ctx, tx, match, batch)
    await invitations.save(tx, list(batch.changed.values()))
    await queue.enqueue(tx, batch.jobs)
    return batch.published


async def _load_candidates(
    tx: Tx, replies: Sequence[GuestReply], abouts: Abouts
) -> dict[Guest, list[Candidate]]:
    """The last invitations of these guests, open or ended, and those the replies name."""
    guests = sorted({reply.guest for reply in replies if reply.item.from_})
    of_guest = await invitations.lock_of_guests(tx, guests)
    found = {(one.account_id, one.message_id): one for each in of_guest.values() for one in each}
    named = [
        (reply.account.id, invitation_id)
        for reply in replies
        if (about := abouts.get(reply.key)) is not None
        and (invitation_id := rules.invitation_of(about.message)) is not None
        and (reply.account.id, invitation_id) not in found
    ]
    found |= await invitations.lock(tx, named)
    messages = await lookup.find_messages(tx, found)
    candidates: dict[Guest, list[Candidate]] = {}
    for key, invitation in found.items():
        guest = (invitation.account_id, invitation.phone)
        candidates.setdefault(guest, []).append(Candidate(invitation, messages[key]))
    return candidates


def _match(
    reply: GuestReply, about: About | None, spoken: rules.Spoken | None, batch: _Batch
) -> Match:
    message = None if about is None else about.message
    if spoken is None:
        return Match(reply, rules.SILENT, Slot.NONE, message)
    guest = (
        reply.guest
        if reply.item.from_ or message is None
        else (reply.account.id, message.recipient)
    )
    precision = reply.account.reader_precision
    found, slot = rules.choose(batch.candidates.get(guest, []), about, reply.item.at)
    if found is None:
        reading = rules.understand(spoken, Previous(), "nothing", precision)
        return Match(reply, reading, slot, message)
    invitation = found.invitation
    event = batch.events.get((invitation.account_id, invitation.event_id or ""))
    previous = Previous(invitation.answer, invitation.guests)
    asked = rules.asked_before(invitation, event)
    reading = rules.understand(spoken, previous, asked, precision)
    return Match(reply, reading, slot, found.message, invitation)


def _take(ctx: Context, tx: Tx, match: Match, batch: _Batch) -> Event:
    reply, invitation, reading = match.reply, match.invitation, match.reading
    media_url = find_media_url(ctx, reply)
    kind = events.MESSAGE
    if invitation is not None:
        now = reply.account.now(tx.now)
        verdict = invitation_states.replied(
            invitation, reading.answer, reading.guests, reply.item.at, now
        )
        kind = events.BY_NAME[verdict.event]
        batch.changed[invitation.message_id] = invitation
        confidence = round(reading.confidence, 2)
        invitation_states.remember_reply(
            invitation, verdict.event, reply.item.text, confidence, reply.item.at
        )
        if verdict.event in (
            invitation_states.ReplyEvent.CONFIRMED,
            invitation_states.ReplyEvent.DECLINED,
        ):
            _share(invitation, batch)
        if verdict.event is invitation_states.ReplyEvent.INVALID:
            unclear = Unclear(reply.item.sender, events.unclear(match, media_url))
            invitation_states.remember_unclear(invitation, unclear)
        if ctx.reader is not None and is_worth_asking(reply.account, reply.item, verdict.event):
            verdict = invitation_states.defer_prompt(invitation, verdict)
            batch.jobs.append(ask_about(tx, reply, invitation))
        _follow(tx, match, invitation, verdict, batch)
    return Event(
        account=reply.account,
        kind=kind,
        at=reply.item.at,
        data=events.guest_data(match, media_url),
        message_id=None if match.message is None else match.message.id,
        event_id=None if match.message is None else match.message.event_id,
    )


def _share(invitation: Invitation, batch: _Batch) -> None:
    """The answer is to the event: copy it to the guest's other invitations of it."""
    candidates = batch.candidates[invitation.account_id, invitation.phone]
    for other in invitation_states.share(invitation, [each.invitation for each in candidates]):
        batch.changed[other.message_id] = other


def _follow(
    tx: Tx, match: Match, invitation: Invitation, verdict: invitation_states.Verdict, batch: _Batch
) -> None:
    """Enqueue the text to the guest, and the timers of the invitation."""
    reply = match.reply
    event = batch.events.get((invitation.account_id, invitation.event_id or ""))
    if verdict.text is not None:
        prompt = timers.prompt(tx, reply.account, invitation, verdict.text, reply.item.sender)
        batch.jobs.append(prompt)
    if verdict.watch:
        batch.jobs += timers.watch(reply.account, invitation, event, reply.item.at)
