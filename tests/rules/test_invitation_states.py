"""The life of an invitation: every row of its table, and any order of what can happen to it."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.names import named
from tidings.features.events import invitation_states, responses
from tidings.features.events.invitation_states import (
    REPLIES,
    Prompt,
    ReplyEvent,
    Said,
    State,
    Verdict,
    When,
    state_at,
)
from tidings.features.events.model import Invitation, Unclear

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
END = NOON + timedelta(hours=1)
AFTER = END + MINUTE
UNCLEAR = Unclear("972555000001", {"text": "who is this?"})


def invitation(state: State = State.OPEN, **fields: Any) -> Invitation:
    answers = {State.CONFIRMED: "yes", State.DECLINED: "no"}
    answered = {"answer": answers.get(state), "answered_at": NOON if state in answers else None}
    return Invitation(
        UUID(int=1), UUID(int=2), "972501234567", END, **{"event_id": "wedding"} | answered | fields
    )


def now_of(state: State, when: When) -> datetime:
    """A time at which an invitation in this state hears of such a reply."""
    over = when is When.LATE or state is State.EXPIRED
    return AFTER if over else NOON + 2 * MINUTE


def reply(one: Invitation, said: Said, when: When, state: State) -> Verdict:
    at = NOON + 2 * MINUTE if when is When.IN_TIME else AFTER
    answer = None if said is Said.UNCLEAR else said.value
    return invitation_states.replied(one, answer, None, at, now_of(state, when))


OPEN, C, D, X = State
IN, LATE = When
YES, NO, WHAT = Said
ROWS: list[tuple[State, When, Said, ReplyEvent, State, Prompt | None]] = [
    # state, when the guest wrote, what it says: event, next state, text to the guest
    (OPEN, IN, YES, ReplyEvent.CONFIRMED, C, None),
    (OPEN, IN, NO, ReplyEvent.DECLINED, D, None),
    (OPEN, IN, WHAT, ReplyEvent.INVALID, OPEN, Prompt.INVALID_REPLY),
    (C, IN, YES, ReplyEvent.CONFIRMED, C, None),
    (C, IN, NO, ReplyEvent.DECLINED, D, None),
    (C, IN, WHAT, ReplyEvent.MESSAGE, C, None),
    (D, IN, YES, ReplyEvent.CONFIRMED, C, None),
    (D, IN, NO, ReplyEvent.DECLINED, D, None),
    (D, IN, WHAT, ReplyEvent.MESSAGE, D, None),
    (X, IN, YES, ReplyEvent.CONFIRMED, C, None),
    (X, IN, NO, ReplyEvent.DECLINED, D, None),
    (X, IN, WHAT, ReplyEvent.LATE, X, Prompt.EXPIRED),
    (C, LATE, YES, ReplyEvent.LATE, C, None),
    (C, LATE, NO, ReplyEvent.LATE, C, Prompt.EXPIRED),
    (C, LATE, WHAT, ReplyEvent.MESSAGE, C, None),
    (D, LATE, YES, ReplyEvent.LATE, D, Prompt.EXPIRED),
    (D, LATE, NO, ReplyEvent.LATE, D, None),
    (D, LATE, WHAT, ReplyEvent.MESSAGE, D, None),
    (X, LATE, YES, ReplyEvent.LATE, X, Prompt.EXPIRED),
    (X, LATE, NO, ReplyEvent.LATE, X, Prompt.EXPIRED),
    (X, LATE, WHAT, ReplyEvent.LATE, X, Prompt.EXPIRED),
]


def test_the_rows_are_all_there_are() -> None:
    """An open invitation cannot be replied to late: then it is expired."""
    pairs = {(state, when, said) for state in State for when in When for said in Said}
    impossible = {(OPEN, LATE, said) for said in Said}
    assert {row[:3] for row in ROWS} == pairs - impossible == set(REPLIES)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_row_of_the_table(
    row: tuple[State, When, Said, ReplyEvent, State, Prompt | None],
) -> None:
    state, when, said, published, then, text = row
    one = invitation(state)
    verdict = reply(one, said, when, state)
    assert (verdict.event, verdict.text) == (published, text)
    assert state_at(one.answer, one.expires_at, now_of(state, when)) is then


@pytest.mark.parametrize(
    ("state", "when", "said"),
    [(OPEN, IN, WHAT), (X, LATE, YES), (X, LATE, WHAT), (X, IN, WHAT), (C, LATE, NO)],
)
def test_a_guest_gets_each_text_once_and_every_reply_is_published(
    state: State, when: When, said: Said
) -> None:
    one = invitation(state)
    verdicts = [reply(one, said, when, state) for _ in range(3)]
    assert len({verdict.event for verdict in verdicts}) == 1
    assert [verdict.text is not None for verdict in verdicts] == [True, False, False]


def test_an_invitation_of_no_event_has_no_texts() -> None:
    one = invitation(event_id=None)
    assert reply(one, WHAT, IN, OPEN) == Verdict(ReplyEvent.INVALID, None, watch=True)
    assert invitation_states.nudge(one, NOON) is None
    late = invitation(State.EXPIRED, event_id=None)
    assert reply(late, YES, LATE, X) == Verdict(ReplyEvent.LATE)


def test_the_first_reply_that_is_not_understood_starts_the_watch() -> None:
    one = invitation()
    assert reply(one, WHAT, IN, OPEN).watch
    invitation_states.remember_unclear(one, UNCLEAR)
    assert not reply(one, WHAT, IN, OPEN).watch


def test_the_number_of_guests_goes_with_a_yes_and_leaves_with_a_no() -> None:
    one = invitation()
    invitation_states.replied(one, "yes", 4, NOON, NOON)
    assert (one.answer, one.guests, one.answered_at) == ("yes", 4, NOON)
    invitation_states.replied(one, "yes", None, NOON + MINUTE, NOON + MINUTE)
    assert (one.guests, one.answered_at) == (None, NOON + MINUTE)
    invitation_states.replied(one, "no", 4, NOON + 2 * MINUTE, NOON + 2 * MINUTE)
    assert (one.answer, one.guests) == ("no", None)


def test_what_the_guest_wrote_last_stands_whenever_we_hear_of_it() -> None:
    one = invitation()
    assert (
        invitation_states.replied(one, "no", None, NOON + MINUTE, NOON + MINUTE).event
        is ReplyEvent.DECLINED
    )
    overtaken = invitation_states.replied(one, "yes", 2, NOON, NOON + 2 * MINUTE)
    assert overtaken == Verdict(ReplyEvent.MESSAGE), "it was written before and changes nothing"
    assert (one.answer, one.answered_at) == ("no", NOON + MINUTE)
    same_second = invitation_states.replied(one, "yes", 2, NOON + MINUTE, NOON + 2 * MINUTE)
    assert same_second.event is ReplyEvent.CONFIRMED, "of two in one second the one heard last"


def test_the_nudge_comes_once_and_only_to_whom_it_can_still_help() -> None:
    one = invitation(unclear=UNCLEAR)
    assert invitation_states.nudge(one, END) is None, "it is over"
    assert invitation_states.nudge(one, NOON) is Prompt.NUDGE
    assert invitation_states.nudge(one, NOON) is None
    for state in (State.CONFIRMED, State.DECLINED):
        assert invitation_states.nudge(invitation(state, unclear=UNCLEAR), NOON) is None


@pytest.mark.parametrize("state", [State.CONFIRMED, State.DECLINED])
def test_an_answered_invitation_is_never_unresolved(state: State) -> None:
    assert not invitation_states.expired(invitation(state, unclear=UNCLEAR), AFTER)


def test_an_invitation_is_unresolved_at_its_end_once_if_a_reply_was_not_understood() -> None:
    one = invitation(unclear=UNCLEAR)
    assert not invitation_states.expired(one, END - MINUTE)
    assert invitation_states.expired(one, END)
    assert not invitation_states.expired(one, AFTER)
    assert not invitation_states.expired(invitation(), AFTER), "silence is no reply"


def test_an_invitation_as_the_status_of_its_message_shows_it() -> None:
    one = invitation(State.CONFIRMED, guests=4)
    assert msgspec.to_builtins(responses.invitation(one, NOON)) == {
        "eventId": "wedding",
        "state": "confirmed",
        "answer": "yes",
        "answeredAt": "2026-01-01T12:00:00.000Z",
        "expiresAt": "2026-01-01T13:00:00.000Z",
    }
    for now, state in ((NOON, "open"), (END - timedelta(microseconds=1), "open"), (END, "expired")):
        assert responses.invitation(invitation(), now).state == state


@pytest.mark.parametrize(
    ("at", "event"),
    [(END - timedelta(microseconds=1), ReplyEvent.CONFIRMED), (END, ReplyEvent.LATE)],
)
def test_a_reply_written_at_the_end_is_late(at: datetime, event: ReplyEvent) -> None:
    assert invitation_states.replied(invitation(), "yes", None, at, AFTER).event is event


# What is remembered of replies


def test_the_words_of_the_last_reply_are_kept_in_the_order_they_were_written() -> None:
    one = invitation()
    remember = invitation_states.remember_reply
    remember(one, ReplyEvent.MESSAGE, "second", 0.5, NOON + MINUTE)
    assert (one.reply_text, one.replied_at) == ("second", NOON + MINUTE)
    remember(one, ReplyEvent.MESSAGE, "first", 0.5, NOON)
    assert (one.reply_text, one.replied_at) == ("second", NOON + MINUTE)
    remember(one, ReplyEvent.MESSAGE, "third, in the same second", 0.5, NOON + MINUTE)
    assert one.reply_text == "third, in the same second"


@pytest.mark.parametrize(
    ("event", "kept"),
    [
        (ReplyEvent.CONFIRMED, 0.8),
        (ReplyEvent.DECLINED, 0.8),
        (ReplyEvent.INVALID, 0.0),
        (ReplyEvent.LATE, 0.5),
        (ReplyEvent.MESSAGE, 0.5),
    ],
)
def test_the_confidence_is_that_of_the_answer_that_stands(event: ReplyEvent, kept: float) -> None:
    one = invitation(confidence=0.5)
    invitation_states.remember_reply(one, event, "yes!", 0.8, NOON)
    assert one.confidence == kept


# A person decides


def test_a_person_settles_an_answer_once() -> None:
    one = invitation(late=True)
    assert invitation_states.settle(one, "yes", 3, AFTER) is True
    assert (one.answer, one.guests, one.confidence, one.late) == ("yes", 3, 1.0, False)
    assert one.answered_at == AFTER
    assert invitation_states.settle(one, "yes", 3, AFTER + MINUTE) is False
    assert one.answered_at == AFTER, "it was settled then"
    assert invitation_states.settle(one, "yes", 4, AFTER + MINUTE)
    assert invitation_states.settle(one, "no", None, AFTER + MINUTE)
    assert (one.answer, one.guests) == ("no", None)


def test_a_person_confirms_what_was_only_understood() -> None:
    one = invitation(State.CONFIRMED, guests=2, confidence=0.7)
    assert invitation_states.settle(one, "yes", 2, AFTER)
    assert one.confidence == 1.0


def test_a_settled_answer_is_no_older_than_the_one_it_replaces() -> None:
    """A guest's own clock may be ahead of the account's."""
    one = invitation(State.CONFIRMED, answered_at=AFTER)
    assert invitation_states.settle(one, "no", None, NOON)
    assert one.answered_at == AFTER


# Any order


Happening = tuple[str, datetime, datetime]  # what, when the guest wrote, when we hear of it
minutes = st.integers(0, 120).map(lambda n: NOON + n * MINUTE)
happenings = st.lists(
    st.tuples(st.sampled_from(["yes", "no", "unclear", "nudge", "end"]), minutes, minutes),
    max_size=12,
)


def happen(one: Invitation, what: str, at: datetime, now: datetime) -> str | None:
    if what == "nudge":
        invitation_states.nudge(one, now)
        return None
    if what == "end":
        return "guest.unresolved" if invitation_states.expired(one, now) else None
    answer = None if what == "unclear" else what
    verdict = invitation_states.replied(one, answer, None, min(at, now), now)
    if verdict.event is ReplyEvent.INVALID:
        invitation_states.remember_unclear(one, UNCLEAR)
    return verdict.event.value


@given(happenings)
def test_any_order_leaves_one_consistent_invitation(happenings: list[Happening]) -> None:
    one, published = invitation(), []
    for what, at, now in happenings:
        published.append((what, happen(one, what, at, now)))
    assert all(kind for what, kind in published if what in ("yes", "no", "unclear"))
    assert [kind for _, kind in published].count("guest.unresolved") <= 1
    assert (one.answer is None) == (one.answered_at is None)
    assert one.answered_at is None or one.answered_at < END
    assert not one.unresolved or one.unclear is not None


@given(happenings)
def test_the_last_answer_given_in_time_stands_in_any_order(happenings: list[Happening]) -> None:
    one = invitation()
    for what, at, now in happenings:
        happen(one, what, at, now)
    given_in_time = [
        (min(at, now), place, what)
        for place, (what, at, now) in enumerate(happenings)
        if what in ("yes", "no") and min(at, now) < END
    ]
    expected = max(given_in_time)[2] if given_in_time else None
    assert one.answer == expected
