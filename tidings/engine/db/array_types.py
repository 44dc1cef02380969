"""The array types that our statements take and return, for asyncpg, which knows only text[].

For any other it asks the server when a session meets the first one: a recursive query of the
catalogue, and one that turns jit off before it (docs/decisions/0049-age-of-sessions.md). The
numbers of PostgreSQL's own types are fixed; a test compares these with its catalogue.
"""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

# Name of the elements' type, its number, the array's.
BUILT_IN = (
    ("bool", 16, 1000),
    ("bytea", 17, 1001),
    ("int2", 21, 1005),
    ("int4", 23, 1007),
    ("int8", 20, 1016),
    ("float8", 701, 1022),
    ("date", 1082, 1182),
    ("timestamptz", 1184, 1185),
    ("interval", 1186, 1187),
    ("numeric", 1700, 1231),
    ("record", 2249, 2287),  # of queries that are sent together, see `reads.py`
    ("uuid", 2950, 2951),
    ("jsonb", 3802, 3807),
)
# The statement that asked: it has a name, so it cannot have replaced the unnamed one.
NOT_ASKED = SimpleNamespace(name="not asked")


def _described(name: str, element: int, array: int) -> Mapping[str, Any]:
    """As asyncpg's query describes it."""
    return {
        "oid": array,
        "ns": "pg_catalog",
        "name": f"_{name}",
        "kind": b"b",
        "basetype": None,
        "basetype_name": None,
        "elemtype": element,
        "elemtype_name": name,
        "elemdelim": ",",
        "range_subtype": None,
        "range_subtype_name": None,
        "attrtypoids": None,
        "attrnames": None,
    }


_KNOWN = {array: _described(name, element, array) for name, element, array in BUILT_IN}


def find_described(numbers: Iterable[int]) -> list[Mapping[str, Any]] | None:
    """None: the server has to be asked."""
    found = [_KNOWN.get(number) for number in numbers]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) else None
