"""Every change of a message's status goes through here: transition, write, side effects.

A transaction collects its transitions in a `Changes` and calls `apply` once. Nothing else writes
the columns that transitions change (tests/test_architecture.py), so no caller can forget a refund,
a webhook or the progress of a batch.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob, Reschedule
from tidings.features.accounts.model import Account
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.port import Failure, StatusKind, StatusUpdate

from ..model import Message
from . import (
    counts,
    events,
    recall,
    side_effects,
    status_log,
    store,
    timers,
    transitions,
    unlocked_store,
)

REACHED = frozenset({StatusKind.DELIVERED, StatusKind.READ})


class Overtaken(Exception):
    """An unlocked message was changed by a callback or another worker: load it and try again."""


class Recalled(msgspec.Struct, frozen=True):
    """A message as this process last wrote it, which a callback changes without loading it."""

    before: Message
    message: Message  # a copy of it, changed

    @property
    def is_changed(self) -> bool:
        return len(self.message.timeline) > len(self.before.timeline)


@dataclass(slots=True)
class Changes:
    """The transitions of one transaction, and the jobs they complete, reschedule or start."""

    accounts: Mapping[UUID, Account]
    columns: tuple[str, ...] = store.CHANGING  # those that the transitions may change
    messages: dict[UUID, Message] = field(default_factory=dict)
    unlocked: list[Message] = field(default_factory=list)
    recalled: dict[UUID, Recalled] = field(default_factory=dict)
    completed: list[Job] = field(default_factory=list)
    rescheduled: list[Reschedule] = field(default_factory=list)
    started: list[NewJob] = field(default_factory=list)
    _events: list[Event] = field(default_factory=list)
    _statuses: list[counts.Reached] = field(default_factory=list)
    _deferred: list[Message] = field(default_factory=list)
    _moved: dict[UUID, Message] = field(default_factory=dict)  # those whose status has changed
    _reached: list[tuple[UUID, str, datetime]] = field(default_factory=list)
    _opt_outs: list[side_effects.OptOut] = field(default_factory=list)
    _unidentified: list[Message] = field(default_factory=list)  # without a platform id so far

    def add(self, message: Message) -> None:
        """A message that this transaction has loaded and locked; it is written."""
        if message.id not in self.messages:
            self.messages[message.id] = message
            if message.platform_id is None:
                self._unidentified.append(message)

    def add_unlocked(self, claimed: Message) -> Message:
        """A copy of a message as it was claimed, to be moved to `sent` without loading it. `apply`
        writes it by compare-and-set and raises `Overtaken` if it has changed."""
        message = _copied(claimed)
        self.unlocked.append(message)
        return message

    def add_recalled(self, before: Message) -> Message:
        """A copy of a message that `recall.may_recall` allows to change without loading it. `apply`
        writes it by compare-and-set, like an unlocked one."""
        message = _copied(before)
        self.recalled[message.id] = Recalled(before, message)
        return message

    def accept(self, message: Message, platform_id: str, at: datetime) -> None:
        self._changed(transitions.accepted(message, platform_id, at), message, at)

    def report(self, message: Message, update: StatusUpdate) -> None:
        """A status callback."""
        at = transitions.not_before(message, update.at)
        notify = transitions.reported(
            message, update.status, update.platform_id, at, update.failure
        )
        self._changed(notify, message, at)
        if update.status in REACHED:
            self._reached.append((message.account_id, message.recipient, at))

    def fail(self, message: Message, failure: Failure, at: datetime) -> None:
        self._changed(transitions.failed(message, failure, at), message, at)

    def refuse(self, message: Message, failure: Failure, at: datetime) -> None:
        """The platform refused it for good."""
        self._changed(transitions.refused(message, failure, at), message, at)

    def expire(self, message: Message, at: datetime) -> None:
        self._changed(transitions.expired(message, at), message, at)

    def cancel(self, message: Message, at: datetime) -> None:
        """The customer who cancels is not notified of each message."""
        if transitions.cancelled(message, at):
            self._note(message)

    def defer(
        self,
        message: Message,
        reason: str,
        retry_at: datetime | None,
        at: datetime,
        failure: Failure | None = None,
    ) -> None:
        if transitions.held(message, reason, retry_at, at, failure):
            self._deferred.append(message)
            account = self.accounts[message.account_id]
            self._events.append(events.deferred(account, message, at))

    def _changed(self, notify: bool, message: Message, at: datetime) -> None:
        if notify:
            account = self.accounts[message.account_id]
            self._note(message)
            event = events.status(account, message, at)
            if message.id in self.recalled:
                event = msgspec.structs.replace(event, is_recalled=True)
            self._events.append(event)
            self._opt_outs += side_effects.opt_outs_of(message, account, at)

    def _note(self, message: Message) -> None:
        self._moved[message.id] = message
        account = self.accounts[message.account_id]
        self._statuses.append(counts.reached(message, account))


async def apply(ctx: Context, tx: Tx, changes: Changes) -> None:
    """Write the messages and everything that follows, in the order of locks.

    The jobs with a unique key come last: transactions of one account wait for each other there.
    """
    recalled = [one for one in changes.recalled.values() if one.is_changed]
    loaded = [*changes.unlocked, *changes.messages.values()]
    messages = [*loaded, *(one.message for one in recalled)]
    if changes.unlocked:
        await unlocked_store.save_sent(tx, changes.unlocked, Overtaken)
    if recalled:
        pairs = [(one.before, one.message) for one in recalled]
        await unlocked_store.save_reported(tx, pairs, Overtaken)
    if changes.messages:
        identified = [message for message in changes._unidentified if message.platform_id]
        await store.save(tx, list(changes.messages.values()), identified, changes.columns)
    await contacts.mark_delivered(tx, changes._reached)
    opted_out = await side_effects.record_opt_outs(tx, changes._opt_outs)
    moved = list(changes._moved.values())
    status_log.log_changed(tx, [*moved, *changes._deferred])
    jobs = await side_effects.apply(ctx, tx, changes.accounts, messages, moved)
    await publish(tx, [*changes._events, *opted_out])
    await queue.complete(tx, changes.completed)
    await queue.reschedule(tx, changes.rescheduled)
    await queue.enqueue(tx, changes.started)
    # Recalled messages were sent before: neither a time-out nor the progress of a batch follows.
    await timers.schedule(tx, changes.accounts, loaded, jobs)
    counts.count_statuses(ctx, tx, changes._statuses)
    tx.after_commit(lambda: recall.remember(ctx, messages))


def _copied(message: Message) -> Message:
    """With lists of its own, so that transitions leave the original as it is."""
    copied = copy(message)
    copied.timeline, copied.attempts = [*message.timeline], [*message.attempts]
    return copied
