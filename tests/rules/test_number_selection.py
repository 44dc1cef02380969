"""Which of the account's numbers sends a message: `sentFrom` and `fromPolicy` (4.1)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import ApiError
from tidings.features.senders.model import Number
from tidings.features.senders.number_selection import (
    Choice,
    SenderCode,
    only_number,
    require_own,
    require_policy,
    select_number,
)

A, B, C = "972555000001", "972555000002", "972555000003"


def number(digits: str, position: int = 0, status: str = "CONNECTED") -> Number:
    return Number(
        number=digits, position=position, display_name="", phone_number_id=None, waba_id=None,
        portfolio_id=None, access_token=None, per_second=80, daily_limit=None, status=status,
        quality="GREEN",
    )  # fmt: skip


def decide(*, down: str = "", **fields: Any) -> Choice:
    """Among A, B and C, in this order of preference; those named in `down` are not ready."""
    numbers = [
        number(digits, place, "RESTRICTED" if letter in down else "CONNECTED")
        for place, (letter, digits) in enumerate(zip("ABC", (A, B, C), strict=True))
    ]
    return select_number(numbers, **{"requested": None, "policy": None, "known": None} | fields)


def only(*free: str) -> Callable[[Number], bool]:
    return lambda number: number.number in free


def chosen(choice: Choice) -> str | None:
    return choice.number.number if choice.number else None


# Fields


@pytest.mark.parametrize("policy", ["prefer", "strict", "auto"])
def test_the_three_policies_are_taken(policy: str) -> None:
    assert require_policy(policy) == policy


@pytest.mark.parametrize("policy", ["", "Prefer", "strictly", "auto ", 1, None, True, ["auto"], {}])
def test_any_other_policy_is_refused(policy: object) -> None:
    with pytest.raises(ApiError) as refusal:
        require_policy(policy)
    assert refusal.value.code is SenderCode.INVALID_FROM_POLICY
    assert refusal.value.field == "fromPolicy"
    assert "prefer, strict, auto" in refusal.value.message


def test_a_number_of_the_account_is_its_own() -> None:
    require_own([number(A), number(B)], B)


def test_a_foreign_number_is_refused() -> None:
    with pytest.raises(ApiError) as refusal:
        require_own([number(A), number(B)], "972555999999")
    assert (refusal.value.code, refusal.value.field) == (SenderCode.INVALID_SENDER, "sentFrom")
    assert refusal.value.message.startswith("sentFrom")


def test_the_refusal_names_the_field_it_came_from() -> None:
    with pytest.raises(ApiError) as refusal:
        require_own([], A, "defaults.sentFrom")
    assert refusal.value.field == "defaults.sentFrom"
    assert refusal.value.message.startswith("defaults.sentFrom")


# Nobody requested


def test_a_new_guest_starts_on_the_first_number() -> None:
    assert decide() == Choice(number(A, 0), waits_for=A)


def test_a_guest_keeps_its_number() -> None:
    assert decide(known=B) == Choice(number(B, 1), waits_for=B)
    assert chosen(decide(known=B, can_send_now=only(A, C))) == B, (
        "even when it must wait its turn there"
    )


def test_a_guest_whose_number_is_down_gets_another() -> None:
    assert chosen(decide(known=B, down="B")) == A


def test_of_the_ready_numbers_one_with_a_free_place_is_taken() -> None:
    assert chosen(decide(can_send_now=only(C))) == C
    assert chosen(decide(can_send_now=only())) == A, "none has: the first waits its turn"
    assert chosen(decide(can_send_now=only(B, "972555999999"), down="B")) == A


# prefer


@pytest.mark.parametrize("policy", [None, "prefer"])
def test_prefer_takes_the_number_asked_for_if_it_can_send_now(policy: str | None) -> None:
    for known in (None, A, C):
        choice = decide(requested=B, policy=policy, known=known)
        assert choice == Choice(number(B, 1), waits_for=B)
        assert not choice.other_than_requested


def test_prefer_takes_another_if_the_one_asked_for_cannot() -> None:
    assert decide(requested=B, down="B") == Choice(number(A, 0), A, other_than_requested=True)
    assert decide(requested=B, can_send_now=only(C)) == Choice(
        number(C, 2), C, other_than_requested=True
    )


def test_prefer_falls_back_on_the_guests_own_number_first() -> None:
    assert decide(requested=B, down="B", known=C) == Choice(
        number(C, 2), C, other_than_requested=True
    )


def test_prefer_waits_for_the_number_asked_for_when_none_is_free() -> None:
    assert decide(requested=B, can_send_now=only()) == Choice(number(B, 1), B)


# strict


def test_strict_takes_only_the_number_asked_for() -> None:
    for known in (None, A):
        assert chosen(decide(requested=B, policy="strict", known=known)) == B


def test_strict_waits_for_the_number_asked_for() -> None:
    assert decide(requested=B, policy="strict", down="B", known=A) == Choice(None, waits_for=B)
    assert decide(requested=B, policy="strict", can_send_now=only(A)) == Choice(
        number(B, 1), waits_for=B
    )


def test_strict_without_a_number_asked_for_has_nothing_to_be_strict_about() -> None:
    assert chosen(decide(policy="strict")) == A


# A number that was the account's when it was requested for, and is gone


def test_prefer_takes_another_in_place_of_a_number_that_is_gone() -> None:
    gone = "972555999999"
    assert decide(requested=gone) == Choice(number(A, 0), A, other_than_requested=True)
    assert decide(requested=gone, known=C) == Choice(number(C, 2), C, other_than_requested=True)
    assert decide(requested=gone, down="ABC") == Choice(None, waits_for=A)


def test_strict_waits_for_a_number_that_is_gone() -> None:
    gone = "972555999999"
    assert decide(requested=gone, policy="strict", known=A) == Choice(None, waits_for=gone)


# auto


def test_auto_ignores_the_number_asked_for() -> None:
    choice = decide(requested=B, policy="auto")
    assert chosen(choice) == A
    assert not choice.other_than_requested
    assert chosen(decide(requested=B, policy="auto", known=C)) == C


# Nobody can


def test_when_none_is_ready_the_message_waits_for_its_first_choice() -> None:
    assert decide(down="ABC") == Choice(None, waits_for=A)
    assert decide(down="ABC", known=C) == Choice(None, waits_for=C)
    assert decide(down="ABC", requested=B, known=C) == Choice(None, waits_for=B)
    assert decide(down="ABC", requested=B, policy="auto", known=C) == Choice(None, waits_for=C)


BROKEN = replace(number(A), fault="TOKEN_INVALID", access_token=b"old")


@pytest.mark.parametrize("requested", [None, A])
def test_a_number_with_an_open_circuit_is_probed_when_no_other_can_send(
    requested: str | None,
) -> None:
    numbers = [BROKEN, number(B, 1, "RESTRICTED")]
    wish = {"requested": requested, "policy": None, "known": None}
    choice = select_number(numbers, **wish, may_probe=lambda one: one is BROKEN)
    assert (chosen(choice), choice.waits_for, choice.other_than_requested) == (A, A, False)
    assert choice.number is not None
    assert choice.number.half_open
    assert chosen(select_number(numbers, **wish)) is None


def test_a_probe_in_place_of_the_number_asked_for_is_said_to_be_another() -> None:
    numbers = [BROKEN, number(B, 1, "RESTRICTED")]
    choice = select_number(
        numbers, requested=B, policy=None, known=None, may_probe=lambda one: one is BROKEN
    )
    assert (chosen(choice), choice.other_than_requested) == (A, True)


def test_a_number_that_nobody_has_confirmed_sends_where_no_other_is_ready() -> None:
    unconfirmed = replace(number(B, 1, "UNKNOWN"), access_token=b"sealed")
    wish = {"requested": None, "policy": None, "known": None}
    assert unconfirmed.may_send
    assert not unconfirmed.ready
    assert chosen(select_number([number(A, 0, "RESTRICTED"), unconfirmed], **wish)) == B
    assert chosen(select_number([unconfirmed, number(A, 1)], **wish)) == A


def test_a_number_that_is_down_is_not_probed() -> None:
    numbers = [number(A, 0, "RESTRICTED"), number(B, 1, "RESTRICTED")]
    wish = {"requested": None, "policy": None, "known": None}
    assert chosen(select_number(numbers, **wish, may_probe=lambda _: True)) is None


def test_an_account_without_numbers_waits_for_none() -> None:
    assert select_number([], requested=None, policy=None, known=A) == Choice(None, waits_for=None)


@pytest.mark.parametrize(
    ("status", "ready"),
    [("CONNECTED", True), ("LINKED", True), ("RESTRICTED", False), ("BANNED", False), ("", False)],
)
def test_only_a_connected_number_is_ready(status: str, ready: bool) -> None:
    assert number(A, 0, status).ready is ready


# Rates add up


def at(turns: dict[str, int]) -> Callable[[Number], datetime]:
    return lambda number: datetime(2026, 1, 1, 0, 0, turns.get(number.number, 0), tzinfo=UTC)


def test_the_number_whose_turn_comes_first_is_chosen() -> None:
    assert chosen(decide(earliest_send=at({A: 3, B: 1, C: 2}))) == B
    assert chosen(decide(earliest_send=at({A: 3, B: 1, C: 2}), can_send_now=only())) == B


def test_of_equal_turns_the_order_of_preference_decides() -> None:
    assert chosen(decide(earliest_send=at({}))) == A
    assert chosen(decide(earliest_send=at({A: 5, B: 5, C: 5}), can_send_now=only())) == A


def test_neither_the_guests_number_nor_a_wish_is_given_up_for_an_earlier_turn() -> None:
    assert chosen(decide(known=A, earliest_send=at({A: 9}))) == A
    assert chosen(decide(requested=A, policy="prefer", earliest_send=at({A: 9}))) == A


# Where nothing is to be chosen, and where none can send at once


@pytest.mark.parametrize("requested", [None, A])
@pytest.mark.parametrize("policy", [None, "prefer", "strict", "auto"])
@pytest.mark.parametrize("known", [None, A, B])
@pytest.mark.parametrize("free", [True, False])
def test_an_only_number_is_what_the_long_way_finds(
    requested: str | None, policy: str | None, known: str | None, free: bool
) -> None:
    numbers = [number(A)]
    found = select_number(
        numbers, requested=requested, policy=policy, known=known, can_send_now=lambda _: free
    )
    assert only_number(numbers, requested) == found


def test_an_only_number_that_is_not_ready_or_not_asked_for_is_no_matter_of_course() -> None:
    assert only_number([number(A, status="RESTRICTED")], None) is None
    assert only_number([number(A)], B) is None
    assert only_number([number(A), number(B)], None) is None


def turns(**by_letter: int) -> Callable[[Number], datetime]:
    hours = dict(zip((A, B, C), by_letter.values(), strict=True))
    return lambda number: datetime(2026, 1, 1, hours[number.number], tzinfo=UTC)


def test_where_none_is_free_the_first_turn_decides_and_then_the_wish() -> None:
    assert chosen(decide(requested=A, can_send_now=only(), earliest_send=turns(a=9, b=7, c=8))) == B
    assert chosen(decide(requested=C, can_send_now=only(), earliest_send=turns(a=9, b=9, c=9))) == C
    assert chosen(decide(can_send_now=only(), earliest_send=turns(a=9, b=9, c=8))) == C
    assert chosen(decide(requested=A, policy="strict", earliest_send=turns(a=9, b=7, c=8))) == A


@given(
    hours=st.lists(st.integers(0, 2), min_size=3, max_size=3),
    free=st.sets(st.sampled_from((A, B, C))),
    requested=st.sampled_from((None, A, B)),
    known=st.sampled_from((None, C)),
)
def test_knowing_the_present_only_saves_asking(
    hours: list[int], free: set[str], requested: str | None, known: str | None
) -> None:
    asks = {
        "requested": requested, "known": known, "can_send_now": only(*free),
        "earliest_send": turns(**dict(zip("abc", hours, strict=True))),
    }  # fmt: skip
    assert decide(**asks, now=datetime(2026, 1, 1, tzinfo=UTC)) == decide(**asks)
