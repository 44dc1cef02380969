"""How a number fares: when one message may try again, how slowly it sends, how it recovers."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.support.made import account
from tidings import limits
from tidings.features.senders import pace as paces
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.model import Number
from tidings.features.senders.pace import Pace
from tidings.features.senders.strain import (
    Strain,
    begin_fault,
    end_fault,
    slow_down,
    steps_at,
    trial_wait,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def number() -> Strain:
    return Strain("CONNECTED", "GREEN", b"sealed")


def test_trials_become_rarer_up_to_one_an_hour() -> None:
    waits = [trial_wait(faults) // MINUTE for faults in (1, 2, 3, 4, 5, 6, 7, 8, 1000)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_fault_stops_the_number_until_its_trial() -> None:
    strain = number()
    begin_fault(strain, "ACCOUNT_LOCKED", NOON, on_trial=False)
    assert (strain.fault, strain.faults, strain.trial_at) == ("ACCOUNT_LOCKED", 1, NOON + MINUTE)


def test_a_trial_belongs_to_the_token_of_now() -> None:
    """What was read just before `tidings apply` brought a new token must not use up its trial."""
    ours = account(environment="live")
    now_has = Capacity({(ours.id, "972555000001"): Pace(80, access_token=b"new")}, {}, {})

    def blocked(token: bytes) -> Number:
        return Number(
            "972555000001", 0, "", "1", "2", None, token, 80, None, "CONNECTED", "GREEN",
            fault="ACCOUNT_LOCKED",
        )  # fmt: skip

    assert now_has.may_try(ours, blocked(b"new"), NOON)
    assert not now_has.may_try(ours, blocked(b"old"), NOON)


def test_others_that_were_on_their_way_change_nothing() -> None:
    strain = number()
    begin_fault(strain, "ACCOUNT_LOCKED", NOON, on_trial=False)
    begin_fault(strain, "ACCESS_TOKEN_INVALID", NOON + MINUTE, on_trial=False)
    assert (strain.fault, strain.faults, strain.trial_at) == ("ACCOUNT_LOCKED", 1, NOON + MINUTE)


def test_a_trial_that_fails_says_why_and_waits_longer() -> None:
    strain = number()
    begin_fault(strain, "ACCOUNT_LOCKED", NOON, on_trial=False)
    begin_fault(strain, "ACCESS_TOKEN_INVALID", NOON + MINUTE, on_trial=True)
    assert (strain.fault, strain.faults) == ("ACCESS_TOKEN_INVALID", 2)
    assert (strain.fault_at, strain.trial_at) == (NOON, NOON + 3 * MINUTE)


def test_a_relapse_within_the_hour_goes_on_where_it_was() -> None:
    strain = number()
    begin_fault(strain, "ACCOUNT_LOCKED", NOON, on_trial=False)
    end_fault(strain, NOON + MINUTE)
    assert strain.fault is None and strain.trial_at is None
    relapse = NOON + MINUTE + limits.FAULT_RELAPSE
    soon, late = number(), number()
    for each in (soon, late):
        each.faults, each.fault_at = strain.faults, strain.fault_at
    begin_fault(soon, "ACCOUNT_LOCKED", relapse - timedelta(seconds=1), on_trial=False)
    begin_fault(late, "ACCOUNT_LOCKED", relapse, on_trial=False)
    assert (soon.faults, late.faults) == (2, 1)


def test_what_has_no_fault_cannot_end_one() -> None:
    strain = number()
    end_fault(strain, NOON)
    assert strain == number()


def test_throttling_halves_once_for_all_that_were_on_their_way_together() -> None:
    strain = number()
    for ms in range(0, 5000, 50):
        slow_down(strain, 1, NOON + timedelta(milliseconds=ms))
    assert (strain.slowed, strain.slowed_at) == (1, NOON)
    slow_down(strain, 1, NOON + timedelta(seconds=5))
    assert strain.slowed == 2


def test_a_number_held_back_for_spam_is_slowed_all_the_way_at_once() -> None:
    strain = number()
    slow_down(strain, 1, NOON)
    slow_down(strain, limits.SLOW_STEPS_MAX, NOON + timedelta(seconds=1))
    assert strain.slowed == limits.SLOW_STEPS_MAX


def test_a_limit_that_is_not_about_the_rate_changes_nothing() -> None:
    strain = number()
    slow_down(strain, 2, NOON)
    slow_down(strain, 0, NOON + MINUTE)
    assert (strain.slowed, strain.slowed_at) == (2, NOON)


def test_it_recovers_a_step_a_minute_and_throttling_goes_on_from_there() -> None:
    assert [steps_at(3, NOON, NOON + n * MINUTE) for n in range(5)] == [3, 2, 1, 0, 0]
    strain = number()
    slow_down(strain, 3, NOON)
    slow_down(strain, 1, NOON + 2 * MINUTE)
    assert strain.slowed == 2


def test_a_clock_that_goes_back_gives_nothing_back() -> None:
    assert steps_at(3, NOON, NOON - timedelta(hours=1)) == 3
    assert steps_at(0, None, NOON) == 0
    assert steps_at(3, None, NOON) == 0


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 300)), max_size=40))
def test_whatever_happens_the_steps_stay_within_bounds(moves: list[tuple[int, int]]) -> None:
    strain, now = number(), NOON
    for steps, seconds in moves:
        now += timedelta(seconds=seconds)
        slow_down(strain, steps, now)
        assert 0 <= steps_at(strain.slowed, strain.slowed_at, now) <= limits.SLOW_STEPS_MAX
    assert steps_at(strain.slowed, strain.slowed_at, now + timedelta(hours=1)) == 0


# The rate itself


def sent_within(pace: Pace, start: datetime, span: timedelta) -> int:
    count = 0
    while paces.take(pace, start) < start + span:
        count += 1
    return count


def test_a_slowed_number_has_half_the_slots() -> None:
    second = timedelta(seconds=1)
    assert sent_within(Pace(80), NOON, second) == 80
    assert sent_within(Pace(80, slowed=1, slowed_at=NOON), NOON, second) == 40
    assert sent_within(Pace(80, slowed=3, slowed_at=NOON), NOON, second) == 10


def test_a_number_slowed_all_the_way_sends_one_in_a_quarter_of_a_minute() -> None:
    pace = Pace(80, slowed=limits.SLOW_STEPS_MAX, slowed_at=NOON)
    first, second = paces.take(pace, NOON), paces.take(pace, NOON)
    assert timedelta(seconds=10) < second - first < timedelta(seconds=20)


def test_the_slowest_number_still_sends() -> None:
    pace = Pace(1, has_passcodes=True, slowed=limits.SLOW_STEPS_MAX, slowed_at=NOON)
    paces.take(pace, NOON, passcode=True)
    paces.take(pace, NOON)
    assert paces.take(pace, NOON) - NOON <= timedelta(seconds=100)


def test_passcodes_are_slowed_like_the_rest() -> None:
    quick = Pace(80, has_passcodes=True)
    slow = Pace(80, has_passcodes=True, slowed=2, slowed_at=NOON)
    for pace in (quick, slow):
        paces.take(pace, NOON)
        paces.take(pace, NOON, passcode=True)
    assert quick.otp_next_free_at is not None and slow.otp_next_free_at is not None
    assert slow.otp_next_free_at - NOON == 4 * (quick.otp_next_free_at - NOON)
