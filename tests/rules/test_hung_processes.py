"""Which processes of `--processes N` hang, from the checks that they missed."""

from hypothesis import given
from hypothesis import strategies as st

from tidings.cli.running.hung import CHECKS, Silence

RUNNING = {0: 100, 1: 101}  # process ids by slot


def test_one_that_answered_and_then_missed_all_checks_hangs() -> None:
    silence = Silence()
    assert silence.note(RUNNING, []) == {}
    for _ in range(CHECKS - 1):
        assert silence.note(RUNNING, [1]) == {}
    assert silence.note(RUNNING, [1]) == {1: 101}


def test_one_that_is_still_starting_does_not() -> None:
    silence = Silence()
    assert not any(silence.note(RUNNING, [0, 1]) for _ in range(10 * CHECKS))


def test_its_successor_begins_anew() -> None:
    silence = Silence()
    silence.note(RUNNING, [])
    for _ in range(CHECKS):
        silence.note(RUNNING, [1])
    assert not any(silence.note({0: 100, 1: 102}, [1]) for _ in range(10 * CHECKS))


@given(st.lists(st.booleans()))
def test_only_checks_missed_in_a_row_count(answers: list[bool]) -> None:
    silence = Silence()
    found = [bool(silence.note({0: 100}, [] if fine else [0])) for fine in answers]
    for place, hangs in enumerate(found):
        last = answers[max(0, place + 1 - CHECKS) : place + 1]
        answered = any(answers[: place + 1])
        assert hangs == (answered and len(last) == CHECKS and not any(last))
