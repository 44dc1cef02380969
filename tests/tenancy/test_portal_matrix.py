"""Every page and form of the portal with every foreign id: as if the id were unknown.

The matrix follows from the table of pages (`portal_inputs.py`). Who asks: an owner of another
organisation, an owner of the same one who has chosen its live account, and nobody.
"""

import re
from itertools import count

import httpx
import pytest

from tests.support.portal import Visitor
from tests.tenancy.answers import Answer, comparable, difference
from tests.tenancy.portal_inputs import (
    ASKED,
    NEW,
    NEW_ENTRY,
    OPERATOR,
    Row,
    kind_of,
    rows,
    unclassified_names,
)
from tests.tenancy.rows import changed, digests
from tests.tenancy.world import INVITED, MARK, World, alike, quieten
from tidings.ids import ledger_ref, new_id
from tidings.portal.tokens import NOTICE, SESSION, Tokens

_count = count(1)
ROWS = rows()
STRANGERS = ("foreign", "sibling", "nobody")
OF_THE_ORGANISATION = {
    "account",
    "person",
    "email",
    "invited",
    "session",
    "actor",
}  # the sibling's too
MESSAGE_ROWS = [row for row in ROWS if row.kind == "message" and row.form]


def asked_by(who: str) -> list[Row]:
    return [row for row in ROWS if who != "sibling" or row.kind not in OF_THE_ORGANISATION]


def values(world: World, row: Row) -> tuple[str, str]:
    own = world.ids[row.kind]
    if row in MESSAGE_ROWS:  # taken by whoever uses it first
        own = f"gala-thanks-{MESSAGE_ROWS.index(row):02}"
    return own, alike(own)


def ask(world: World, who: str, row: Row, value: str) -> httpx.Response:
    visitor = world.visitors[who]
    visitor.http.cookies.delete(NOTICE, path="/portal") if NOTICE in visitor.http.cookies else None
    if row.undo:
        world.service.sql(row.undo, *([INVITED] if "$1" in row.undo else []))
    new = {ASKED: value, NEW: f"visitors-own-{next(_count):06}", NEW_ENTRY: ledger_ref(new_id())}
    query, form = (
        {_filled(name, new): _filled(text, new) for name, text in pairs.items()}
        for pairs in (row.query, row.form)
    )
    path = re.sub(r"{(\w+)}", lambda name: _other(world, row, name[1]), _filled(row.path, new))
    if row.method == "GET":
        return visitor.raw("GET", path, params=query)
    if who == "owner":
        path = path.replace("/fair-evening/", "/gala-evening/")
    return visitor.raw("POST", path, data=form | {"csrf": _csrf(visitor)})


def _filled(text: str, new: dict[str, str]) -> str:
    for place, value in new.items():
        text = text.replace(place, value)
    return text


def _other(world: World, row: Row, name: str) -> str:
    """A parameter beside the one that is asked for."""
    return "en" if name == "language" else world.ids[kind_of(row.path, name)]


def _csrf(visitor: Visitor) -> str:
    tokens = Tokens(visitor.service.ctx.sealer, secure=False)
    return tokens.for_forms(visitor.http.cookies.get(SESSION, path="/portal") or "-")


def answer(world: World, who: str, row: Row, value: str) -> Answer:
    found = ask(world, who, row, value)
    assert found.status_code < 500, f"{row.title}: {found.text}"
    return comparable(found, value)


def test_every_name_that_a_page_reads_is_in_the_matrix_or_of_nothing() -> None:
    assert unclassified_names() == []
    assert len(ROWS) > 60


@pytest.mark.parametrize("who", STRANGERS)
def test_a_foreign_id_is_answered_as_an_unknown_one(world: World, who: str) -> None:
    faults = []
    before = digests(world.service, world.owner)
    for row in asked_by(who):
        foreign, unknown = values(world, row)
        one, other = (answer(world, who, row, value) for value in (unknown, foreign))
        if one != other:
            faults.append(f"{row.title} by {who}:{difference(one, other)}")
        if who == "foreign" and MARK in other[2]:
            faults.append(f"{row.title} shows {who} a text of the owner")
        after = digests(world.service, world.owner) if row.method == "POST" else before
        if after != before:
            faults.append(f"{row.title} by {who} changes {changed(before, after)}")
            before = after
    assert digests(world.service, world.owner) == before, "something that was only read has changed"
    assert not faults, "\n".join(faults)


def test_operators_pages_are_closed_to_everybody_else(world: World) -> None:
    for row in ROWS:
        if row.path.startswith(OPERATOR):
            assert ask(world, "foreign", row, values(world, row)[0]).status_code == 403, row.title


def test_the_ids_are_real_to_their_owner(world: World) -> None:
    """Else the matrix would compare one unknown id with another."""
    quieten(world.owner)
    wrong = []
    for row in ROWS:
        own, unknown = values(world, row)
        who = "operator" if row.path.startswith(OPERATOR) else "owner"
        if who == "operator" and row.method == "POST":
            continue  # whoever may act there may act on every account
        if {"before", "after"} & row.query.keys():
            continue  # a place in a list, which need not exist
        one, other = (answer(world, who, row, value) for value in (unknown, own))
        if (one == other) is not row.silent:
            wrong.append(f"{row.title}: {one[0]} {other[0]}")
    assert not wrong, "\n".join(wrong)
