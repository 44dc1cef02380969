"""From when on old messages may go, and what is done with an old month."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import limits
from tidings.features.retention.rules import (
    Hold,
    MonthDecision,
    bodies_before,
    decide_month,
    may_go_at,
    messages_before,
    records_before,
)
from tidings.ids import Month

KEEP, DROP, DELETE_ROWS = MonthDecision
TIMES = st.datetimes(datetime(2001, 1, 1), datetime(2999, 1, 1), timezones=st.just(UTC))
MONTHS = st.integers(1, 120)
DAYS = st.none() | st.integers(1, 3650)
ACCOUNT = UUID(int=7)
SEPTEMBER, DUE = Month(2025, 9), datetime(2026, 11, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@given(TIMES, TIMES, MONTHS)
def test_what_may_go_and_when_are_one_rule(at: datetime, now: datetime, months: int) -> None:
    assert (at < messages_before(now, months)) == (now >= may_go_at(at, months))


@given(TIMES, MONTHS, DAYS)
def test_a_message_is_kept_for_the_whole_time(now: datetime, months: int, days: int | None) -> None:
    before = messages_before(now, months, days)
    assert Month.of(before).later(months) <= Month.of(now)
    if days is not None:
        assert before <= now - timedelta(days=days)
    assert before <= messages_before(now, months), "an account never loses messages earlier"


@given(TIMES, TIMES, MONTHS, DAYS)
def test_time_only_lets_more_go(a: datetime, b: datetime, months: int, days: int | None) -> None:
    earlier, later = sorted((a, b))
    assert messages_before(earlier, months, days) <= messages_before(later, months, days)


@given(TIMES, st.integers(1, 100))
def test_the_audit_log_is_kept_for_whole_years(now: datetime, years: int) -> None:
    before = records_before(now, years)
    assert Month.of(before) == Month.of(now)._replace(year=now.year - years)
    assert before.day == 1


def test_an_accounts_own_days_decide_about_texts() -> None:
    assert bodies_before(DUE, 90, None) == DUE - timedelta(days=90)
    assert bodies_before(DUE, 90, 7) == DUE - timedelta(days=7)
    assert bodies_before(DUE, 90, 400) == DUE - timedelta(days=400)
    assert bodies_before(DUE, None, 7) == DUE - timedelta(days=7)
    assert bodies_before(DUE, None, None) is None


def decide(now: datetime, *holds: Hold, is_whole: bool = True) -> MonthDecision:
    return decide_month(SEPTEMBER, now, 13, holds, is_whole=is_whole)


def test_a_month_is_dropped_13_months_after_its_end() -> None:
    assert decide(DUE - SECOND) is KEEP
    assert decide(DUE) is DROP


@pytest.mark.parametrize("until", [DUE + SECOND, DUE + limits.OLD_MONTH_WAIT])
def test_what_ends_soon_is_waited_for(until: datetime) -> None:
    assert decide(DUE, Hold(ACCOUNT, until)) is KEEP
    assert decide(until, Hold(ACCOUNT, until)) is DROP


def test_what_lasts_for_years_costs_the_others_their_rows_at_once() -> None:
    assert decide(DUE, Hold(ACCOUNT, DUE + limits.OLD_MONTH_WAIT + SECOND)) is DELETE_ROWS


def test_what_has_no_known_end_is_waited_for_a_while() -> None:
    assert decide(DUE, Hold(ACCOUNT)) is KEEP
    assert decide(DUE + limits.OLD_MONTH_WAIT, Hold(ACCOUNT)) is KEEP
    assert decide(DUE + limits.OLD_MONTH_WAIT + SECOND, Hold(ACCOUNT)) is DELETE_ROWS


def test_a_month_that_is_partly_in_a_default_partition_is_deleted_by_rows() -> None:
    assert decide(DUE - SECOND, is_whole=False) is KEEP
    assert decide(DUE, is_whole=False) is DELETE_ROWS


@given(TIMES, MONTHS, st.lists(st.none() | TIMES), st.booleans())
def test_nothing_that_is_held_is_ever_dropped(
    now: datetime, months: int, untils: list[datetime | None], is_whole: bool
) -> None:
    holds = [Hold(ACCOUNT, until) for until in untils]
    decision = decide_month(SEPTEMBER, now, months, holds, is_whole=is_whole)
    held = any(until is None or until > now for until in untils)
    is_due = SEPTEMBER.begins_at < messages_before(now, months)
    assert (decision is DROP) == (is_due and is_whole and not held)
    if not is_due:
        assert decision is KEEP
