"""Runs of letters and words as numbers: the same run has the same number wherever it stands."""

from hypothesis import given
from hypothesis import strategies as st

from tidings.features.replies.reading.learned.numbered import (
    BITS,
    number_of,
    runs,
    runs_of_words,
)

ROWS = st.lists(st.integers(0, (1 << BITS) - 1), max_size=12)


@given(before=ROWS, run=ROWS.filter(bool), after=ROWS)
def test_a_run_has_its_number_wherever_it_stands(
    before: list[int], run: list[int], after: list[int]
) -> None:
    alone = [*runs(run, len(run))][-1][0]
    longer = [*runs([*before, *run, *after], len(run))][-1]
    assert longer[len(before)] == alone


@given(row=ROWS, longest=st.integers(1, 5))
def test_there_is_every_run_up_to_the_longest(row: list[int], longest: int) -> None:
    sizes = [len(each) for each in runs(row, longest)]
    assert sizes == [max(0, len(row) - size) for size in range(longest)]
    assert all(0 <= number < 1 << BITS for each in runs(row, longest) for number in each)


def test_rows_of_another_kind_have_other_numbers() -> None:
    words = ["we", "come", "gladly"]
    one, other = (
        {number for each in runs_of_words(words, 3, number_of(kind)) for number in each}
        for kind in ("words", "signs")
    )
    assert len(one) == len(other) == 6
    assert not one & other


def test_order_counts() -> None:
    assert [*runs([1, 2], 2)][1] != [*runs([2, 1], 2)][1]


@given(st.text())
def test_any_text_has_a_number(text: str) -> None:
    assert 0 <= number_of(text + "\ud800") < 1 << BITS
