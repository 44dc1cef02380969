"""What happens to a message, and which events are published: in any order, any number of times."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tidings import limits, times
from tidings.features.messages.model import (
    DONE_SENDING,
    WAITING,
    Fault,
    Message,
    Reason,
    Status,
    Step,
)
from tidings.features.messages.state import transitions
from tidings.platforms.port import Failure, FailureKind, StatusKind

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
TIMEOUT = timedelta(days=30)
NUMBER = "972555000001"
UNREACHABLE = Failure("RECIPIENT_UNREACHABLE", 131026, FailureKind.RECIPIENT, "Why.", "What to do.")


def message(status: Status = Status.QUEUED, **fields: Any) -> Message:
    """A message as it stands after acceptance, or after a claim."""
    steps = [Step("queued", times.to_wire(NOON))]
    if status is Status.SENDING:
        steps.append(Step("sending", times.to_wire(NOON)))
    return Message(
        account_id=UUID(int=1),
        id=UUID(int=2),
        client_message_id="order-0001",
        kind="notification",
        recipient="972501234567",
        status=status,
        created_at=NOON,
        **{"timeline": steps, "times_out_at": NOON + TIMEOUT} | fields,
    )


def statuses(one: Message) -> list[str]:
    return [step.status for step in one.timeline]


def report(one: Message, kind: StatusKind, at: datetime = NOON) -> bool:
    failure = UNREACHABLE if kind is StatusKind.FAILED else None
    return transitions.reported(one, kind, "wamid.1", at, failure)


# The plain road


def test_a_claim_puts_it_on_its_way() -> None:
    one = message(reason="NUMBER_LIMIT", retry_at=NOON)
    transitions.claim(one, NUMBER, NOON)
    assert (one.status, one.number, one.generation) == (Status.SENDING, NUMBER, 1)
    assert (one.reason, one.retry_at) == (None, None)
    assert statuses(one) == ["queued", "sending"]


@pytest.mark.parametrize("status", [Status.SENDING, *sorted(DONE_SENDING)])
def test_only_what_waits_can_be_claimed(status: Status) -> None:
    with pytest.raises(AssertionError, match=status.value):
        transitions.claim(message(status), NUMBER, NOON)


def test_acceptance_is_news_and_starts_the_time_to_be_delivered() -> None:
    one = message(Status.SENDING, number=NUMBER, unknown_since=NOON)
    assert transitions.accepted(one, "wamid.1", NOON)
    assert (one.status, one.platform_id, one.sent_at) == (Status.SENT, "wamid.1", NOON)
    assert (one.times_out_at, one.unknown_since) == (NOON + TIMEOUT, None)
    [attempt] = one.attempts
    assert (attempt.attempt, attempt.sent_from, attempt.outcome) == (1, NUMBER, "sent")


def test_a_message_that_waited_long_has_its_whole_time_to_be_delivered() -> None:
    one, later = message(Status.SENDING), NOON + 5 * TIMEOUT
    transitions.accepted(one, "wamid.1", later)
    assert one.times_out_at == later + TIMEOUT


def test_an_answer_overtaken_by_its_callback_is_no_news() -> None:
    one = message(Status.SENDING)
    assert report(one, StatusKind.DELIVERED, NOON + SECOND)
    assert not transitions.accepted(one, "wamid.other", NOON + 2 * SECOND)
    assert (one.status, one.platform_id) == (Status.DELIVERED, "wamid.1")
    assert len(one.attempts) == 1


def test_a_refusal_is_published_with_its_reason_and_refunded() -> None:
    one = message(Status.SENDING, number=NUMBER)
    assert transitions.refused(one, UNREACHABLE, NOON)
    assert (one.status, one.refunded_at) == (Status.FAILED, NOON)
    assert one.error == Fault("RECIPIENT_UNREACHABLE", "Why.", "What to do.", 131026)
    assert (one.attempts[0].outcome, one.attempts[0].code) == ("failed", "RECIPIENT_UNREACHABLE")


def test_no_answer_keeps_it_on_its_way_since_the_first_silence() -> None:
    one = message(Status.SENDING)
    transitions.unanswered(one, NOON)
    transitions.unanswered(one, NOON + SECOND)
    assert (one.status, one.unknown_since) == (Status.SENDING, NOON)
    assert [attempt.outcome for attempt in one.attempts] == ["unknown", "unknown"]
    assert [attempt.attempt for attempt in one.attempts] == [1, 2]


def test_a_second_hand_over_voids_the_first_claim() -> None:
    one = message(Status.SENDING, generation=1, unknown_since=NOON)
    transitions.resent(one)
    assert (one.status, one.generation, one.resends) == (Status.SENDING, 2, 1)
    assert one.unknown_since is None


def test_an_attempt_from_no_number_of_ours_names_none() -> None:
    one = message(Status.SENDING)
    transitions.unanswered(one, NOON)
    assert one.attempts[0].sent_from == ""


@pytest.mark.parametrize(
    ("generation", "attempts", "noted"), [(1, 0, True), (2, 0, False), (1, 1, False)]
)
def test_an_attempt_without_an_answer_is_noted_once_though_a_callback_was_faster(
    generation: int, attempts: int, noted: bool
) -> None:
    """Not if it was sent once more since, nor if the attempt is there already."""
    claimed = message(Status.SENDING, generation=1)
    one = message(Status.SENDING, generation=generation)
    report(one, StatusKind.DELIVERED)
    for _ in range(attempts):
        transitions.accepted(one, "wamid.1", NOON)
    transitions.overtaken(one, claimed, NOON)
    outcomes = [attempt.outcome for attempt in one.attempts]
    assert outcomes == ["sent"] * attempts + ["unknown"] * noted
    assert one.status is Status.DELIVERED


# Until when it may be delivered

SLACK = limits.TIMEOUT_SLACK
LATER = NOON + timedelta(days=3)


@pytest.mark.parametrize(
    ("fields", "sent_at", "times_out_at"),
    [
        # The usual time-out: an hour more or less is left as it was, so that no index changes.
        ({}, NOON + SLACK, NOON + TIMEOUT),
        ({}, NOON + SLACK + SECOND, NOON + SLACK + SECOND + TIMEOUT),
        # One that its event made shorter is exact.
        ({"times_out_at": NOON + 2 * SLACK}, NOON, NOON + 2 * SLACK),
        ({"times_out_at": NOON + 2 * SLACK}, NOON + SECOND, NOON + 2 * SLACK + SECOND),
        ({"times_out_at": NOON + 2 * SLACK}, LATER, LATER + 2 * SLACK),
        # It begins when the message is to be sent.
        ({"scheduled_for": LATER, "times_out_at": LATER + 2 * SLACK}, LATER, LATER + 2 * SLACK),
        ({"scheduled_for": LATER, "times_out_at": LATER + TIMEOUT}, LATER, LATER + TIMEOUT),
        # It is never longer than the platform's own.
        ({"times_out_at": NOON + 2 * TIMEOUT}, NOON, NOON + TIMEOUT),
        # A time in the past is no later beginning.
        (
            {"scheduled_for": NOON - 3 * SLACK, "times_out_at": NOON + 2 * SLACK},
            NOON,
            NOON + 2 * SLACK,
        ),
    ],
)
def test_how_long_it_may_take_to_be_delivered(
    fields: dict[str, Any], sent_at: datetime, times_out_at: datetime
) -> None:
    assert transitions.timeout_after(message(Status.SENDING, **fields), sent_at) == times_out_at


# Waiting


def test_a_message_for_later_is_scheduled_from_the_start() -> None:
    one = message()
    transitions.scheduled(one)
    assert one.status is Status.SCHEDULED
    assert statuses(one) == ["scheduled"]


def test_each_reason_to_wait_is_published_once() -> None:
    one = message(Status.SENDING)
    limit, fault = Reason.NUMBER_LIMIT, Reason.NUMBER_UNHEALTHY
    assert transitions.held(one, limit, NOON + SECOND, NOON, UNREACHABLE)
    assert (one.status, one.reason, one.retry_at) == (Status.DEFERRED, limit, NOON + SECOND)
    assert transitions.held(one, fault, None, NOON)
    assert (one.reason, one.retry_at) == (fault, None)
    assert not transitions.held(one, limit, None, NOON)
    assert one.notified_reasons == [limit, fault]
    assert [step.reason for step in one.timeline[2:]] == [limit, fault, limit]
    assert [attempt.outcome for attempt in one.attempts] == ["deferred"]


def test_the_same_reason_again_moves_only_the_time() -> None:
    one = message(Status.QUEUED)
    assert transitions.held(one, Reason.SENDING_PAUSED, None, NOON)
    before = statuses(one)
    assert not transitions.held(one, Reason.SENDING_PAUSED, NOON + SECOND, NOON + SECOND)
    assert statuses(one) == before == ["queued", "deferred"]
    assert one.retry_at == NOON + SECOND


def test_a_message_whose_turn_is_known_is_queued_and_not_held() -> None:
    one = message(Status.QUEUED)
    transitions.held(one, Reason.SEND_WINDOW, NOON, NOON)
    transitions.queued(one, NOON + SECOND, NOON)
    assert (one.status, one.planned_at) == (Status.QUEUED, NOON + SECOND)
    assert (one.reason, one.retry_at) == (None, None)
    assert statuses(one) == ["queued", "deferred", "queued"]
    transitions.queued(one, NOON + 2 * SECOND, NOON)
    assert len(one.timeline) == 3


@pytest.mark.parametrize("status", sorted(DONE_SENDING))
def test_what_has_left_us_waits_no_more(status: Status) -> None:
    one, before = message(status), message(status)
    assert not transitions.held(one, Reason.SENDING_PAUSED, NOON, NOON)
    transitions.queued(one, NOON, NOON)
    assert one == before


# Its end


@pytest.mark.parametrize("status", sorted(WAITING))
def test_unsent_at_its_deadline_it_expires_and_is_refunded(status: Status) -> None:
    one = message(status, deadline=NOON)
    assert transitions.expired(one, NOON)
    assert (one.status, one.refunded_at, one.never_delivered) == (Status.EXPIRED, NOON, True)
    assert one.timeline[-1].reason == "DEADLINE"


def test_sent_and_never_delivered_it_expires_and_is_refunded() -> None:
    one = message(Status.SENDING)
    transitions.accepted(one, "wamid.1", NOON)
    assert transitions.expired(one, NOON + TIMEOUT)
    assert (one.status, one.refunded_at) == (Status.EXPIRED, NOON + TIMEOUT)
    assert one.never_delivered
    assert one.timeline[-1].reason == "UNDELIVERED"


def test_what_was_delivered_neither_expires_nor_fails_nor_is_cancelled() -> None:
    one = message(Status.SENDING)
    report(one, StatusKind.DELIVERED)
    assert not transitions.expired(one, NOON)
    assert not transitions.failed(one, UNREACHABLE, NOON)
    assert not transitions.cancelled(one, NOON)
    assert (one.status, one.refunded_at, one.error) == (Status.DELIVERED, None, None)


@pytest.mark.parametrize("status", [*sorted(WAITING), Status.SENDING])
def test_a_cancelled_message_is_refunded(status: Status) -> None:
    one = message(status)
    assert transitions.cancelled(one, NOON)
    assert (one.status, one.refunded_at) == (Status.CANCELLED, NOON)
    assert not transitions.cancelled(one, NOON + SECOND)
    assert one.refunded_at == NOON


def test_a_message_that_waits_is_given_up_at_its_deadline_or_after_thirty_days() -> None:
    patience = limits.UNDELIVERED_TIMEOUT_DEFAULT
    assert transitions.give_up_at(message()) == NOON + patience
    later = NOON + timedelta(days=300)
    assert transitions.give_up_at(message(scheduled_for=later)) == later + patience
    assert transitions.give_up_at(message(scheduled_for=NOON - SECOND)) == NOON + patience
    soon = NOON + SECOND
    assert transitions.give_up_at(message(deadline=soon)) == soon
    assert transitions.give_up_at(message(deadline=NOON + 2 * patience)) == NOON + patience


def test_a_message_of_unknown_outcome_was_perhaps_sent_when_it_expires() -> None:
    one = message(Status.SENDING)
    transitions.unanswered(one, NOON)
    assert transitions.expired(one, NOON + TIMEOUT)
    assert one.timeline[-1].reason == "UNDELIVERED"


def test_a_refund_keeps_its_first_date() -> None:
    one = message(Status.SENDING, refunded_at=NOON)
    assert transitions.failed(one, UNREACHABLE, NOON + SECOND)
    assert one.refunded_at == NOON


@pytest.mark.parametrize("kind", [StatusKind.DELIVERED, StatusKind.READ])
def test_what_arrived_after_all_has_no_error(kind: StatusKind) -> None:
    one = message(Status.SENDING)
    transitions.failed(one, UNREACHABLE, NOON)
    assert one.error is not None
    report(one, kind, NOON + SECOND)
    assert one.error is None


def test_the_timeline_of_a_waiting_message_never_runs_backwards() -> None:
    """The sandbox refuses at the time of the slot, slightly in the future."""
    for one in (message(Status.SENDING), message(Status.SENDING)):
        transitions.held(one, Reason.NUMBER_LIMIT, None, NOON + 2 * SECOND)
        assert transitions.cancelled(one, NOON + SECOND)
        assert [step.at for step in one.timeline[-2:]] == [times.to_wire(NOON + 2 * SECOND)] * 2
        assert one.refunded_at == NOON + 2 * SECOND


def test_the_end_of_a_waiting_message_is_as_exact_as_its_clock() -> None:
    at = NOON + timedelta(microseconds=500)
    one = message()
    assert transitions.expired(one, at)
    assert one.refunded_at == at


def test_what_was_sent_ends_when_the_platform_says() -> None:
    one = message(Status.SENDING, timeline=[Step("sending", times.to_wire(NOON + SECOND))])
    assert transitions.failed(one, UNREACHABLE, NOON)
    assert (one.refunded_at, one.timeline[-1].at) == (NOON, times.to_wire(NOON))


# Callbacks


def test_the_time_of_a_callback_is_not_before_the_message_was_sent() -> None:
    assert transitions.not_before(message(), NOON) == NOON, "nothing was sent yet"
    claimed = message(Status.SENDING)
    claimed.timeline += [
        Step("deferred", times.to_wire(NOON)),
        Step("sending", times.to_wire(NOON + 2 * SECOND)),
        Step("delivered", times.to_wire(NOON + 5 * SECOND)),
    ]
    assert transitions.not_before(claimed, NOON) == NOON + 2 * SECOND, "the last claim"
    assert transitions.not_before(claimed, NOON + 3 * SECOND) == NOON + 3 * SECOND
    claimed.sent_at = NOON + 4 * SECOND
    assert transitions.not_before(claimed, NOON) == NOON + 4 * SECOND
    assert transitions.not_before(claimed, NOON + 5 * SECOND) == NOON + 5 * SECOND


def test_callbacks_in_order_are_published_one_by_one() -> None:
    one = message(Status.SENDING)
    published = [
        report(one, kind, NOON + n * SECOND) for n, kind in enumerate(list(StatusKind)[:3])
    ]
    assert published == [True, True, True]
    assert statuses(one) == ["queued", "sending", "sent", "delivered", "read"]
    assert (one.sent_at, one.delivered_at, one.read_at) == (
        NOON, NOON + SECOND, NOON + 2 * SECOND,
    )  # fmt: skip


def test_a_callback_in_reverse_joins_the_timeline_without_being_published() -> None:
    one = message(Status.SENDING)
    assert report(one, StatusKind.READ, NOON + 2 * SECOND)
    assert not report(one, StatusKind.DELIVERED, NOON + SECOND)
    assert not report(one, StatusKind.SENT, NOON)
    assert one.status is Status.READ
    assert [(step.status, step.at) for step in one.timeline[2:]] == [
        ("read", times.to_wire(NOON + 2 * SECOND)),
        ("delivered", times.to_wire(NOON + SECOND)),
        ("sent", times.to_wire(NOON)),
    ]


def test_read_implies_delivered() -> None:
    one = message(Status.SENDING)
    report(one, StatusKind.READ)
    assert one.sent_at == one.delivered_at == one.read_at == NOON


@pytest.mark.parametrize("ending", ["failed", "expired"])
@pytest.mark.parametrize("kind", [StatusKind.DELIVERED, StatusKind.READ])
def test_a_message_in_hand_wins_over_its_end_and_the_refund_stays(
    ending: str, kind: StatusKind
) -> None:
    one = message(Status.SENDING)
    transitions.accepted(one, "wamid.1", NOON)
    if ending == "failed":
        assert transitions.failed(one, UNREACHABLE, NOON)
    else:
        assert transitions.expired(one, NOON)
    assert report(one, kind, NOON + SECOND)
    assert (one.status.value, one.refunded_at) == (kind.value, NOON)


def test_a_failure_by_callback_is_published_with_its_reason() -> None:
    one = message(Status.SENDING)
    transitions.accepted(one, "wamid.1", NOON)
    assert report(one, StatusKind.FAILED, NOON + SECOND)
    assert (one.status, one.refunded_at) == (Status.FAILED, NOON + SECOND)
    assert one.error is not None
    assert one.error.platform_code == 131026
    assert not report(one, StatusKind.FAILED, NOON + SECOND)


@pytest.mark.parametrize("status", sorted(WAITING))
def test_evidence_of_an_earlier_hand_over_keeps_it_from_going_twice(status: Status) -> None:
    """Sent, no answer, sent once more, throttled: it waits, and then the first one is delivered."""
    one = message(status, generation=2, reason="NUMBER_LIMIT", retry_at=NOON)
    assert report(one, StatusKind.DELIVERED, NOON + SECOND)
    assert (one.status, one.platform_id) == (Status.DELIVERED, "wamid.1")
    assert (one.reason, one.retry_at) == (None, None)


def test_a_platform_that_counts_whole_seconds_does_not_turn_time_back() -> None:
    one = message(Status.SENDING)
    transitions.accepted(one, "wamid.1", NOON + timedelta(milliseconds=700))
    report(one, StatusKind.DELIVERED, NOON)
    report(one, StatusKind.READ, NOON)
    assert one.sent_at == one.delivered_at == one.read_at == NOON + timedelta(milliseconds=700)


# In any order, any number of times

RANKS = {
    Status.SCHEDULED: 0, Status.QUEUED: 0, Status.DEFERRED: 0, Status.SENDING: 1, Status.SENT: 2,
    Status.DELIVERED: 3, Status.READ: 4, Status.FAILED: 5, Status.EXPIRED: 5, Status.CANCELLED: 5,
}  # fmt: skip
ENDS = (Status.FAILED, Status.EXPIRED)
IN_HAND = (Status.DELIVERED, Status.READ)

HAPPENINGS = st.lists(
    st.tuples(
        st.sampled_from([*StatusKind, "accepted", "refused", "expired", "unanswered"]),
        st.integers(min_value=-5_000, max_value=5_000).map(lambda ms: timedelta(milliseconds=ms)),
    ),
    max_size=12,
)


def happen(one: Message, what: StatusKind | str, at: datetime) -> bool:
    if isinstance(what, StatusKind):
        return report(one, what, at)
    if what == "accepted":
        return transitions.accepted(one, "wamid.1", at)
    if what == "refused":
        return transitions.failed(one, UNREACHABLE, at)
    if what == "expired":
        return transitions.expired(one, at)
    if one.status is Status.SENDING:
        transitions.unanswered(one, at)
    return False


@given(
    st.sampled_from([Status.SCHEDULED, Status.QUEUED, Status.DEFERRED, Status.SENDING]), HAPPENINGS
)
def test_whatever_happens_in_whatever_order(start: Status, happenings: list[Any]) -> None:
    one = message(start)
    published: list[Status] = []
    for what, offset in happenings:
        before = replace(one)
        news = happen(one, what, NOON + offset)
        if news:
            published.append(one.status)
        assert news == (one.status is not before.status), (
            "published exactly when the status changes"
        )
        won = before.status in ENDS and one.status in IN_HAND
        assert RANKS[one.status] >= RANKS[before.status] or won
        if before.refunded_at is not None:
            assert one.refunded_at == before.refunded_at
        if before.platform_id is not None:
            assert one.platform_id == before.platform_id
        keeps_its_facts(one)
    assert len(published) == len(set(published)), "each status is published at most once"
    for kind in {what for what, _ in happenings if isinstance(what, StatusKind)}:
        assert statuses(one).count(kind.value) == 1, "one entry for each status reported"


def keeps_its_facts(one: Message) -> None:
    """What `tidings doctor` asks of every message."""
    timestamps = [
        timestamp for timestamp in (one.sent_at, one.delivered_at, one.read_at) if timestamp
    ]
    assert timestamps == sorted(timestamps)
    assert (one.read_at is not None) == (one.status is Status.READ)
    assert (one.delivered_at is not None) == (one.status in IN_HAND)
    assert one.sent_at is not None or one.status not in (Status.SENT, *IN_HAND)
    if one.status in (*ENDS, Status.CANCELLED):
        assert one.refunded_at is not None
    elif one.refunded_at is not None:
        assert one.delivered_at is not None
    assert one.unknown_since is None or one.status not in DONE_SENDING
    assert len(statuses(one)) == len(set(statuses(one)))
