"""What follows when messages have changed, in the transaction that changed them.

Every verb that moves messages ends here, so that no end of a message is forgotten by one of them:
its code is erased, its unused place freed, its charge settled or refunded, its batch counted, its
time-out watched.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.billing.charging import resolve
from tidings.features.billing.charging.resolve import EndedMessage
from tidings.features.events import invitations
from tidings.features.events.invitations import Fate
from tidings.features.events.model import Invitation
from tidings.features.recipients import contacts
from tidings.features.recipients.events import OPTED_OUT, PreferenceData
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Unused
from tidings.features.webhooks.publish import Event

from ..model import LEFT_US, REFUNDED, WAITING, Message, MessageKind, Status
from . import timers
from .timers import schedule_move_up


async def apply(
    ctx: Context, tx: Tx, accounts: Mapping[UUID, Account], changed: Iterable[Message]
) -> None:
    """In the order of locks. The messages are saved already."""
    messages = list(changed)
    if not messages:
        return
    await release_unused_quota(tx, accounts, messages)
    await erase_ended_passcodes(ctx, tx, messages)
    await invitations.mark(tx, invitation_fates(messages))
    await _settle_charges(tx, accounts, messages)
    await timers.schedule_timeouts(tx, accounts, timers.timeouts_of(messages))
    await timers.schedule_batch_progress(tx, accounts, timers.batches_left(messages))


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


def new_invitations(accepted: Iterable[tuple[Message, bool]]) -> list[Invitation]:
    """The invitations among accepted messages, each with whether it takes its end from its event.
    One that failed at once reaches nobody."""
    return [
        invitation(m, m.expires_at, ends_with_event=ends_with_event)
        for m, ends_with_event in accepted
        if m.kind == MessageKind.INVITATION
        and m.expires_at is not None
        and m.status is not Status.FAILED
    ]


def invitation(
    message: Message, expires_at: datetime, *, ends_with_event: bool = False
) -> Invitation:
    """As it stands before anything has happened to it."""
    return Invitation(
        message.account_id,
        message.id,
        message.recipient,
        expires_at,
        message.event_id,
        ends_with_event=ends_with_event,
    )


def invitation_fates(messages: Iterable[Message]) -> list[Fate]:
    """That they went out, or never will."""
    return [
        ((m.account_id, m.id), m.sent_at, m.status in REFUNDED)
        for m in messages
        if m.kind == MessageKind.INVITATION and m.status in LEFT_US
    ]


def sent_invitations(sent: Iterable[tuple[Message, datetime]]) -> list[Fate]:
    """Of messages that the platform has just taken, and when."""
    return [((m.account_id, m.id), at, False) for m, at in sent if m.kind == MessageKind.INVITATION]


MARKETING_STOPPED = 131050


OPT_OUT_SOURCE = "platform"


class OptOut(msgspec.Struct, frozen=True):
    account: Account
    phone: str
    at: datetime  # the account's time


def opt_outs_of(message: Message, account: Account, at: datetime) -> list[OptOut]:
    """Of a message that has just failed, and why."""
    error = message.error
    stopped = message.status is Status.FAILED and error is not None
    if stopped and error is not None and error.platform_code == MARKETING_STOPPED:
        return [OptOut(account, message.recipient, at)]
    return []


async def record_opt_outs(tx: Tx, stops: Sequence[OptOut]) -> list[Event]:
    """What is to be told: who has opted out anew."""
    if not stops:
        return []
    people = {(stop.account.id, stop.phone): stop for stop in stops}
    new = await contacts.opt_out(tx, [(*key, s.at, OPT_OUT_SOURCE) for key, s in people.items()])
    return [_opt_out_event(people[key]) for key in sorted(new)]


def _opt_out_event(stop: OptOut) -> Event:
    data = PreferenceData(from_=stop.phone, source="platform")
    return Event(stop.account, OPTED_OUT, stop.at, data)


async def open_passcodes(ctx: Context, tx: Tx, messages: Iterable[Message]) -> dict[UUID, str]:
    keys = [(m.account_id, m.id.hex) for m in messages if m.kind == MessageKind.PASSCODE]
    if not keys:
        return {}
    opened = await ctx.vault.open(tx, keys)
    return {UUID(hex=subject): secret.reveal() for (_, subject), secret in opened.items()}


def _has_left(message: Message) -> bool:
    return message.status not in WAITING and message.status is not Status.SENDING


async def erase_ended_passcodes(ctx: Context, tx: Tx, messages: Iterable[Message]) -> None:
    """In the transaction that ends a passcode, its code is erased."""
    await erase_passcodes(ctx, tx, [message for message in messages if _has_left(message)])


async def erase_passcodes(ctx: Context, tx: Tx, messages: Iterable[Message]) -> None:
    passcodes = [(m.account_id, m.id.hex) for m in messages if m.kind == MessageKind.PASSCODE]
    if passcodes:
        await ctx.vault.erase(tx, passcodes)


def count_statuses(ctx: Context, tx: Tx, came_to: Iterable[Status]) -> None:
    """A status for each message that changed to it: sent, delivered, read, failed and so on."""
    counts = Counter(came_to)
    if counts:
        tx.after_commit(lambda: _add_counts(ctx, counts))


def _add_counts(ctx: Context, counts: Counter[Status]) -> None:
    for status, number in counts.items():
        ctx.metrics.messages.labels(status.value).inc(number)


NEVER_ACCEPTED = {"failed", "deferred"}  # outcomes of attempts that the platform refused


async def release_unused_quota(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> None:
    """A message that ended without ever leaving us frees its place for another."""
    unused = [
        Unused(message.account_id, message.recipient, message.granted_at, message.reach_meter)
        for message in messages
        if message.granted_at is not None and _never_left(message)
    ]
    if unused:
        await capacity.give_back(tx, unused)
        await schedule_move_up(tx, accounts, unused)


def _never_left(message: Message) -> bool:
    """What the platform took, or may have taken, counts even if it failed later."""
    return message.status in REFUNDED and all(
        attempt.outcome in NEVER_ACCEPTED for attempt in message.attempts
    )
