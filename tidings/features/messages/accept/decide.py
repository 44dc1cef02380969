"""Decide about one request: duplicate, refused, or accepted, and when it is sent (4.1).

No I/O and no clock: inputs in, a decision out. The requests of one batch compete for the same
clientMessageIds, rate slots, quota and credit. So an accepted message reserves what it uses in the
inputs before the next request is decided, and its `Decision` names what it reserved.
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
from tidings.features.recipients.contacts import STRANGER, Contact, Meeting
from tidings.features.senders.model import Number
from tidings.features.senders.number_selection import Choice, only_number, require_own
from tidings.features.templates.passcodes import decide_passcode_template
from tidings.features.templates.rules import Link
from tidings.platforms import failures
from tidings.platforms.content import Content, Passcode
from tidings.secrets import Secret

from ..model import Message, MessageKind, MessageRequest, Status, Step
from ..state import transitions
from . import idempotency, rules, scheduling
from .inputs import AcceptanceInputs

QUEUED = Status.QUEUED  # looking up an enum member takes as long as filling a message's fields


class Duplicate(msgspec.Struct, frozen=True):
    """The clientMessageId was used within 48 hours: the original message is the answer."""

    message: Message


class Reservations(msgspec.Struct, frozen=True):
    """What an accepted message took from the inputs. Its own fields name the rest: the
    clientMessageId, the charge, the quota (`reserved_at`), its plan (`planned_at`)."""

    slot: datetime | None = None  # of the number's rate, where it is sent now
    contact: Meeting | None = None  # a recipient who had no number of ours and gets this one
    is_new_contact: bool = False


class Decision(msgspec.Struct, frozen=True):
    """A message to be stored, and what follows from it."""

    message: Message
    content: Content  # as it is stored: never with a passcode's code
    account: Account
    number: Number | None
    reserved: Reservations
    ends_with_event: bool = False  # an invitation that takes its end from its event
    event_type: str | None = None  # published in the same transaction
    link: NewLink | None = None
    passcode: Secret | None = None
    fallback: Content | None = None  # sent instead if the window has closed when it is due
    file: FileUse | None = None


class OptedOut(Exception):
    """The recipient has opted out; in a batch that is a rejection."""


def decide_and_reserve(
    request: MessageRequest, inputs: AcceptanceInputs, real_now: datetime
) -> Duplicate | Decision:
    """Raises on refusal, which reserves nothing."""
    account = inputs.accounts[request.account_id]
    now = account.now(real_now)
    key = (account.id, request.client_message_id)
    original = inputs.originals.get(key)
    if original is not None and now - original[0] < limits.IDEMPOTENCY_WINDOW:
        rules.require_order(request, now)  # invalid fields come first (contract2.md A)
        idempotency.require_same_kind(request, original[1])
        return Duplicate(copy(original[1]))
    decision = _decide_new(request, account, inputs, now)
    inputs.originals[key] = (now, decision.message)
    return decision


def _decide_new(
    request: MessageRequest, account: Account, inputs: AcceptanceInputs, now: datetime
) -> Decision:
    person = inputs.people.get((account.id, request.to), STRANGER)
    event = _find_event(request, inputs)
    ends_with_event = rules.takes_end_from_event(request)
    if event is not None:
        request = _inherit(request, event, person, inputs, now)
    rules.require_times(request, now)
    choice = _choose_number(request, account, person, inputs, now)
    in_window = rules.is_window_open(person.last_inbound.get(choice.waits_for or ""), now)
    link = _draw_link(request, now)
    composed = _compose(request, account, inputs, in_window, link)
    rules.require_allowed(account, request.to)
    message = _new_message(request, event, now)
    message.number = choice.waits_for
    message.fallback_used = composed.fell_back or choice.other_than_requested
    if person.opted_out_at is not None and rules.heeds_opt_out(request.kind):
        return _opted_out(request, account, message, composed.content, inputs, now)
    if request.kind is not MessageKind.PROMPT:  # our own texts cost the customer nothing
        message.charge = inputs.funding.charge(account, message.id, request.to)
    timing = scheduling.decide_and_reserve(
        message,
        account,
        choice.number,
        inputs.capacity,
        now,
        in_conversation=in_window,
        arriving=True,
        overdue=account.id in inputs.funding.overdue,
    )
    event_type = _set_status(message, choice, timing, now)
    waits = not isinstance(timing, scheduling.Go) and request.free is not None
    return Decision(
        message=message,
        content=request.free if waits and request.free else composed.content,
        fallback=composed.fallback if waits else None,
        account=account,
        number=choice.number,
        reserved=_reserve_contact(message, timing, inputs),
        ends_with_event=ends_with_event,
        event_type=event_type,
        link=link,
        passcode=request.passcode,
        file=request.file,
    )


def _reserve_contact(
    message: Message, timing: scheduling.Timing | None, inputs: AcceptanceInputs
) -> Reservations:
    """A new recipient is bound to the number of the first accepted message, even if that waits:
    later messages use the same number, so that the recipient has one chat."""
    slot = timing.slot if isinstance(timing, scheduling.Go) else None
    key = (message.account_id, message.recipient)
    person = inputs.people.get(key)
    if message.number is None or (person is not None and person.number is not None):
        return Reservations(slot)
    contact = (*key, message.number)
    if person is None:
        inputs.people[key] = Contact(message.number)
        return Reservations(slot, contact, is_new_contact=True)
    person.number = message.number
    return Reservations(slot, contact)


def _find_event(request: MessageRequest, inputs: AcceptanceInputs) -> Event | None:
    if request.event_id is None:
        return None
    event = inputs.events.get((request.account_id, request.event_id))
    if event is None:
        raise unknown_event()
    return event


def _inherit(
    request: MessageRequest, event: Event, person: Contact, inputs: AcceptanceInputs, now: datetime
) -> MessageRequest:
    """Apply the event's defaults. A recipient who has a chat with one of our numbers keeps it."""
    if rules.takes_end_from_event(request):
        request = replace(request, expires_at=rules.require_end(event, now))
    default = event.settings.defaults.sent_from
    own = any(n.number == default for n in inputs.numbers.get(request.account_id, []))
    if request.sent_from is None and person.number is None and own:
        return replace(request, sent_from=default)
    return request


def _choose_number(
    request: MessageRequest,
    account: Account,
    person: Contact,
    inputs: AcceptanceInputs,
    now: datetime,
) -> Choice:
    numbers: Sequence[Number] = inputs.numbers.get(account.id, [])
    if request.sent_from is not None:
        require_own(numbers, request.sent_from)
    last_inbound = person.last_inbound
    if request.free is not None and request.template is None and request.fallback is None:
        numbers = rules.decide_carriers(numbers, request.from_policy, last_inbound, now)
    return only_number(numbers, request.sent_from) or scheduling.choose_number(
        numbers,
        inputs.capacity,
        account,
        person,
        request.to,
        now,
        requested=request.sent_from,
        policy=request.from_policy,
        known=rules.number_in_conversation(last_inbound, now) or person.number,
        in_batch=request.batch_id is not None,
    )


def _draw_link(request: MessageRequest, now: datetime) -> NewLink | None:
    if request.button_url is None:
        return None
    return links.new_link(
        request.account_id,
        request.button_url,
        now,
        event_id=request.event_id,
        client_message_id=request.client_message_id,
    )


def _compose(
    request: MessageRequest,
    account: Account,
    inputs: AcceptanceInputs,
    in_window: bool,
    link: NewLink | None,
) -> rules.Composed:
    if request.kind is MessageKind.PASSCODE:
        versions = [v for named in inputs.templates[account.id].values() for v in named]
        template = decide_passcode_template(account.otp_template, versions)
        return rules.Composed(Passcode(template.name, template.language), fell_back=False)
    requested_template = rules.decide_template(request, account)
    versions = (
        inputs.templates[account.id].get(requested_template.name, []) if requested_template else []
    )
    counted = None if link is None else Link(link.code, inputs.public_url)
    return rules.compose(request, requested_template, versions, window_open=in_window, link=counted)


def _new_message(request: MessageRequest, event: Event | None, now: datetime) -> Message:
    start = now if request.scheduled_for is None else max(now, request.scheduled_for)
    return Message(  # positional: keywords cost 1.9 us more, 8% of the CPU time of a batch item
        request.account_id,
        ids.new_id(),
        request.client_message_id,
        request.kind,
        request.to,
        QUEUED,
        now,
        start + undelivered_timeout(event),
        [Step("queued", times.to_wire(now))],
        request.meta,
        request.event_id,
        request.batch_id,
        request.scheduled_for,
        rules.decide_deadline(request, now),
        request.expires_at,
        request.sent_from,
        request.from_policy,
        request.to_given,
    )


def _opted_out(
    request: MessageRequest,
    account: Account,
    message: Message,
    content: Content,
    inputs: AcceptanceInputs,
    now: datetime,
) -> Decision:
    """Never sent and not charged: it fails at once. In a batch it is rejected instead, and our own
    texts are dropped."""
    if request.batch_id is not None or request.kind is MessageKind.PROMPT:
        raise OptedOut
    transitions.failed(message, failures.RECIPIENT_OPTED_OUT, now)
    reserved = _reserve_contact(message, None, inputs)
    return Decision(message, content, account, None, reserved, event_type="message.status")


def _set_status(
    message: Message, choice: Choice, timing: scheduling.Timing, now: datetime
) -> str | None:
    """The initial status; the type of the event to publish."""
    if isinstance(timing, scheduling.Go):
        assert choice.number is not None, "a message is sent from a number"
        transitions.claim(message, choice.number.number, now)
        return None
    if isinstance(timing, scheduling.Queue):
        return None
    if timing.reason is None:
        transitions.scheduled(message)
        return None
    transitions.held(message, timing.reason, timing.at, now)
    return "message.deferred"
