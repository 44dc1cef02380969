"""Section 6.2 of the specification, compared with the event kinds that the slices declare."""

import ast
from pathlib import Path

import tidings
from tests.spec.tables import table
from tests.support.parsing import parse
from tidings.routes import EVENTS

HOUSE = Path(tidings.__file__).parent


def test_the_event_kinds_are_the_specifications() -> None:
    stated = [kind for row in table("events")["event"] for kind in row["kinds"]]
    assert len(stated) == 15 == len(set(stated))
    assert set(stated) <= {kind.name for kind in EVENTS}


def test_every_kind_that_is_declared_is_listed_and_so_documented() -> None:
    declared = [
        ast.literal_eval(node.args[0])
        for path in HOUSE.rglob("*.py")
        for node in ast.walk(parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "EventKind"
    ]
    assert sorted(declared) == sorted(kind.name for kind in EVENTS)
