"""What follows when messages have changed, in the transaction that changed them.

`changes.apply` calls `apply` for every change: an ended passcode is erased, unused quota released,
an invitation updated, a charge settled or refunded, a time-out and batch progress scheduled.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts.model import Account
from tidings.features.billing.charging import resolve
from tidings.features.billing.charging.resolve import EndedMessage
from tidings.features.events import invitations
from tidings.features.events.invitations import Outcome
from tidings.features.events.model import Invitation
from tidings.features.recipients import contacts
from tidings.features.recipients.events import OPTED_OUT, PreferenceData
from tidings.features.senders import capacity
from tidings.features.senders.capacity import HeldQuota
from tidings.features.webhooks.publish import Event

from ..model import DONE_SENDING, REFUNDED, Message, MessageKind, Status
from . import timers

MARKETING_STOPPED = 131050  # the platform's code: the recipient wants no more marketing
OPT_OUT_SOURCE: Literal["platform"] = "platform"
NEVER_ACCEPTED = {"failed", "deferred"}  # outcomes of attempts that the platform refused


async def apply(
    ctx: Context,
    tx: Tx,
    accounts: Mapping[UUID, Account],
    messages: Sequence[Message],
    moved: Sequence[Message],
) -> list[NewJob]:
    """In the order of locks, after the messages are written; the jobs to be enqueued. `moved`:
    those whose status has just changed. Only quota depends on it: all else may be applied again."""
    jobs = await _release_unused_quota(tx, accounts, moved)
    await _erase_ended_passcodes(ctx, tx, messages)
    await invitations.mark(tx, _invitation_updates(messages))
    await _settle_charges(tx, accounts, messages)
    return jobs + timers.recount_jobs(tx, accounts, messages)


# Quota


async def _release_unused_quota(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> list[NewJob]:
    """A message that ended without being accepted by the platform releases its reservation."""
    unused = [
        HeldQuota(
            message.account_id, message.recipient, message.reserved_at, message.recipient_counter
        )
        for message in messages
        if message.reserved_at is not None and _was_never_accepted(message)
    ]
    if not unused:
        return []
    await capacity.release_all(tx, unused)
    return timers.move_up_jobs(tx, accounts, unused)


def _was_never_accepted(message: Message) -> bool:
    """What the platform accepted, or may have accepted, counts even if it failed later."""
    return message.status in REFUNDED and all(
        attempt.outcome in NEVER_ACCEPTED for attempt in message.attempts
    )


# Passcodes


async def open_passcodes(ctx: Context, tx: Tx, messages: Iterable[Message]) -> dict[UUID, str]:
    """The codes of those messages that are passcodes, decrypted for dispatch."""
    keys = [(m.account_id, m.id.hex) for m in messages if m.kind == MessageKind.PASSCODE]
    if not keys:
        return {}
    opened = await ctx.vault.open(tx, keys)
    return {UUID(hex=subject): secret.reveal() for (_, subject), secret in opened.items()}


async def _erase_ended_passcodes(ctx: Context, tx: Tx, messages: Iterable[Message]) -> None:
    """A passcode is erased in the transaction in which its message is sent or ends (4.2)."""
    ended = [
        (m.account_id, m.id.hex)
        for m in messages
        if m.kind == MessageKind.PASSCODE and m.status in DONE_SENDING
    ]
    if ended:
        await ctx.vault.erase(tx, ended)


# Invitations, which the events slice stores


def new_invitations(accepted: Iterable[tuple[Message, bool]]) -> list[Invitation]:
    """The invitations among accepted messages, each with whether it ends with its event. One whose
    message failed at once (the guest has opted out) is lost from the start."""
    return [
        invitation(m, m.expires_at, ends_with_event=ends_with_event)
        for m, ends_with_event in accepted
        if m.kind == MessageKind.INVITATION and m.expires_at is not None
    ]


def invitation(
    message: Message, expires_at: datetime, *, ends_with_event: bool = False
) -> Invitation:
    """In its initial state."""
    return Invitation(
        message.account_id,
        message.id,
        message.recipient,
        expires_at,
        message.event_id,
        ends_with_event=ends_with_event,
        lost=message.status is Status.FAILED,
    )


def _invitation_updates(messages: Iterable[Message]) -> list[Outcome]:
    """Whether each invitation was sent, or never will be."""
    return [
        ((m.account_id, m.id), m.sent_at, m.status in REFUNDED)
        for m in messages
        if m.kind == MessageKind.INVITATION and m.status in DONE_SENDING
    ]


# Charges


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


# Opt-outs that the platform reports with a failure


class OptOut(msgspec.Struct, frozen=True):
    account: Account
    phone: str
    at: datetime  # the account's time


def opt_outs_of(message: Message, account: Account, at: datetime) -> list[OptOut]:
    """The opt-out of a message that just failed because the recipient stopped marketing, if so."""
    error = message.error
    if error is None or message.status is not Status.FAILED:
        return []
    stopped = error.platform_code == MARKETING_STOPPED
    return [OptOut(account, message.recipient, at)] if stopped else []


async def record_opt_outs(tx: Tx, optouts: Sequence[OptOut]) -> list[Event]:
    """The events guest.opted_out of those who had not opted out before."""
    if not optouts:
        return []
    people = {(one.account.id, one.phone): one for one in optouts}
    new = await contacts.opt_out(
        tx, [(*key, one.at, OPT_OUT_SOURCE) for key, one in people.items()]
    )
    return [_opt_out_event(people[key]) for key in sorted(new)]


def _opt_out_event(opt_out: OptOut) -> Event:
    data = PreferenceData(from_=opt_out.phone, source=OPT_OUT_SOURCE)
    return Event(opt_out.account, OPTED_OUT, opt_out.at, data)
