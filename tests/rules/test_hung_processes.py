"""Which processes of `--processes N` hang, from the checks that they missed."""

from hypothesis import given
from hypothesis import strategies as st

from tidings.cli.running.hung import CHECKS, MissedChecks

RUNNING = {0: 100, 1: 101}  # process ids by slot
BOTH, NOBODY = {100, 101}, set[int]()  # have answered


def test_one_that_answered_and_then_missed_all_checks_hangs() -> None:
    missed = MissedChecks()
    assert missed.record(RUNNING, [], BOTH) == {}
    for _ in range(CHECKS - 1):
        assert missed.record(RUNNING, [1], BOTH) == {}
    assert missed.record(RUNNING, [1], BOTH) == {1: 101}


def test_one_that_hangs_before_its_first_check_does_too() -> None:
    """It had been asked whether it is ready, and had said so."""
    missed = MissedChecks()
    found = [missed.record(RUNNING, [1], BOTH) for _ in range(CHECKS)]
    assert found == [{}] * (CHECKS - 1) + [{1: 101}]


def test_one_that_is_still_starting_does_not() -> None:
    missed = MissedChecks()
    assert not any(missed.record(RUNNING, [0, 1], NOBODY) for _ in range(10 * CHECKS))


def test_its_successor_begins_anew() -> None:
    missed = MissedChecks()
    missed.record(RUNNING, [], BOTH)
    for _ in range(CHECKS):
        missed.record(RUNNING, [1], BOTH)
    assert not any(missed.record({0: 100, 1: 102}, [1], {100}) for _ in range(10 * CHECKS))


@given(st.lists(st.booleans()))
def test_only_checks_missed_in_a_row_count(answers: list[bool]) -> None:
    missed = MissedChecks()
    found, answered_before = [], set[int]()
    for fine in answers:
        answered_before |= {100} if fine else NOBODY
        found.append(bool(missed.record({0: 100}, [] if fine else [0], answered_before)))
    for place, hangs in enumerate(found):
        last = answers[max(0, place + 1 - CHECKS) : place + 1]
        answered = any(answers[: place + 1])
        assert hangs == (answered and len(last) == CHECKS and not any(last))
