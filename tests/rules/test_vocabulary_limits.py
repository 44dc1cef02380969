"""A range that holds its ends, and nothing that merely looks like a number."""

import pytest

from tidings.limits import Between


@pytest.mark.parametrize("value", [8, 20, 128])
def test_a_range_holds_both_its_ends(value: int) -> None:
    assert value in Between(8, 128)


@pytest.mark.parametrize("value", [7, 129, -8, True, 8.0, "8", None])
def test_a_range_refuses_what_is_outside_or_not_an_integer(value: object) -> None:
    assert value not in Between(0 if value is True else 8, 128)


def test_a_range_reads_as_a_rule() -> None:
    assert f"{Between(8, 128)} characters" == "8 to 128 characters"
