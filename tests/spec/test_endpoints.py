"""Section 4 of the specification, compared with routes.py."""

from tests.spec.tables import table
from tidings.engine.http.endpoint import Route
from tidings.routes import API

PREFIX = "/api/v1"
STATED = {row["number"]: row for row in table("endpoints")["endpoint"]}


def numbered() -> list[Route]:
    return [route for route in API if route.number is not None]


def test_the_table_has_the_30_rows() -> None:
    assert sorted(STATED) == list(range(1, 31))


def test_every_numbered_route_is_its_row() -> None:
    for route in numbered():
        assert route.number in STATED, f"{route.path}: section 4 has no number {route.number}"
        row = STATED[route.number]
        stated = (row["method"], PREFIX + row["path"], row["auth"])
        assert (route.method, route.path, route.auth.value) == stated, f"number {route.number}"


def test_no_number_and_no_address_appears_twice() -> None:
    numbers = [route.number for route in numbered()]
    assert len(numbers) == len(set(numbers))
    addresses = [(route.method, route.path) for route in API]
    assert len(addresses) == len(set(addresses))
