"""Decide about one wanted message: repeat, refuse, or accept, and when it goes (4.1).

No I/O and no clock: facts in, a decision out. Deciding draws on the facts (an id is taken, a slot
is given away, a guest has its number), so that the next message of the same batch sees what this
one has taken.
"""

from collections.abc import Sequence
from copy import copy
from datetime import datetime

import msgspec
from msgspec.structs import replace

from tidings import ids, limits, times
from tidings.features.accounts.model import Account
from tidings.features.events.lookup import unknown_event
from tidings.features.events.model import Event
from tidings.features.events.rules import undelivered_timeout
from tidings.features.links import create as links
from tidings.features.links.model import NewLink
from tidings.features.media.model import FileUse
from tidings.features.recipients.contacts import STRANGER, Contact
from tidings.features.senders.model import Number
from tidings.features.senders.number_selection import (
    Choice,
    only_number,
    require_own,
    select_number,
)
from tidings.features.templates.passcodes import decide_passcode_template
from tidings.features.templates.rules import Link
from tidings.platforms import failures
from tidings.platforms.content import Content, Passcode
from tidings.secrets import Secret

from . import moves, repeats, rules, turns
from .facts import Facts
from .model import Kind, Message, Step, Wanted
from .states import Status

QUEUED = Status.QUEUED  # an enum's member takes as long to find as a message's fields to fill


class Repeat(msgspec.Struct, frozen=True):
    """The clientMessageId was used within 48 hours: the original answers."""

    message: Message


class Decision(msgspec.Struct, frozen=True):
    """A message to be stored, and what follows from it."""

    message: Message
    content: Content  # as it is stored: never with a passcode's code
    account: Account
    number: Number | None
    slot: datetime | None = None  # of a message that goes now
    ends_with_event: bool = False  # an invitation that takes its end from its event
    tell: str | None = None  # the kind of event to publish at once
    link: NewLink | None = None
    passcode: Secret | None = None
    outside: Content | None = None  # goes instead if the window is closed when its turn comes
    file: FileUse | None = None


class OptedOut(Exception):
    """The recipient asked to stop; in a batch that is a rejection."""


def decide(wanted: Wanted, facts: Facts, real_now: datetime) -> Repeat | Decision:
    account = facts.accounts[wanted.account_id]
    now = account.now(real_now)
    key = (account.id, wanted.client_message_id)
    original = facts.originals.get(key)
    if original is not None and now - original[0] < limits.REPEAT_WINDOW:
        rules.require_order(wanted, now)  # fields come before repeats (contract2.md A)
        repeats.require_same_kind(wanted, original[1])
        return Repeat(copy(original[1]))
    decision = _decide_new(wanted, account, facts, now)
    facts.originals[key] = (now, decision.message)
    _meet(decision.message, facts)
    return decision


def _meet(message: Message, facts: Facts) -> None:
    """A new guest knows us by the number of the first message accepted for it, though it may wait:
    what comes after it keeps the number, so that the guest has one chat."""
    if message.number is None:
        return
    key = (message.account_id, message.recipient)
    person = facts.people.get(key)
    if person is None:
        facts.people[key] = Contact(message.number)
        facts.strangers.append((*key, message.number))
    elif person.number is None:
        person.number = message.number
        facts.unnamed.append((*key, message.number))


def _decide_new(wanted: Wanted, account: Account, facts: Facts, now: datetime) -> Decision:
    person = facts.people.get((account.id, wanted.to), STRANGER)
    event = _find_event(wanted, facts)
    ends_with_event = rules.takes_end_from_event(wanted)
    if event is not None:
        wanted = _inherit(wanted, event, person, facts, now)
    rules.require_times(wanted, now)
    choice = _choose_number(wanted, account, person, facts, now)
    in_window = rules.is_window_open(person.heard.get(choice.waits_for or ""), now)
    link = _draw_link(wanted, now)
    composed = _compose(wanted, account, facts, in_window, link)
    rules.require_allowed(account, wanted.to)
    message = _new_message(wanted, event, now)
    message.number = choice.waits_for
    message.fallback_used = composed.fell_back or choice.other_than_asked
    if person.opted_out_at is not None and rules.heeds_opt_out(wanted.kind):
        return _opted_out(wanted, account, message, composed.content, now)
    if wanted.kind is not Kind.PROMPT:  # texts of our own cost the customer nothing
        message.charge = facts.credit.charge(account, message.id, wanted.to)
    turn = turns.decide_turn(
        message,
        account,
        choice.number,
        facts.capacity,
        now,
        in_conversation=in_window,
        arriving=True,
        overdue=account.id in facts.credit.overdue,
    )
    waits = not isinstance(turn, turns.Go) and wanted.free is not None
    return Decision(
        message=message,
        content=wanted.free if waits and wanted.free else composed.content,
        outside=composed.outside if waits else None,
        account=account,
        number=choice.number,
        slot=turn.slot if isinstance(turn, turns.Go) else None,
        ends_with_event=ends_with_event,
        tell=_set_out(message, choice, turn, now),
        link=link,
        passcode=wanted.passcode,
        file=wanted.file,
    )


def _find_event(wanted: Wanted, facts: Facts) -> Event | None:
    if wanted.event_id is None:
        return None
    event = facts.events.get((wanted.account_id, wanted.event_id))
    if event is None:
        raise unknown_event()
    return event


def _inherit(wanted: Wanted, event: Event, person: Contact, facts: Facts, now: datetime) -> Wanted:
    """What the event says where the message does not. Who was written to keeps the number."""
    if rules.takes_end_from_event(wanted):
        wanted = replace(wanted, expires_at=rules.require_end(event, now))
    default = event.settings.defaults.sent_from
    own = any(n.number == default for n in facts.numbers.get(wanted.account_id, []))
    if wanted.sent_from is None and person.number is None and own:
        return replace(wanted, sent_from=default)
    return wanted


def _choose_number(
    wanted: Wanted, account: Account, person: Contact, facts: Facts, now: datetime
) -> Choice:
    numbers: Sequence[Number] = facts.numbers.get(account.id, [])
    if wanted.sent_from is not None:
        require_own(numbers, wanted.sent_from)
    heard = person.heard
    if wanted.free is not None and wanted.template is None and wanted.outside is None:
        numbers = rules.decide_carriers(numbers, wanted.from_policy, heard, now)
    return only_number(numbers, wanted.sent_from) or select_number(
        numbers,
        asked=wanted.sent_from,
        policy=wanted.from_policy,
        known=rules.number_in_conversation(heard, now) or person.number,
        can_send_now=lambda number: facts.capacity.can_send_now(
            account,
            number,
            wanted.to,
            now,
            counted=not rules.is_window_open(heard.get(number.number), now),
        ),
        earliest_send=lambda number: facts.capacity.earliest_send(
            account,
            number,
            wanted.to,
            now,
            batch=wanted.batch_id is not None,
            counted=not rules.is_window_open(heard.get(number.number), now),
        ),
        may_probe=lambda number: facts.capacity.may_probe(account, number, now),
        now=now,
    )


def _draw_link(wanted: Wanted, now: datetime) -> NewLink | None:
    if wanted.button_url is None:
        return None
    return links.draw(
        wanted.account_id,
        wanted.button_url,
        now,
        event_id=wanted.event_id,
        client_message_id=wanted.client_message_id,
    )


def _compose(
    wanted: Wanted, account: Account, facts: Facts, in_window: bool, link: NewLink | None
) -> rules.Composed:
    if wanted.kind is Kind.PASSCODE:
        versions = [v for named in facts.templates[account.id].values() for v in named]
        template = decide_passcode_template(account.otp_template, versions)
        return rules.Composed(Passcode(template.name, template.language), fell_back=False)
    wish = rules.decide_template(wanted, account)
    versions = facts.templates[account.id].get(wish.name, []) if wish else []
    counted = None if link is None else Link(link.code, facts.public_url)
    return rules.compose(wanted, wish, versions, window_open=in_window, link=counted)


def _new_message(wanted: Wanted, event: Event | None, now: datetime) -> Message:
    begins = now if wanted.scheduled_for is None else max(now, wanted.scheduled_for)
    return Message(  # in the order of its fields: by name it takes four times as long
        wanted.account_id,
        ids.new_id(),
        wanted.client_message_id,
        wanted.kind,
        wanted.to,
        QUEUED,
        now,
        begins + undelivered_timeout(event),
        [Step("queued", times.to_wire(now))],
        wanted.meta,
        wanted.event_id,
        wanted.batch_id,
        wanted.scheduled_for,
        rules.decide_deadline(wanted, now),
        wanted.expires_at,
        wanted.sent_from,
        wanted.from_policy,
        wanted.to_given,
    )


def _opted_out(
    wanted: Wanted, account: Account, message: Message, content: Content, now: datetime
) -> Decision:
    """Never sent, not charged: failed at once; in a batch an entry of `rejected`. Texts of our own
    leave no trace."""
    if wanted.batch_id is not None or wanted.kind is Kind.PROMPT:
        raise OptedOut
    moves.failed(message, failures.RECIPIENT_OPTED_OUT, now)
    return Decision(message, content, account, None, tell="message.status")


def _set_out(message: Message, choice: Choice, turn: turns.Turn, now: datetime) -> str | None:
    """Move the message by its turn; the kind of event that tells of it."""
    if isinstance(turn, turns.Go):
        assert choice.number is not None, "only a number that is ready gives a turn"
        moves.claim(message, choice.number.number, now)
        return None
    if isinstance(turn, turns.Queue):
        return None
    if turn.reason is None:
        message.status = Status.SCHEDULED
        message.timeline[0].status = Status.SCHEDULED.value
        return None
    moves.held(message, turn.reason, turn.at, now)
    return "message.deferred"
