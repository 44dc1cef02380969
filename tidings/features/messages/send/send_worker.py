"""The handler of `message.send`: waiting messages that are due, and sends with an unknown outcome.

One transaction decides for each message whether it is sent now, waits on, or ends. What is sent is
written as `sending` before the platform is called; `dispatch.py` does the rest.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.errors import CONTENTION_ERRORS
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, Reschedule
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.suspension import find_overdue
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import STRANGER, Contact
from tidings.features.senders import capacity_reads
from tidings.features.senders.callback_routing import load_last_callbacks
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.senders.number_selection import Choice
from tidings.features.templates.lookup import has_passcodes, load_templates
from tidings.platforms import failures
from tidings.platforms.content import Content, Passcode

from ..accept import rules, scheduling
from ..model import WAITING, Message, Status
from ..state import changes, side_effects, store, timers, transitions
from ..state.changes import Changes
from ..state.status_log import log_changed
from .dispatch import Claimed, dispatch_all, due_at


async def run(ctx: Context, jobs: list[Job]) -> None:
    try:
        claimed = await ctx.db.transact(lambda tx: _claim(ctx, tx, jobs))
    except CONTENTION_ERRORS:
        # Nothing was sent. Waiting longer would use up the lease, within which a send must end.
        await ctx.db.transact_patiently(lambda tx: queue.release(tx, jobs, tx.now))
        return
    if claimed:
        await dispatch_all(ctx, claimed)


@dataclass(frozen=True, slots=True)
class _Sending:
    job: Job
    message: Message
    number: Number
    slot: datetime | None = None


@dataclass(slots=True)
class _Batch:
    """Messages that are due, what is known about them, and what is decided."""

    accounts: dict[UUID, Account]
    numbers: dict[UUID, list[Number]]
    capacity: Capacity
    people: dict[contacts.Key, Contact]
    contents: dict[store.Key, tuple[Content, Content | None]]
    overdue: Container[UUID]  # accounts with an overdue invoice
    changes: Changes
    called: dict[UUID, datetime] = field(default_factory=dict)  # when the platform called back
    fallbacks: list[store.Key] = field(default_factory=list)
    sending: list[_Sending] = field(default_factory=list)


async def _claim(ctx: Context, tx: Tx, jobs: list[Job]) -> list[Claimed]:
    keys = [(job.account_id, UUID(hex=job.subject)) for job in jobs]
    batch = await _load(tx, keys)
    messages = await store.load(tx, keys)
    batch.called = await _load_called(tx, batch.accounts, messages.values())
    for job, key in zip(jobs, keys, strict=True):
        message = messages.get(key)
        if message is None:
            batch.changes.completed.append(job)
        else:
            _process(job, message, batch, tx.now)
    await batch.capacity.save(tx)
    if batch.fallbacks:
        await store.use_fallback(tx, batch.fallbacks)
    await changes.apply(ctx, tx, batch.changes)
    log_changed(tx, (one.message for one in batch.sending))
    released = timers.move_up_jobs(tx, batch.accounts, batch.capacity.released)
    await timers.schedule(tx, batch.accounts, [], released)
    return await _claimed(ctx, tx, batch)


async def _load(tx: Tx, keys: Sequence[store.Key]) -> _Batch:
    """In the order of locks: numbers before messages."""
    account_ids = sorted({account_id for account_id, _ in keys})
    accounts = await load_accounts(tx, account_ids)
    numbers = await load_numbers(tx, account_ids)
    templates = await load_templates(tx, account_ids)
    people = await store.find_recipients(tx, keys)
    with_passcodes = {key for key, named in templates.items() if has_passcodes(named)}
    return _Batch(
        accounts=accounts,
        numbers=numbers,
        capacity=await capacity_reads.load(
            tx, accounts, numbers, people, with_passcodes=with_passcodes
        ),
        people=await contacts.load(tx, people),
        contents=await store.load_contents(tx, keys),
        overdue=await find_overdue(tx, accounts.values()),
        changes=Changes(accounts),
    )


async def _load_called(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> dict[UUID, datetime]:
    """Needed only where the outcome of a live send is unknown."""
    unknown = {message.account_id for message in messages if message.status is Status.SENDING}
    return await load_last_callbacks(tx, (one for one in unknown if not accounts[one].is_sandbox))


def _process(job: Job, message: Message, batch: _Batch, real_now: datetime) -> None:
    account = batch.accounts[job.account_id]
    now = account.now(real_now)
    if message.status is Status.SENDING:
        _process_unknown(job, message, account, batch, real_now)
    elif message.status not in WAITING:
        batch.changes.completed.append(job)
    elif now >= transitions.give_up_at(message):
        batch.changes.add(message)
        batch.changes.expire(message, now)
        batch.changes.completed.append(job)
    else:
        _process_waiting(job, message, account, batch, real_now)


def _process_waiting(
    job: Job, message: Message, account: Account, batch: _Batch, real_now: datetime
) -> None:
    now = account.now(real_now)
    person = batch.people.get((account.id, message.recipient), STRANGER)
    batch.changes.add(message)
    if person.opted_out_at is not None and rules.heeds_opt_out(message.kind):
        batch.changes.fail(message, failures.RECIPIENT_OPTED_OUT, now)
        batch.changes.completed.append(job)
        return
    choice = _choose_number(message, account, person, batch, now)
    in_window = rules.is_window_open(person.last_inbound.get(choice.waits_for or ""), now)
    timing = scheduling.decide_and_reserve(
        message,
        account,
        choice.number,
        batch.capacity,
        now,
        in_conversation=in_window,
        overdue=account.id in batch.overdue,
    )
    if not isinstance(timing, scheduling.Go):
        _wait(job, message, timing, account, batch, real_now)
    elif not _choose_content(message, batch, in_window):
        batch.changes.fail(message, failures.WINDOW_CLOSED, now)
        batch.changes.completed.append(job)
    else:
        assert choice.number is not None, "a message is sent from a number"
        transitions.claim(message, choice.number.number, now)
        message.fallback_used = message.fallback_used or choice.other_than_requested
        batch.sending.append(_Sending(job, message, choice.number, timing.slot))


def _choose_number(
    message: Message, account: Account, person: Contact, batch: _Batch, now: datetime
) -> Choice:
    """As at acceptance, with what is known now; it keeps the number that it has waited for."""
    numbers: Sequence[Number] = batch.numbers.get(account.id, [])
    content, fallback = batch.contents[message.account_id, message.id]
    if fallback is None and rules.needs_window(content):
        numbers = rules.decide_carriers(numbers, message.from_policy, person.last_inbound, now)
    return scheduling.choose_number(
        numbers,
        batch.capacity,
        account,
        person,
        message.recipient,
        now,
        requested=message.requested_number,
        policy=message.from_policy,
        known=message.number,
        in_batch=message.batch_id is not None,
    )


def _choose_content(message: Message, batch: _Batch, in_window: bool) -> bool:
    """Free content inside the window, the template outside it. False: there is no template."""
    key = (message.account_id, message.id)
    content, fallback = batch.contents[key]
    if in_window or not rules.needs_window(content):
        if fallback is not None:
            message.fallback_used = False
        return True
    if fallback is None:
        return False
    batch.fallbacks.append(key)
    batch.contents[key] = (fallback, None)
    message.fallback_used = True
    return True


def _wait(
    job: Job,
    message: Message,
    timing: scheduling.Queue | scheduling.Later,
    account: Account,
    batch: _Batch,
    real_now: datetime,
) -> None:
    now = account.now(real_now)
    if isinstance(timing, scheduling.Queue):
        transitions.queued(message, timing.at, now)
    elif timing.reason is not None:
        message.planned_at = None  # many may wait for the same hour: they get new slots then
        batch.changes.defer(message, timing.reason, timing.at, now)
    due = due_at(message, account, real_now)
    batch.changes.rescheduled.append(Reschedule(job, due, account.clock, count_attempt=False))


def _process_unknown(
    job: Job, message: Message, account: Account, batch: _Batch, real_now: datetime
) -> None:
    """The platform was perhaps called: a worker crashed, or no response came."""
    now = account.now(real_now)
    batch.changes.add(message)
    if message.unknown_since is None:
        transitions.unanswered(message, now)
    assert message.unknown_since is not None, "set by `unanswered`"
    verdict = rules.decide_unknown(
        kind=message.kind,
        channel_alive=rules.is_channel_alive(
            account,
            called_at=batch.called.get(account.id),
            since=message.unknown_since,
            now=real_now,
        ),
        may_resend=account.resend_unknown and not message.cancel_requested,
        resends=message.resends,
        waited_for=message.unknown_since,
        deadline=message.send_by,
        now=now,
    )
    numbers = batch.numbers.get(account.id, [])
    number = next((n for n in numbers if n.number == message.number), None)
    if isinstance(verdict, rules.SendAgain) and not account.may_send:
        in_time = now < transitions.give_up_at(message)
        verdict = rules.Wait() if in_time else rules.GiveUp()
    if isinstance(verdict, rules.SendAgain) and number is not None:
        transitions.resent(message)
        batch.sending.append(_Sending(job, message, number))
    elif isinstance(verdict, rules.Wait):
        due = due_at(message, account, real_now)
        if due <= real_now:
            due = real_now + rules.decide_next_look(now - message.unknown_since)
        batch.changes.rescheduled.append(Reschedule(job, due, account.clock, count_attempt=False))
    else:
        batch.changes.fail(message, failures.UNKNOWN_OUTCOME, now)
        batch.changes.completed.append(job)


async def _claimed(ctx: Context, tx: Tx, batch: _Batch) -> list[Claimed]:
    codes = await side_effects.open_passcodes(ctx, tx, [one.message for one in batch.sending])
    claimed = []
    for one in batch.sending:
        message = one.message
        content: Content = batch.contents[message.account_id, message.id][0]
        if isinstance(content, Passcode):
            content = Passcode(content.name, content.language, codes.get(message.id, ""))
        account = batch.accounts[message.account_id]
        claimed.append(Claimed(one.job, message, content, account, one.number, one.slot))
    return claimed


async def on_dead_letter(ctx: Context, jobs: list[Job]) -> None:
    """Messages whose jobs keep crashing workers fail; the customer is notified and refunded."""
    await ctx.db.transact(lambda tx: _dead_letter(ctx, tx, jobs))


async def _dead_letter(ctx: Context, tx: Tx, jobs: list[Job]) -> None:
    keys = [(job.account_id, UUID(hex=job.subject)) for job in jobs]
    found = Changes(await load_accounts(tx, {key[0] for key in keys}))
    for message in (await store.load(tx, keys)).values():
        may_be_sent = message.status is Status.SENDING
        failure = failures.UNKNOWN_OUTCOME if may_be_sent else failures.NOT_SENDABLE
        found.add(message)
        found.fail(message, failure, found.accounts[message.account_id].now(tx.now))
    await changes.apply(ctx, tx, found)
