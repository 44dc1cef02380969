"""The first transaction of a send by a worker: what is due, and may it go? (`message.send`)

Each due message goes, waits on, or ends; what goes is written down as `sending` before the platform
hears of it.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, Reschedule
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.suspension import find_overdue
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import STRANGER, Contact
from tidings.features.senders import capacity
from tidings.features.senders.callback_routing import load_last_callbacks
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.senders.number_selection import Choice, select_number
from tidings.features.templates.lookup import has_passcodes, load_templates
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms import failures
from tidings.platforms.content import Content, Passcode

from ..accept import rules, scheduling
from ..model import WAITING, Message, Status
from ..state import events as message_events
from ..state import side_effects, store, timers, transitions
from .dispatch import Claimed, dispatch_all, due_at


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `message.send`."""
    claimed = await ctx.db.transact(lambda tx: _begin(ctx, tx, jobs))
    if claimed:
        await dispatch_all(ctx, claimed)


@dataclass(frozen=True, slots=True)
class _Going:
    job: Job
    message: Message
    number: Number
    slot: datetime | None = None


@dataclass(slots=True)
class _Round:
    """One batch of due messages, what is known about them, and what is decided."""

    accounts: dict[UUID, Account]
    numbers: dict[UUID, list[Number]]
    capacity: Capacity
    people: dict[contacts.Key, Contact]
    contents: dict[store.Key, tuple[Content, Content | None]]
    overdue: Container[UUID]  # accounts that an invoice pauses
    called: dict[UUID, datetime] = field(default_factory=dict)  # when the platform called back
    outside: list[store.Key] = field(default_factory=list)
    going: list[_Going] = field(default_factory=list)
    changed: list[Message] = field(default_factory=list)
    done: list[Job] = field(default_factory=list)
    later: list[Reschedule] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    came_to: list[Status] = field(default_factory=list)


async def _begin(ctx: Context, tx: Tx, jobs: list[Job]) -> list[Claimed]:
    keys = [(job.account_id, UUID(hex=job.subject)) for job in jobs]
    account_ids = sorted({job.account_id for job in jobs})
    accounts = await load_accounts(tx, account_ids)
    numbers = await load_numbers(tx, account_ids)
    templates = await load_templates(tx, account_ids)
    people = await store.find_recipients(tx, keys)
    around = _Round(
        accounts=accounts,
        numbers=numbers,
        capacity=await capacity.load(
            tx,
            accounts,
            numbers,
            people,
            with_passcodes={key for key, named in templates.items() if has_passcodes(named)},
        ),
        people=await contacts.load(tx, people),
        contents=await store.load_choices(tx, keys),
        overdue=await find_overdue(tx, accounts.values()),
    )
    messages = await store.load(tx, keys)
    around.called = await _load_called(tx, accounts, messages.values())
    for job, key in zip(jobs, keys, strict=True):
        message = messages.get(key)
        if message is None:
            around.done.append(job)
        else:
            _look_at(job, message, around, tx.now)
    await _write(ctx, tx, around)
    return await _claimed(ctx, tx, around)


async def _load_called(
    tx: Tx, accounts: Mapping[UUID, Account], messages: Iterable[Message]
) -> dict[UUID, datetime]:
    """Only where the outcome of a live send is unknown does it matter."""
    unknown = {message.account_id for message in messages if message.status is Status.SENDING}
    return await load_last_callbacks(tx, (one for one in unknown if not accounts[one].is_sandbox))


def _look_at(job: Job, message: Message, around: _Round, real_now: datetime) -> None:
    account = around.accounts[job.account_id]
    now = account.now(real_now)
    if message.status is Status.SENDING:
        _look_at_unknown(job, message, account, around, real_now)
    elif message.status not in WAITING:
        around.done.append(job)
    elif now >= transitions.give_up_at(message):
        transitions.expired(message, now)
        _end(job, message, account, around, now)
    else:
        _look_at_waiting(job, message, account, around, real_now)


def _look_at_waiting(
    job: Job, message: Message, account: Account, around: _Round, real_now: datetime
) -> None:
    now = account.now(real_now)
    person = around.people.get((account.id, message.recipient), STRANGER)
    if person.opted_out_at is not None and rules.heeds_opt_out(message.kind):
        transitions.failed(message, failures.RECIPIENT_OPTED_OUT, now)
        _end(job, message, account, around, now)
        return
    choice = _choose_number(message, account, person, around, now)
    in_window = rules.is_window_open(person.heard.get(choice.waits_for or ""), now)
    turn = scheduling.decide_turn(
        message,
        account,
        choice.number,
        around.capacity,
        now,
        in_conversation=in_window,
        overdue=account.id in around.overdue,
    )
    if isinstance(turn, scheduling.Go) and not _settle_content(message, around, in_window):
        transitions.failed(message, failures.WINDOW_CLOSED, now)
        _end(job, message, account, around, now)
        return
    around.changed.append(message)
    if isinstance(turn, scheduling.Go):
        assert choice.number is not None, "only a number that is ready gives a turn"
        transitions.claim(message, choice.number.number, now)
        message.fallback_used = message.fallback_used or choice.other_than_asked
        around.going.append(_Going(job, message, choice.number, turn.slot))
    else:
        _wait_on(job, message, turn, account, around, real_now)


def _choose_number(
    message: Message, account: Account, person: Contact, around: _Round, now: datetime
) -> Choice:
    """As when it was accepted, by what is so now; it keeps the number it has waited for."""
    numbers: Sequence[Number] = around.numbers.get(account.id, [])
    content, outside = around.contents[message.account_id, message.id]
    if outside is None and rules.needs_window(content):
        numbers = rules.decide_carriers(numbers, message.from_policy, person.heard, now)
    return select_number(
        numbers,
        asked=message.asked_number,
        policy=message.from_policy,
        known=message.number,
        can_send_now=lambda number: around.capacity.can_send_now(
            account,
            number,
            message.recipient,
            now,
            counted=not rules.is_window_open(person.heard.get(number.number), now),
        ),
        earliest_send=lambda number: around.capacity.earliest_send(
            account,
            number,
            message.recipient,
            now,
            batch=message.batch_id is not None,
            counted=not rules.is_window_open(person.heard.get(number.number), now),
        ),
        may_probe=lambda number: around.capacity.may_probe(account, number, now),
        now=now,
    )


def _settle_content(message: Message, around: _Round, in_window: bool) -> bool:
    """Free content goes inside the window, its template outside; False: there is none."""
    key = (message.account_id, message.id)
    content, outside = around.contents[key]
    if in_window or not rules.needs_window(content):
        if outside is not None:
            message.fallback_used = False
        return True
    if outside is None:
        return False
    around.outside.append(key)
    around.contents[key] = (outside, None)
    message.fallback_used = True
    return True


def _wait_on(
    job: Job,
    message: Message,
    turn: scheduling.Queue | scheduling.Later,
    account: Account,
    around: _Round,
    real_now: datetime,
) -> None:
    now = account.now(real_now)
    if isinstance(turn, scheduling.Queue):
        transitions.queued(message, turn.at, now)
    elif turn.reason is not None:
        message.planned_at = None  # its turn is over: many that wait for one hour are spread anew
        if transitions.held(message, turn.reason, turn.at, now):
            around.events.append(message_events.deferred(account, message, now))
    timestamp = due_at(message, account, real_now)
    around.later.append(Reschedule(job, timestamp, account.clock, count_attempt=False))


def _look_at_unknown(
    job: Job, message: Message, account: Account, around: _Round, real_now: datetime
) -> None:
    """It was handed over, perhaps: a worker died, or no answer came. Evidence or time decides."""
    now = account.now(real_now)
    if message.unknown_since is None:
        transitions.unanswered(message, now)
    assert message.unknown_since is not None, "just made sure of"
    verdict = rules.decide_unknown(
        kind=message.kind,
        channel_alive=rules.is_channel_alive(
            account,
            called_at=around.called.get(account.id),
            since=message.unknown_since,
            now=real_now,
        ),
        may_resend=account.resend_unknown and not message.cancel_asked,
        resends=message.resends,
        waited_for=message.unknown_since,
        deadline=message.send_by,
        now=now,
    )
    numbers = around.numbers.get(account.id, [])
    number = next((n for n in numbers if n.number == message.number), None)
    if isinstance(verdict, rules.SendAgain) and not account.may_send:
        in_time = now < transitions.give_up_at(message)
        verdict = rules.Wait() if in_time else rules.GiveUp()
    if isinstance(verdict, rules.SendAgain) and number is not None:
        transitions.resent(message)
        around.going.append(_Going(job, message, number))
        around.changed.append(message)
    elif isinstance(verdict, rules.Wait):
        around.changed.append(message)
        timestamp = due_at(message, account, real_now)
        if timestamp <= real_now:
            timestamp = real_now + rules.decide_next_look(now - message.unknown_since)
        around.later.append(Reschedule(job, timestamp, account.clock, count_attempt=False))
    else:
        transitions.failed(message, failures.UNKNOWN_OUTCOME, now)
        _end(job, message, account, around, now)


def _end(job: Job, message: Message, account: Account, around: _Round, now: datetime) -> None:
    around.changed.append(message)
    around.done.append(job)
    around.came_to.append(message.status)
    around.events.append(message_events.status(account, message, now))


async def _write(ctx: Context, tx: Tx, around: _Round) -> None:
    await around.capacity.save(tx)
    await store.save(tx, around.changed)
    if around.capacity.released:
        await timers.schedule_move_up(tx, around.accounts, around.capacity.released)
    if around.outside:
        await store.choose_outside(tx, around.outside)
    await side_effects.apply(ctx, tx, around.accounts, around.changed)
    await queue.complete(tx, around.done)
    await queue.reschedule(tx, around.later)
    await publish(tx, around.events)
    side_effects.count_statuses(ctx, tx, around.came_to)


async def _claimed(ctx: Context, tx: Tx, around: _Round) -> list[Claimed]:
    codes = await side_effects.open_passcodes(ctx, tx, [going.message for going in around.going])
    claimed = []
    for going in around.going:
        message = going.message
        content: Content = around.contents[message.account_id, message.id][0]
        if isinstance(content, Passcode):
            content = Passcode(content.name, content.language, codes.get(message.id, ""))
        account = around.accounts[message.account_id]
        claimed.append(Claimed(going.job, message, content, account, going.number, going.slot))
    return claimed


async def on_dead_letter(ctx: Context, jobs: list[Job]) -> None:
    """Messages that keep taking workers down end here: failed, refunded, told."""
    await ctx.db.transact(lambda tx: _dead_letter(ctx, tx, jobs))


async def _dead_letter(ctx: Context, tx: Tx, jobs: list[Job]) -> None:
    keys = [(job.account_id, UUID(hex=job.subject)) for job in jobs]
    accounts = await load_accounts(tx, {key[0] for key in keys})
    messages = list((await store.load(tx, keys)).values())
    events = []
    for message in messages:
        account = accounts[message.account_id]
        now = account.now(tx.now)
        unsure = message.status is Status.SENDING
        failure = failures.UNKNOWN_OUTCOME if unsure else failures.NOT_SENDABLE
        if transitions.failed(message, failure, now):
            events.append(message_events.status(account, message, now))
    await store.save(tx, messages)
    await side_effects.apply(ctx, tx, accounts, messages)
    await publish(tx, events)
    side_effects.count_statuses(ctx, tx, [Status.FAILED] * len(events))
