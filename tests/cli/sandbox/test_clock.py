"""`tidings clock` and the lengths of time that it takes."""

from datetime import timedelta

import pytest

from tests.support.commands import Done, run
from tests.support.service import TestAccount
from tidings.cli.sandbox.durations import in_words, parse_duration


def clock(*words: str, account: TestAccount) -> Done:
    return run("clock", *words, "--url", account.service.url, "--key", account.key)


def test_the_clock_is_shown_and_advanced(account: TestAccount) -> None:
    assert clock("show", account=account).good().endswith("Z, as the real time\n")
    moved = clock("advance", "2h", account=account)
    assert moved.good().endswith("Z, 2 hours ahead of the real time\n")
    more = clock("advance", "1d30m", "--json", account=account).json()
    assert (more["offsetSeconds"], more["pending"]) == (26 * 3600 + 1800, 0)
    assert clock("show", "--json", account=account).json()["offsetSeconds"] == 26 * 3600 + 1800


def test_a_length_of_time_that_is_none_is_a_wrong_call(account: TestAccount) -> None:
    for text in ("2", "h", "0s", "-2h", "2 parsecs"):
        done = clock("advance", "--", text, account=account)
        assert done.code == 2, done
    assert "such as 90s, 15m, 2h" in clock("advance", "soon", account=account).err


def test_a_step_beyond_ten_years_is_refused(account: TestAccount) -> None:
    clock("advance", "9999d", account=account).refused("advanceSeconds")


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("90s", timedelta(seconds=90)),
        ("15m", timedelta(minutes=15)),
        ("2H", timedelta(hours=2)),
        ("1h 30m", timedelta(hours=1, minutes=30)),
        ("2w", timedelta(weeks=2)),
    ],
)
def test_lengths_of_time_are_read(text: str, length: timedelta) -> None:
    assert parse_duration(text) == length


def test_lengths_of_time_are_shown_in_two_parts_at_most() -> None:
    assert in_words(timedelta(days=1, hours=3, minutes=4)) == "1 day 3 hours"
    assert in_words(timedelta(minutes=1, seconds=1)) == "1 minute 1 second"
    assert in_words(timedelta(0)) == "0 seconds"
