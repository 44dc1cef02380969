"""The request rate: exact, fair, bounded in memory."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import ManualClock
from tidings.engine.rate import MemoryRate, Verdict, decide_rate

limits = st.integers(1, 700)
gaps = st.lists(
    st.one_of(st.just(0.0), st.floats(0, 2), st.floats(0, 90), st.just(60.0)), max_size=300
)


@given(limits, gaps)
def test_a_client_within_its_limit_in_every_minute_is_never_refused(per_minute, waits):
    clock = ManualClock()
    rate = MemoryRate(clock)
    recent: deque[float] = deque()
    for wait in waits:
        clock.advance(seconds=wait)
        now = clock.monotonic()
        while recent and now - recent[0] >= 60:
            recent.popleft()
        if len(recent) < per_minute:
            recent.append(now)
            assert rate.take_now("account", per_minute).allowed


@given(limits, gaps)
def test_sleeping_retry_after_always_admits(per_minute, waits):
    clock = ManualClock()
    rate = MemoryRate(clock)
    for wait in waits:
        clock.advance(seconds=wait)
        verdict = rate.take_now("account", per_minute)
        if not verdict.allowed:
            assert 1 <= verdict.retry_after <= 60
            clock.advance(seconds=verdict.retry_after)
            assert rate.take_now("account", per_minute).allowed


@given(limits, gaps)
def test_in_the_long_run_no_more_than_the_limit_gets_in(per_minute, waits):
    clock = ManualClock()
    rate = MemoryRate(clock)
    admitted = 0
    for wait in waits:
        clock.advance(seconds=wait)
        admitted += rate.take_now("account", per_minute).allowed
    minutes = clock.monotonic() / 60
    assert admitted <= per_minute * minutes + per_minute


@given(limits, gaps)
def test_remaining_is_how_many_more_are_let_in_at_once(per_minute, waits):
    clock = ManualClock()
    rate = MemoryRate(clock)
    for wait in waits[:20]:
        clock.advance(seconds=wait)
        rate.take_now("account", per_minute)
    clock.advance(seconds=7)
    said = rate.take_now("account", per_minute).remaining
    more = [rate.take_now("account", per_minute).allowed for _ in range(said + 1)]
    assert more == [True] * said + [False]


def test_an_idle_account_has_its_whole_limit_at_once_and_no_more():
    rate = MemoryRate(ManualClock())
    verdicts = [rate.take_now("account", 600) for _ in range(601)]
    assert verdicts[0] == Verdict(True, 600, 599, 1, 0)
    assert [verdict.allowed for verdict in verdicts] == [True] * 600 + [False]
    assert verdicts[-1] == Verdict(False, 600, 0, 60, 1)


SECOND = 1_000_000_000
NOW = 1_000 * SECOND


@pytest.mark.parametrize(
    ("ahead", "verdict", "free_in"),
    [
        # `ahead`: nanoseconds until the whole limit of 60 a minute would be available again.
        (-SECOND, Verdict(True, 60, 59, 1, 0), SECOND),
        (0, Verdict(True, 60, 59, 1, 0), SECOND),
        (1, Verdict(True, 60, 58, 2, 0), SECOND + 1),
        (58 * SECOND, Verdict(True, 60, 1, 59, 0), 59 * SECOND),
        (59 * SECOND, Verdict(True, 60, 0, 60, 0), 60 * SECOND),
        (59 * SECOND + 1, Verdict(False, 60, 0, 60, 1), 59 * SECOND + 1),
        (60 * SECOND, Verdict(False, 60, 0, 60, 1), 60 * SECOND),
        (60 * SECOND + 1, Verdict(False, 60, 0, 61, 2), 60 * SECOND + 1),
    ],
)
def test_a_limit_is_kept_to_the_nanosecond(ahead, verdict, free_in):
    assert decide_rate(NOW + ahead, NOW, 60) == (verdict, NOW + free_in)


async def test_accounts_do_not_share_their_limits():
    rate = MemoryRate(ManualClock())
    assert (await rate.take("one", 1)).allowed
    assert not (await rate.take("one", 1)).allowed
    assert (await rate.take("two", 1)).allowed


def test_keys_whose_limit_is_free_again_are_forgotten():
    clock = ManualClock()
    rate = MemoryRate(clock)
    for number in range(5000):
        rate.take_now(number, 60)
        clock.advance(seconds=0.1)
    assert len(rate) <= 1025


def test_a_flood_of_keys_stays_within_bounds():
    rate = MemoryRate(ManualClock(), keys_max=2000)
    for number in range(20_000):
        rate.take_now(number, 60)
    assert len(rate) <= 4001
    few = MemoryRate(ManualClock(), keys_max=1100)
    for number in range(3000):
        few.take_now(number, 60)
    assert len(few) <= 2201
    exact = MemoryRate(ManualClock(), keys_max=1025)
    for number in range(1025):
        exact.take_now(number, 60)
    assert len(exact) == 1025, "so many are kept, and the next sweep drops the oldest"
    assert not exact.take_now(0, 1).allowed


@pytest.mark.parametrize("microseconds", [482_637_352, 199_615_329, 453_233_942, 214_229_068])
def test_no_timestamp_comes_out_a_nanosecond_early(microseconds):
    """A minute later their product with a thousand million falls short of the whole number."""
    clock = ManualClock()
    rate = MemoryRate(clock)
    clock.advance(microseconds=microseconds)
    rate.take_now("account", 1)
    clock.advance(seconds=rate.take_now("account", 1).retry_after)
    assert rate.take_now("account", 1).allowed
