"""How a number fares: when one message may try again, how slowly it sends, how it recovers."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.support.accounts import account
from tidings import limits
from tidings.features.senders import rate_limiter
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.model import Number
from tidings.features.senders.number_health import (
    NumberHealth,
    close_circuit,
    half_open_delay,
    halve_rate,
    halvings_at,
    open_circuit,
)
from tidings.features.senders.rate_limiter import RateLimiter

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def number() -> NumberHealth:
    return NumberHealth("CONNECTED", "GREEN", b"sealed")


def test_trials_become_rarer_up_to_one_an_hour() -> None:
    waits = [half_open_delay(faults) // MINUTE for faults in (1, 2, 3, 4, 5, 6, 7, 8, 1000)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_fault_stops_the_number_until_its_trial() -> None:
    health = number()
    open_circuit(health, "ACCOUNT_LOCKED", NOON, half_open=False)
    assert (health.fault, health.faults, health.half_open_at) == (
        "ACCOUNT_LOCKED",
        1,
        NOON + MINUTE,
    )


def test_a_trial_belongs_to_the_token_of_now() -> None:
    """What was read just before `tidings apply` brought a new token must not use up its probe."""
    ours = account(environment="live")
    now_has = Capacity(
        {(ours.id, "972555000001"): RateLimiter(80, access_token=b"new")}, {}, {}, {}
    )

    def blocked(token: bytes) -> Number:
        return Number(
            "972555000001", 0, "", "1", "2", None, token, 80, None, "CONNECTED", "GREEN",
            fault="ACCOUNT_LOCKED",
        )  # fmt: skip

    assert now_has.may_probe(ours, blocked(b"new"), NOON)
    assert not now_has.may_probe(ours, blocked(b"old"), NOON)


def test_others_that_were_on_their_way_change_nothing() -> None:
    health = number()
    open_circuit(health, "ACCOUNT_LOCKED", NOON, half_open=False)
    open_circuit(health, "ACCESS_TOKEN_INVALID", NOON + MINUTE, half_open=False)
    assert (health.fault, health.faults, health.half_open_at) == (
        "ACCOUNT_LOCKED",
        1,
        NOON + MINUTE,
    )


def test_a_trial_that_fails_says_why_and_waits_longer() -> None:
    health = number()
    open_circuit(health, "ACCOUNT_LOCKED", NOON, half_open=False)
    open_circuit(health, "ACCESS_TOKEN_INVALID", NOON + MINUTE, half_open=True)
    assert (health.fault, health.faults) == ("ACCESS_TOKEN_INVALID", 2)
    assert (health.fault_at, health.half_open_at) == (NOON, NOON + 3 * MINUTE)


def test_a_relapse_within_the_hour_goes_on_where_it_was() -> None:
    health = number()
    open_circuit(health, "ACCOUNT_LOCKED", NOON, half_open=False)
    close_circuit(health, NOON + MINUTE)
    assert health.fault is None and health.half_open_at is None
    relapse = NOON + MINUTE + limits.FAULT_RELAPSE
    soon, late = number(), number()
    for each in (soon, late):
        each.faults, each.fault_at = health.faults, health.fault_at
    open_circuit(soon, "ACCOUNT_LOCKED", relapse - timedelta(seconds=1), half_open=False)
    open_circuit(late, "ACCOUNT_LOCKED", relapse, half_open=False)
    assert (soon.faults, late.faults) == (2, 1)


def test_what_has_no_fault_cannot_end_one() -> None:
    health = number()
    close_circuit(health, NOON)
    assert health == number()


def test_throttling_halves_once_for_all_that_were_on_their_way_together() -> None:
    health = number()
    for ms in range(0, 5000, 50):
        halve_rate(health, 1, NOON + timedelta(milliseconds=ms))
    assert (health.rate_halvings, health.rate_halved_at) == (1, NOON)
    halve_rate(health, 1, NOON + timedelta(seconds=5))
    assert health.rate_halvings == 2


def test_a_number_held_back_for_spam_is_slowed_all_the_way_at_once() -> None:
    health = number()
    halve_rate(health, 1, NOON)
    halve_rate(health, limits.RATE_HALVINGS_MAX, NOON + timedelta(seconds=1))
    assert health.rate_halvings == limits.RATE_HALVINGS_MAX


def test_a_limit_that_is_not_about_the_rate_changes_nothing() -> None:
    health = number()
    halve_rate(health, 2, NOON)
    halve_rate(health, 0, NOON + MINUTE)
    assert (health.rate_halvings, health.rate_halved_at) == (2, NOON)


def test_it_recovers_a_step_a_minute_and_throttling_goes_on_from_there() -> None:
    assert [halvings_at(3, NOON, NOON + n * MINUTE) for n in range(5)] == [3, 2, 1, 0, 0]
    health = number()
    halve_rate(health, 3, NOON)
    halve_rate(health, 1, NOON + 2 * MINUTE)
    assert health.rate_halvings == 2


def test_a_clock_that_goes_back_gives_nothing_back() -> None:
    assert halvings_at(3, NOON, NOON - timedelta(hours=1)) == 3
    assert halvings_at(0, None, NOON) == 0
    assert halvings_at(3, None, NOON) == 0


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 300)), max_size=40))
def test_whatever_happens_the_steps_stay_within_bounds(moves: list[tuple[int, int]]) -> None:
    health, now = number(), NOON
    for steps, seconds in moves:
        now += timedelta(seconds=seconds)
        halve_rate(health, steps, now)
        assert (
            0
            <= halvings_at(health.rate_halvings, health.rate_halved_at, now)
            <= limits.RATE_HALVINGS_MAX
        )
    assert halvings_at(health.rate_halvings, health.rate_halved_at, now + timedelta(hours=1)) == 0


# The rate itself


def sent_within(limiter: RateLimiter, start: datetime, span: timedelta) -> int:
    count = 0
    while rate_limiter.take_slot(limiter, start) < start + span:
        count += 1
    return count


def test_a_slowed_number_has_half_the_slots() -> None:
    second = timedelta(seconds=1)
    assert sent_within(RateLimiter(80), NOON, second) == 80
    assert sent_within(RateLimiter(80, rate_halvings=1, rate_halved_at=NOON), NOON, second) == 40
    assert sent_within(RateLimiter(80, rate_halvings=3, rate_halved_at=NOON), NOON, second) == 10


def test_a_number_slowed_all_the_way_sends_one_in_a_quarter_of_a_minute() -> None:
    limiter = RateLimiter(80, rate_halvings=limits.RATE_HALVINGS_MAX, rate_halved_at=NOON)
    first, second = rate_limiter.take_slot(limiter, NOON), rate_limiter.take_slot(limiter, NOON)
    assert timedelta(seconds=10) < second - first < timedelta(seconds=20)


def test_the_slowest_number_still_sends() -> None:
    limiter = RateLimiter(
        1, has_passcodes=True, rate_halvings=limits.RATE_HALVINGS_MAX, rate_halved_at=NOON
    )
    rate_limiter.take_slot(limiter, NOON, passcode=True)
    rate_limiter.take_slot(limiter, NOON)
    assert rate_limiter.take_slot(limiter, NOON) - NOON <= timedelta(seconds=100)


def test_passcodes_are_slowed_like_the_rest() -> None:
    quick = RateLimiter(80, has_passcodes=True)
    slow = RateLimiter(80, has_passcodes=True, rate_halvings=2, rate_halved_at=NOON)
    for limiter in (quick, slow):
        rate_limiter.take_slot(limiter, NOON)
        rate_limiter.take_slot(limiter, NOON, passcode=True)
    assert quick.otp_next_free_at is not None and slow.otp_next_free_at is not None
    assert slow.otp_next_free_at - NOON == 4 * (quick.otp_next_free_at - NOON)
