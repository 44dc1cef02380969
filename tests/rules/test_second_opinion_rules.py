"""What a second opinion is asked, in which form it must come, and when it counts."""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.accounts import account
from tests.support.clock import NOON, ManualClock
from tests.support.outside_reader import said_in
from tidings.features.events.invitation_states import (
    Prompt,
    ReplyEvent,
    ask_back,
    defer_prompt,
    replied,
)
from tidings.features.events.model import Invitation, Unclear
from tidings.features.replies.second_opinion import protocol
from tidings.features.replies.second_opinion.breaker import FAILURES_MAX, REST, Breaker
from tidings.features.replies.second_opinion.model import Asked, Opinion
from tidings.features.replies.second_opinion.rules import (
    CONFIDENCE_MAX,
    WAIT_MAX,
    is_about,
    is_late,
    is_overtaken,
    is_worth_asking,
    to_reading,
)
from tidings.platforms.port import InboundMessage

OPTED_IN = account(second_opinion=True)
ASKED = Asked("wamid.1", NOON, NOON)
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


def said(text: str | None, payload: str | None = None) -> InboundMessage:
    return InboundMessage(
        platform_id="wamid.1", from_="972501234567", sender="972555000001", type="text",
        text=text, payload=payload, at=NOON, raw=b"{}",
    )  # fmt: skip


def invitation(**fields: object) -> Invitation:
    unclear = Unclear("972555000001", {"replyId": "wamid.1", "text": "hm"})
    usual = {"expires_at": NOON + HOUR, "event_id": "wedding", "unclear": unclear}
    ids = {"account_id": UUID(int=1), "message_id": UUID(int=2), "phone": "972501234567"}
    return Invitation(**ids | usual | {"replied_at": NOON} | fields)  # type: ignore[arg-type]


# The protocol


@given(st.text())
def test_the_words_are_one_json_string_in_a_message_of_their_own(text: str) -> None:
    assert said_in(json.loads(protocol.encode(text, "m"))) == text


@given(st.binary() | st.text().map(str.encode))
def test_any_answer_is_an_opinion_none_or_a_value_error(body: bytes) -> None:
    content = {"choices": [{"message": {"content": body.decode(errors="replace")}}]}
    protocol.decode(json.dumps(content).encode())
    with pytest.raises(ValueError):
        protocol.decode(b"x" + body)


# What counts


@pytest.mark.parametrize(
    ("opinion", "precision", "expected"),
    [
        (Opinion("yes", 3, 0.99), 0.99, ("yes", 3, CONFIDENCE_MAX)),
        (Opinion("yes", None, 0.9), 0.9, ("yes", None, CONFIDENCE_MAX)),
        (Opinion("no", 3, 1), 0.999, ("no", None, CONFIDENCE_MAX)),
        (Opinion("yes", 3, 0.98), 0.99, None),
        (Opinion("unclear", None, 1), 0.9, None),
        (None, 0.9, None),
    ],
)
def test_a_sure_yes_or_no_counts(
    opinion: Opinion | None, precision: float, expected: tuple[object, ...] | None
) -> None:
    found = to_reading(opinion, precision)
    assert (None if found is None else (found.answer, found.guests, found.confidence)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("our suitcases are at the door", True),
        ("אנחנו כבר בדרך לחנות השמלות", True),
        ("", False),
        (None, False),
        ("12:30?", False),
        ("a" * 1001, False),
        ("please remove me from your list, thanks", False),
    ],
)
def test_only_words_are_worth_asking_about(text: str | None, expected: bool) -> None:
    assert is_worth_asking(OPTED_IN, said(text), ReplyEvent.INVALID) is expected
    assert not is_worth_asking(account(), said(text), ReplyEvent.INVALID)
    assert not is_worth_asking(OPTED_IN, said(text, "a payload"), ReplyEvent.INVALID)
    assert not is_worth_asking(OPTED_IN, said(text), ReplyEvent.MESSAGE)


def test_a_reply_is_the_last_word_until_the_guest_replies_to_any_invitation() -> None:
    assert not is_overtaken([invitation(), invitation(replied_at=None)], ASKED)
    assert is_overtaken([invitation(), invitation(replied_at=NOON + SECOND)], ASKED)


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "yes"},
        {"unclear": None},
        {"unclear": Unclear("972555000001", {"replyId": "wamid.2", "text": "hm"})},
        {"expires_at": NOON},
    ],
)
def test_what_was_answered_erased_replaced_or_is_over_is_not_read(
    fields: dict[str, object],
) -> None:
    assert is_about(invitation(), ASKED)
    assert not is_about(invitation(**fields), ASKED)


def test_a_guest_waits_for_the_turn_of_a_reply_no_longer_than_the_bound() -> None:
    assert not is_late(ASKED, NOON + WAIT_MAX)
    assert is_late(ASKED, NOON + WAIT_MAX + SECOND)


# The text that waits


def test_the_text_that_asks_back_is_held_and_goes_out_once() -> None:
    one = invitation(unclear=None)
    verdict = defer_prompt(one, replied(one, None, None, NOON, NOON))
    assert (verdict.event, verdict.text, one.said_invalid) == (ReplyEvent.INVALID, None, False)
    assert verdict.watch, "the nudge and the end are set as ever"
    assert ask_back(one, NOON) is Prompt.INVALID_REPLY
    assert ask_back(one, NOON) is None
    assert defer_prompt(one, replied(one, None, None, NOON, NOON)).text is None
    assert one.said_invalid, "it was sent before"


@pytest.mark.parametrize("fields", [{"answer": "no"}, {"expires_at": NOON}])
def test_nobody_is_asked_back_who_has_answered_or_comes_too_late(
    fields: dict[str, object],
) -> None:
    assert ask_back(invitation(**fields), NOON) is None


# The breaker


def test_a_server_rests_after_failures_in_a_row_and_is_then_tried_once() -> None:
    clock = ManualClock()
    breaker = Breaker(clock)
    for _ in range(FAILURES_MAX - 1):
        breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert not breaker.is_open, "not in a row"
    for _ in range(FAILURES_MAX - 1):
        breaker.failed()
    assert breaker.is_open
    clock.advance(seconds=REST.total_seconds())
    assert not breaker.is_open
    breaker.failed()
    assert breaker.is_open
    clock.advance(seconds=REST.total_seconds())
    breaker.succeeded()
    breaker.failed()
    assert not breaker.is_open
