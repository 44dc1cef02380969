"""What becomes of one request: duplicate, refused or accepted, sent now or later. Pure."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.rules.test_billing_funding_source import plan
from tests.rules.test_message_numbers import GUESTS, NUMBERS, inputs
from tests.support.accounts import OURS, account
from tidings import limits
from tidings.errors import ApiError, Code
from tidings.features.messages.accept.decide import (
    Decision,
    Duplicate,
    OptedOut,
    decide_and_reserve,
)
from tidings.features.messages.accept.idempotency import headers_of, is_mismatch
from tidings.features.messages.accept.inputs import AcceptanceInputs
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.messages.model import (
    MessageKind,
    MessageRequest,
    Reason,
    Status,
    TemplateRequest,
)
from tidings.features.recipients.contacts import Contact
from tidings.features.senders.rate_limiter import RateLimiter
from tidings.platforms.content import Template, Text

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
GUEST = GUESTS[0]
FIRST = NUMBERS[0]
WINDOW = limits.IDEMPOTENCY_WINDOW
HELLO = Text("Hello")
PLAIN = TemplateRequest("plain")
BATCH = UUID(int=7)


def wanted(cid: str = "order-0001", **fields: Any) -> MessageRequest:
    return MessageRequest(OURS, cid, **{"to": GUEST, "template": PLAIN} | fields)


def known(person: Contact | None = None, **fields: Any) -> AcceptanceInputs:
    """The fields are those of the account."""
    found = inputs({} if person is None else {(OURS, GUEST): person})
    found.accounts = {OURS: account(**fields)}
    return found


def accept(request: MessageRequest, found: AcceptanceInputs, now: datetime = NOON) -> Decision:
    decision = decide_and_reserve(request, found, now)
    assert isinstance(decision, Decision)
    return decision


def refusal(request: MessageRequest, found: AcceptanceInputs, now: datetime = NOON) -> ApiError:
    with pytest.raises(ApiError) as caught:
        decide_and_reserve(request, found, now)
    return caught.value


# Duplicates


@pytest.mark.parametrize(
    ("later", "is_duplicate"),
    [
        (timedelta(0), True),
        (WINDOW - timedelta(microseconds=1), True),
        (WINDOW, False),
        (WINDOW + SECOND, False),
    ],
)
def test_an_id_is_that_of_its_message_for_48_hours(later: timedelta, is_duplicate: bool) -> None:
    found = known()
    original = accept(wanted(), found).message
    again = decide_and_reserve(wanted(), found, NOON + later)
    assert isinstance(again, Duplicate) is is_duplicate
    if isinstance(again, Duplicate):
        assert again.message == original
        assert again.message is not original, "who answers it may change its own copy"
    else:
        assert found.originals[OURS, "order-0001"] == (NOON + later, again.message)


@pytest.mark.parametrize(
    ("first", "second", "is_taken"),
    [
        (MessageKind.NOTIFICATION, MessageKind.INVITATION, True),
        (MessageKind.INVITATION, MessageKind.NOTIFICATION, True),
        (MessageKind.NOTIFICATION, MessageKind.FEEDBACK, False),
        (MessageKind.FEEDBACK, MessageKind.NOTIFICATION, False),
        (MessageKind.FEEDBACK, MessageKind.FEEDBACK, True),
        (MessageKind.NOTIFICATION, MessageKind.PASSCODE, False),
    ],
)
def test_an_id_of_another_kind_of_message_is_used(
    first: MessageKind, second: MessageKind, is_taken: bool
) -> None:
    found, end = known(), NOON + HOUR
    accept(wanted(kind=first, expires_at=end), found)
    again = wanted(kind=second, expires_at=end)
    if is_taken:
        assert isinstance(decide_and_reserve(again, found, NOON), Duplicate)
        return
    refused = refusal(again, found)
    assert (refused.code, refused.field) == (
        MessageCode.DUPLICATE_CLIENT_MESSAGE_ID, "clientMessageId",
    )  # fmt: skip


def test_a_duplicate_with_times_that_contradict_each_other_is_refused_as_such() -> None:
    found, start = known(), NOON + 2 * HOUR
    accept(wanted(), found)
    refused = refusal(wanted(scheduled_for=start, deadline=start), found)
    assert (refused.code, refused.field) == (Code.VALIDATION_ERROR, "deadline")
    late = wanted(deadline=NOON - HOUR)
    assert isinstance(decide_and_reserve(late, found, NOON), Duplicate), "time has passed since"


def test_a_duplicate_to_somebody_else_says_so() -> None:
    original = accept(wanted(), known()).message
    assert not is_mismatch(wanted(), original)
    assert headers_of(wanted(), original) == ()
    assert is_mismatch(wanted(to=GUESTS[1]), original)
    assert headers_of(wanted(to=GUESTS[1]), original) == ((b"X-Duplicate-Mismatch", b"to"),)


# Refusals, which reserve nothing


@pytest.mark.parametrize(
    ("fields", "request_fields", "code"),
    [
        ({"allowlist": frozenset({GUESTS[1]})}, {}, MessageCode.RECIPIENT_NOT_ALLOWLISTED),
        ({}, {"deadline": NOON}, Code.VALIDATION_ERROR),
        ({}, {"event_id": "unknown"}, None),
        ({}, {"free": HELLO, "template": None}, MessageCode.SERVICE_WINDOW_CLOSED),
        ({}, {"sent_from": "972555999999"}, None),
    ],
)
def test_what_is_refused_leaves_its_id_and_its_guest_free(
    fields: dict[str, Any], request_fields: dict[str, Any], code: Any
) -> None:
    found = known(**fields)
    refused = refusal(wanted(**request_fields), found)
    assert code is None or refused.code == code
    assert not found.originals
    assert not found.people


# Opt-outs


OUT = {"opted_out_at": NOON - HOUR}


def test_who_opted_out_is_sent_nothing_and_costs_nothing() -> None:
    found = known(Contact(None, **OUT))
    found.funding.sources[OURS] = plan()
    decision = accept(wanted(), found)
    assert decision.message.status is Status.FAILED
    assert decision.message.error is not None
    assert decision.message.error.code == "RECIPIENT_OPTED_OUT"
    assert decision.message.charge is None
    assert (decision.event_type, decision.number) == ("message.status", None)
    assert decision.reserved.contact == (OURS, GUEST, FIRST)


@pytest.mark.parametrize("fields", [{"batch_id": BATCH}, {"kind": MessageKind.PROMPT}])
def test_in_a_batch_and_for_our_own_texts_an_opt_out_is_no_message(fields: dict[str, Any]) -> None:
    with pytest.raises(OptedOut):
        decide_and_reserve(wanted(**fields), known(Contact(None, **OUT)), NOON)


# Charging


def test_a_message_is_charged_and_our_own_text_is_not() -> None:
    found = known()
    source = found.funding.sources[OURS] = plan()
    assert accept(wanted(), found).message.charge == "UNIQUE"
    again = wanted("order-0002", kind=MessageKind.PROMPT)
    assert accept(again, found).message.charge is None
    assert len(source.charges) == 1


def test_what_nothing_pays_for_is_refused() -> None:
    found = known()
    found.funding.sources[OURS] = plan(unique=0)
    assert refusal(wanted(), found).code.name == "QUOTA_EXHAUSTED"
    assert not found.originals


def test_while_an_invoice_is_overdue_our_own_text_waits() -> None:
    found = known()
    found.funding.overdue.add(OURS)
    decision = accept(wanted(kind=MessageKind.PROMPT), found)
    assert decision.message.status is Status.DEFERRED
    assert decision.message.reason == Reason.INVOICE_OVERDUE
    assert decision.event_type == "message.deferred"


# Now or later


def test_what_can_go_now_is_claimed_for_its_number() -> None:
    found = known()
    decision = accept(wanted(), found)
    one = decision.message
    assert (one.status, one.number, one.generation) == (Status.SENDING, FIRST, 1)
    assert (decision.event_type, decision.fallback) == (None, None)
    assert decision.reserved.slot == NOON
    assert decision.reserved.contact == (OURS, GUEST, FIRST)
    assert decision.reserved.is_new_contact
    assert found.people[OURS, GUEST].number == FIRST


def test_a_guest_whom_we_know_but_who_had_no_number_gets_one() -> None:
    found = known(Contact(None))
    decision = accept(wanted(), found)
    assert decision.reserved.contact == (OURS, GUEST, FIRST)
    assert not decision.reserved.is_new_contact
    assert found.people[OURS, GUEST].number == FIRST
    again = accept(wanted("order-0002"), found)
    assert again.reserved.contact is None


def test_a_guest_is_bound_to_no_number_where_there_is_none() -> None:
    found = known()
    found.numbers[OURS] = []
    decision = accept(wanted(), found)
    assert (decision.message.number, decision.reserved.contact) == (None, None)


def test_what_is_for_later_is_scheduled_and_has_its_time_from_then() -> None:
    start = NOON + 2 * HOUR
    decision = accept(wanted(scheduled_for=start), known())
    assert decision.message.status is Status.SCHEDULED
    assert decision.event_type is None
    assert decision.reserved.slot is None
    assert decision.message.times_out_at == start + limits.UNDELIVERED_TIMEOUT_DEFAULT
    past = accept(wanted(scheduled_for=NOON - HOUR), known())
    assert past.message.times_out_at == NOON + limits.UNDELIVERED_TIMEOUT_DEFAULT


@pytest.mark.parametrize("fields", [{"paused": True}, {"active": False}])
def test_what_may_not_go_yet_is_held_and_its_sender_hears_why(fields: dict[str, Any]) -> None:
    decision = accept(wanted(), known(**fields))
    assert (decision.message.status, decision.event_type) == (Status.DEFERRED, "message.deferred")
    assert decision.message.reason == Reason.SENDING_PAUSED
    assert decision.message.number == FIRST, "for which it waits"


def test_a_single_message_hears_that_its_number_is_busy_and_one_of_a_batch_is_queued() -> None:
    busy = {(OURS, digits): RateLimiter(10, next_free_at=NOON + HOUR) for digits in NUMBERS}
    found = known()
    found.capacity.limiters = busy
    single = accept(wanted(), found)
    assert (single.message.status, single.message.reason) == (
        Status.DEFERRED, Reason.NUMBER_LIMIT,
    )  # fmt: skip
    batched = accept(wanted("order-0002", batch_id=BATCH), found)
    assert (batched.message.status, batched.event_type) == (Status.QUEUED, None)


# Free text and templates

IN_CONVERSATION = {FIRST: NOON - HOUR}


def test_in_a_conversation_the_free_text_goes_and_nothing_stands_by() -> None:
    found = known(Contact(FIRST, last_inbound=IN_CONVERSATION))
    decision = accept(wanted(free=HELLO), found)
    assert decision.content == HELLO
    assert (decision.fallback, decision.message.fallback_used) == (None, False)


def test_outside_it_the_template_goes_and_is_named_as_a_fallback() -> None:
    decision = accept(wanted(free=HELLO), known())
    assert isinstance(decision.content, Template)
    assert decision.message.fallback_used


@pytest.mark.parametrize("inbound", [IN_CONVERSATION, {}])
def test_what_waits_keeps_both_as_the_conversation_may_open_or_close(
    inbound: dict[str, datetime],
) -> None:
    found = known(Contact(FIRST, last_inbound=inbound), paused=True)
    decision = accept(wanted(free=HELLO), found)
    assert decision.content == HELLO
    assert isinstance(decision.fallback, Template)


def test_a_template_alone_is_no_fallback_and_stays_what_it_is_while_it_waits() -> None:
    decision = accept(wanted(), known(paused=True))
    assert isinstance(decision.content, Template)
    assert not decision.message.fallback_used


def test_another_number_than_the_one_asked_for_is_a_fallback_too() -> None:
    found = known()
    found.capacity.limiters[OURS, NUMBERS[1]] = RateLimiter(10, next_free_at=NOON + HOUR)
    decision = accept(wanted(sent_from=NUMBERS[1]), found)
    assert decision.message.number != NUMBERS[1]
    assert decision.message.fallback_used
