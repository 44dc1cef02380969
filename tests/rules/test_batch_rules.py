"""How large a batch may be, its events, and when it will be done: as pure functions."""

import heapq
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, time, timedelta
from itertools import count
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.accounts import account
from tidings import ids
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import SendWindow
from tidings.features.batches import forecast
from tidings.features.batches.parse import with_path
from tidings.features.batches.rules import (
    NoPublication,
    Progress,
    PublishCompleted,
    PublishProgress,
    decide_publication,
    require_size,
)
from tidings.features.messages.accept import scheduling
from tidings.features.messages.model import Message, Status
from tidings.features.messages.state import transitions
from tidings.features.senders import rate_limiter
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.model import Number
from tidings.features.senders.quotas import ACCOUNT, RollingCounter, UniqueRecipients, counter_of
from tidings.features.senders.rate_limiter import RateLimiter

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)

# How large


@pytest.mark.parametrize(("texts", "media"), [(1000, 50), (0, 50), (1000, 0), (1, 0)])
def test_a_batch_within_both_limits_passes(texts: int, media: int) -> None:
    require_size(texts, media)


@pytest.mark.parametrize(
    ("texts", "media", "words"), [(1001, 0, "1000 text"), (0, 51, "50 media"), (1001, 51, "1000")]
)
def test_a_batch_beyond_either_is_too_large(texts: int, media: int, words: str) -> None:
    with pytest.raises(ApiError) as refusal:
        require_size(texts, media)
    assert (refusal.value.code, refusal.value.field) == (Code.BATCH_TOO_LARGE, "messages")
    assert words in refusal.value.message


# Where a refusal of an item lies


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("to must be digits", "messages[3].to must be digits"),
        ("number must be digits", "messages[3].to: number must be digits"),
    ],
)
def test_the_words_of_a_refusal_name_the_whole_path(message: str, shown: str) -> None:
    there = with_path(ApiError(Code.INVALID_PHONE, message, field="to", why=1), "messages[3]")
    assert (there.field, there.message) == ("messages[3].to", shown)
    assert (there.code, there.extra) == (Code.INVALID_PHONE, {"why": 1})
    assert with_path(there, "messages[3]") is there


# Which events are published


def news(total: int, published_percent: int = 0, seconds: float = 0, **by_status: int) -> str:
    decided = decide_publication(
        Progress(total, by_status),
        published_percent=published_percent,
        published_at=NOON,
        now=NOON + timedelta(seconds=seconds),
    )
    return type(decided).__name__


@pytest.mark.parametrize(
    ("by_status", "published_percent", "seconds", "expected"),
    [
        ({"queued": 100}, 0, 59.999, NoPublication),
        ({"queued": 100}, 0, 60, PublishProgress),
        ({"queued": 96, "sent": 4}, 0, 0, NoPublication),
        ({"queued": 95, "sent": 5}, 0, 0, PublishProgress),
        ({"queued": 91, "sent": 9}, 5, 0, NoPublication),
        ({"queued": 90, "sent": 10}, 5, 0, PublishProgress),
        ({"queued": 90, "sent": 10}, 9, 0, PublishProgress),
        ({"queued": 1, "sent": 99}, 95, 0, NoPublication),
        ({"deferred": 1, "sent": 99}, 95, 60, PublishProgress),
        ({"deferred": 1, "sent": 99}, 99, 60, NoPublication),
        ({"scheduled": 100}, 0, 60, NoPublication),
        ({"scheduled": 60, "deferred": 40}, 0, 6000, NoPublication),
        ({"scheduled": 99, "queued": 1}, 0, 60, PublishProgress),
        ({"scheduled": 99, "sending": 1}, 0, 60, PublishProgress),
        ({"sending": 1, "read": 99}, 95, 0, NoPublication),
        ({"sent": 100}, 95, 0, PublishCompleted),
        ({"cancelled": 100}, 0, 0, PublishCompleted),
        ({"read": 40, "failed": 30, "expired": 20, "cancelled": 10}, 0, 0, PublishCompleted),
    ],
)
def test_progress_is_published_every_five_percent_or_minute_and_the_end_as_such(
    by_status: dict[str, int], published_percent: int, seconds: float, expected: type
) -> None:
    assert news(100, published_percent, seconds, **by_status) == expected.__name__


@pytest.mark.parametrize(
    ("total", "sent", "published_percent", "expected"),
    [
        (100, 1, 0, PublishProgress),
        (100, 1, 1, NoPublication),  # a percent is a message: nothing happened since
        (101, 1, 0, PublishProgress),  # less than a percent, and still something happened
        (101, 0, 0, NoPublication),
        (1000, 9, 0, PublishProgress),
    ],
)
def test_after_a_minute_what_is_less_than_a_percent_counts_in_a_large_batch(
    total: int, sent: int, published_percent: int, expected: type
) -> None:
    waiting = {"deferred": total - sent}
    assert news(total, published_percent, 60, sent=sent, **waiting) == expected.__name__


def test_an_empty_batch_is_complete() -> None:
    assert Progress(0, {}).percent == 100
    assert news(0) == "PublishCompleted"


@given(st.integers(1, 1000), st.data())
def test_a_percentage_is_whole_and_reaches_100_only_at_the_end(total: int, data) -> None:
    pending = data.draw(st.integers(0, total))
    progress = Progress(total, {"queued": pending, "sent": total - pending})
    assert 0 <= progress.percent <= 100
    assert (progress.percent == 100) == progress.is_complete == (pending == 0)


@given(st.integers(1, 400))
def test_one_after_another_a_batch_publishes_progress_at_most_twenty_times(total: int) -> None:
    decisions, percent = [], 0
    for left in range(1, total + 1):
        progress = Progress(total, {"queued": total - left, "sent": left})
        decided = decide_publication(
            progress, published_percent=percent, published_at=NOON, now=NOON
        )
        if not isinstance(decided, NoPublication):
            percent = progress.percent
            decisions.append(decided)
    assert len(decisions) <= 20
    assert [type(decided) for decided in decisions].count(PublishCompleted) == 1
    if total >= 100:
        assert len(decisions) == 20


@pytest.mark.parametrize(
    ("by_status", "moving"),
    [
        ({"queued": 1}, True),
        ({"sending": 1, "sent": 9}, True),
        ({"scheduled": 5, "deferred": 5}, False),
        ({"sent": 5}, False),
    ],
)
def test_a_batch_moves_while_something_of_it_has_its_turn(
    by_status: dict[str, int], moving: bool
) -> None:
    assert Progress(10, by_status).in_progress is moving


# The turns of a cancelled batch


def planned(limiter: RateLimiter, count: int) -> list[datetime]:
    return [rate_limiter.plan_slot(limiter, NOON) for _ in range(count)]


@pytest.mark.parametrize("passcodes", [False, True])
def test_the_turns_at_the_end_of_the_row_are_taken_by_who_comes_next(passcodes: bool) -> None:
    limiter = RateLimiter(3, passcodes)
    planned(limiter, 10)
    cancelled = planned(limiter, 20)
    rate_limiter.release_planned(limiter, cancelled[0], cancelled[-1])
    assert planned(limiter, 20) == cancelled


def test_turns_with_others_behind_them_are_left() -> None:
    limiter = RateLimiter(3)
    cancelled, behind = planned(limiter, 10), planned(limiter, 10)
    rate_limiter.release_planned(limiter, cancelled[0], cancelled[-1])
    assert planned(limiter, 1)[0] > behind[-1]


def test_a_row_that_was_never_planned_stays_so() -> None:
    limiter = RateLimiter(3)
    rate_limiter.release_planned(limiter, NOON, NOON)
    assert (limiter.planned_until, limiter.changed) == (None, False)


# When it will be done: the batch is sent in a world of our own, by the rules of the real one

NUMBER = Number("972555000001", 0, "", None, None, None, None, 1, None, "CONNECTED", "GREEN")


class World:
    """One account with one number, and a worker that does with due messages what `intent` does."""

    def __init__(
        self,
        *,
        rate: int,
        window: SendWindow | None = None,
        daily: int | None = None,
        people: int | None = None,
        paused: bool = False,
        ready: bool = True,
        passcodes: bool = False,
    ) -> None:
        status = "CONNECTED" if ready else "RESTRICTED"
        self.number = Number(
            NUMBER.number, 0, "", None, None, None, None, rate, people, status, "GREEN"
        )
        self.account = account(send_window=window, daily_limit=daily, paused=paused)
        counters = {} if daily is None else {(self.account.id, ACCOUNT): RollingCounter(daily)}
        counter = (self.account.id, counter_of(self.number))
        key = (self.account.id, self.number.number)
        self.capacity = Capacity(
            limiters={key: RateLimiter(rate, passcodes)},
            counters=counters,
            unique_recipients={}
            if people is None
            else {counter: UniqueRecipients(RollingCounter(people))},
            guards={(self.account.id, ACCOUNT): key, counter: key},
        )
        self.due: list[tuple[datetime, int, Message]] = []
        self.places: Iterator[int] = count()

    def take(self, now: datetime, messages: list[Message]) -> list[Message]:
        for message in messages:
            self._turn(message, now, arriving=True)
        return messages

    def message(
        self, now: datetime, person: int, *, after: timedelta | None = None, batch: bool = True
    ) -> Message:
        return Message(
            account_id=self.account.id,
            id=ids.new_id(),
            client_message_id="",
            kind="notification",
            recipient=f"97250{person:07}",
            status=Status.QUEUED,
            created_at=now,
            times_out_at=now,
            batch_id=UUID(int=2) if batch else None,
            scheduled_for=None if after is None else now + after,
            number=self.number.number,
        )

    def forecast(self, now: datetime, messages: list[Message]) -> forecast.Timestamps:
        """On a copy: asking changes nothing."""
        forecast_inputs = forecast.ForecastInputs(
            self.account, {self.number.number: self.number}, deepcopy(self.capacity), now
        )
        mine = {message.id for message in messages}
        others = [message for _, _, message in sorted(self.due) if message.id not in mine]
        asked = forecast.needs_simulation(forecast_inputs, messages)
        return forecast.estimates(forecast_inputs, messages, others if asked else ())

    def run(self) -> dict[UUID, datetime]:
        """Play until all have gone; when each went."""
        gone = {}
        while self.due:
            now, _, message = heapq.heappop(self.due)
            if self._turn(message, now):
                gone[message.id] = now
        return gone

    def _turn(self, message: Message, now: datetime, *, arriving: bool = False) -> bool:
        number = self.number if self.number.ready else None
        turn = scheduling.decide_and_reserve(
            message, self.account, number, self.capacity, now,
            in_conversation=False, arriving=arriving,
        )  # fmt: skip
        if isinstance(turn, scheduling.Go):
            transitions.claim(message, self.number.number, now)
            return True
        if isinstance(turn, scheduling.Queue):
            transitions.queued(message, turn.at, now)
        elif turn.reason is None:
            message.status = Status.SCHEDULED
        else:
            message.planned_at = None
            transitions.held(message, turn.reason, turn.at, now)
        if turn.at is not None:
            heapq.heappush(self.due, (turn.at, next(self.places), message))
        return False


def the_last(estimates: forecast.Timestamps) -> datetime:
    known = [estimate for estimate in estimates.values() if estimate is not None]
    assert len(known) == len(estimates)
    return max(known)


def at(hours: int, minutes: int) -> time:
    return time(hours, minutes)


windows = st.none() | st.builds(
    lambda opens, length: SendWindow(
        time((opens // 60) % 24, opens % 60),
        time(((opens + length) // 60) % 24, (opens + length) % 60),
        "UTC",
    ),
    st.integers(11 * 60, 13 * 60),
    st.sampled_from([1, 2, 5, 60, 600]),
)
afters = st.none() | st.integers(0, 300).map(lambda seconds: timedelta(seconds=seconds))


@settings(max_examples=80, deadline=None)
@given(
    rate=st.sampled_from([1, 2, 3, 7, 80]),
    window=windows,
    daily=st.none() | st.integers(5, 60),
    people=st.none() | st.integers(5, 60),
    passcodes=st.booleans(),
    before=st.lists(st.tuples(st.integers(0, 30), afters, st.booleans()), max_size=40),
    batch=st.lists(st.tuples(st.integers(0, 40), afters), min_size=1, max_size=60),
)
def test_no_message_goes_later_than_was_estimated(
    rate, window, daily, people, passcodes, before, batch
) -> None:
    world = World(rate=rate, window=window, daily=daily, people=people, passcodes=passcodes)
    earlier = [
        world.message(NOON, person, after=after, batch=batched) for person, after, batched in before
    ]
    world.take(NOON, earlier)
    messages = [world.message(NOON, person, after=after) for person, after in batch]
    world.take(NOON, messages)
    estimates = world.forecast(NOON, messages)
    gone = world.run()
    truth = max(gone[message.id] for message in messages)
    assert truth <= the_last(estimates)


@pytest.mark.parametrize("rate", [1, 7, 80])
@pytest.mark.parametrize("size", [1, 50, 1000])
def test_the_estimate_is_at_most_twice_the_truth_and_a_minute(rate: int, size: int) -> None:
    world = World(rate=rate)
    messages = world.take(NOON, [world.message(NOON, n) for n in range(size)])
    end = the_last(world.forecast(NOON, messages))
    truth = max(world.run().values())
    assert truth <= end <= NOON + 2 * (truth - NOON) + MINUTE + SECOND


def test_waiting_for_an_hour_is_not_doubled() -> None:
    world = World(rate=80)
    messages = world.take(NOON, [world.message(NOON, n, after=30 * DAY) for n in range(100)])
    end = the_last(world.forecast(NOON, messages))
    assert 30 * DAY <= end - NOON < 30 * DAY + 2 * MINUTE


def test_a_batch_that_outlasts_the_window_ends_the_next_day() -> None:
    world = World(rate=1, window=SendWindow(at(11, 0), at(12, 1), "UTC"))
    messages = world.take(NOON, [world.message(NOON, n) for n in range(100)])
    estimates = world.forecast(NOON, messages)
    first, last = estimates[messages[0].id], estimates[messages[-1].id]
    assert first is not None and last is not None
    assert first <= NOON + 2 * MINUTE
    assert NOON + 23 * 60 * MINUTE < last < NOON + 23 * 60 * MINUTE + 5 * MINUTE
    assert max(world.run().values()) <= last


def test_what_was_taken_before_for_the_same_hour_goes_first() -> None:
    world = World(rate=10)
    for _ in range(20):
        world.take(NOON, [world.message(NOON, n, after=DAY) for n in range(100)])
    messages = world.take(NOON, [world.message(NOON, n, after=DAY) for n in range(100)])
    end = the_last(world.forecast(NOON, messages))
    truth = max(world.run().values())
    assert truth > NOON + DAY + 200 * SECOND, "two thousand messages at ten a second"
    assert truth <= end < NOON + DAY + 10 * MINUTE


@pytest.mark.parametrize("after", [None, DAY])
@pytest.mark.parametrize("trouble", [{"paused": True}, {"ready": False}])
def test_nobody_knows_when_a_person_acts(trouble: dict[str, bool], after: timedelta | None) -> None:
    world = World(rate=80, **trouble)
    messages = world.take(NOON, [world.message(NOON, 1, after=after)])
    assert list(world.forecast(NOON, messages).values()) == [None]


def test_a_limit_of_nothing_is_never_over() -> None:
    world = World(rate=80, daily=0)
    messages = world.take(NOON, [world.message(NOON, n, after=DAY) for n in (1, 2)])
    assert list(world.forecast(NOON, messages).values()) == [None, None]
