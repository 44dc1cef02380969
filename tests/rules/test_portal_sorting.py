"""The order of a table by its address, and which way its pages lead."""

import pytest

from tidings.engine.db.order import Order
from tidings.portal.paging import paging
from tidings.portal.sorting import Keys, read, read_by_time

Row = tuple[str, int | None]
KEYS: Keys[Row] = {"name": lambda row: row[0], "size": lambda row: row[1]}
ROWS: list[Row] = [("beta", 2), ("Alpha", None), ("gamma", 1), ("delta", 2)]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("name", "Alpha beta delta gamma"),
        ("-name", "gamma delta beta Alpha"),
        ("size", "gamma beta delta Alpha"),
        ("-size", "beta delta gamma Alpha"),  # equal ones as they were, unknown ones last
        ("", "beta Alpha gamma delta"),
        ("colour", "beta Alpha gamma delta"),
        ("--name", "beta Alpha gamma delta"),
    ],
)
def test_rows_are_sorted_by_the_address(sort: str, names: str) -> None:
    found = read("/things", {"sort": sort}, KEYS).sort(ROWS, KEYS)
    assert " ".join(name for name, _ in found) == names


def test_a_heading_says_the_order_and_leads_to_the_opposite_one() -> None:
    query = {"status": "a b", "sort": "name", "cursor": "x", "trail": "-"}
    sorting = read("/things", query, KEYS)
    assert (sorting.aria("name"), sorting.aria("size")) == ("ascending", "none")
    assert sorting.address("name") == "/portal/things?status=a+b&sort=-name"
    assert sorting.address("size") == "/portal/things?status=a+b&sort=size"
    sorting = read("/things", {"sort": "-name"}, KEYS)
    assert sorting.aria("name") == "descending"
    assert sorting.address("name") == "/portal/things?sort=name"


def test_the_usual_order_needs_no_address() -> None:
    usual, opposite = read_by_time("/things", {}), read_by_time("/things", {"sort": "created"})
    assert (usual.aria("created"), usual.order) == ("descending", Order.NEWEST_FIRST)
    assert usual.address("created") == "/portal/things?sort=created"
    assert (opposite.aria("created"), opposite.order) == ("ascending", Order.OLDEST_FIRST)
    assert opposite.address("created") == "/portal/things"
    assert read_by_time("/things", {"sort": "name"}) == usual


def test_from_the_oldest_on_the_next_page_is_newer() -> None:
    query = {"sort": "created", "cursor": "b", "trail": "-"}
    pages = paging("/things", query, "c", Order.OLDEST_FIRST)
    assert pages.newer == "/portal/things?sort=created&cursor=c&trail=-%2Cb" == pages.following
    assert pages.older == "/portal/things?sort=created"
    pages = paging("/things", {}, "b")
    assert (pages.newer, pages.older) == (None, pages.following)
