"""Every endpoint with every foreign id: it answers as if the id were unknown, and changes nothing.

The matrix follows from the route table (`api_inputs.py`). The last test shows that it can fail: to
the owner the same ids answer otherwise.
"""

from urllib.parse import quote

import httpx
import pytest

from tests.tenancy.answers import Answer, comparable, difference
from tests.tenancy.api_inputs import OPEN, ROUTES, Input, inputs, request_with
from tests.tenancy.rows import changed, digests
from tests.tenancy.world import MARK, World, alike, alike_cursor, quieten
from tidings.engine.http.endpoint import Auth

ASKED = sorted(
    (one for one in inputs() if one.kind is not None),
    key=lambda one: (one.route.method != "GET", one.place != "path"),
)
MESSAGE_INPUTS = [one for one in ASKED if one.kind == "message" and one.place == "body"]
STRANGERS = ("foreign", "sibling", "nobody")
# What tells nothing to its owner either: an id that is only kept, a number anyone may write to.
SILENT = {
    "POST /api/v1/messages/otp body to", "POST /api/v1/links body clientMessageId",
    "POST /api/v1/links body eventId", "POST /sandbox/v1/replies body from",
}  # fmt: skip


def values(world: World, asked: Input) -> tuple[str, str]:
    """The owner's id, and one like it that nothing has."""
    if asked.kind == "cursor":
        cursor = world.cursor(asked.route.path)
        return cursor, alike_cursor(cursor)
    assert asked.kind is not None
    own = world.ids[asked.kind]
    if asked.kind == "message" and asked.place == "body":  # taken by whoever uses it first
        own = f"gala-thanks-{MESSAGE_INPUTS.index(asked):02}"
    return own, alike(own)


def ask(world: World, who: str, asked: Input, value: str) -> httpx.Response:
    path, query, body = request_with(
        asked, quote(value, safe="") if asked.place == "path" else value
    )
    headers = {"x-api-key": getattr(world, who).key} if who != "nobody" else {}
    if asked.route.auth is Auth.NONE:  # a signed link: the visitor's own, with one part changed
        own = world.link["owner" if who == "owner" else "foreign"]
        path = path.replace("{platform_message_id}", own["id"])
        query = {name: own[name] for name in ("a", "e", "s")} | query
    return world.service.http.request(
        asked.route.method, path, params=query, json=body, headers=headers
    )


def answer(world: World, who: str, asked: Input, value: str) -> Answer:
    found = ask(world, who, asked, value)
    assert found.status_code < 500, f"{asked.title}: {found.text}"
    if who != "owner" and MARK in found.text:
        raise AssertionError(f"{asked.title} shows {who} a text of the owner: {found.text}")
    return comparable(found, value)


def test_every_endpoint_is_in_the_matrix_or_open_to_everybody() -> None:
    known = {f"{one.route.method} {one.route.path}" for one in inputs()}
    without_input = {
        f"{route.method} {route.path}" for route in ROUTES if route.auth is not Auth.NONE
    } - known
    assert {f"{route.method} {route.path}" for route in ROUTES} == known | without_input | OPEN
    assert len(ASKED) > 50


@pytest.mark.parametrize("who", STRANGERS)
def test_a_foreign_id_is_answered_as_an_unknown_one(world: World, who: str) -> None:
    faults = []
    before = digests(world.service, world.owner)
    for asked in ASKED:
        foreign, unknown = values(world, asked)
        one, other = (answer(world, who, asked, value) for value in (unknown, foreign))
        if one != other:
            faults.append(f"{asked.title} by {who}:{difference(one, other)}")
        after = digests(world.service, world.owner)
        if after != before:
            faults.append(f"{asked.title} by {who} changes {changed(before, after)}")
            before = after
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("who", ["foreign", "sibling"])
def test_a_write_that_names_a_foreign_id_changes_nothing_of_the_visitor(
    world: World, who: str
) -> None:
    """What the answer refuses was not half done; an id that one may choose makes one's own."""
    visitor, faults = getattr(world, who), []
    quieten(visitor)
    for asked in ASKED:
        if asked.route.method == "GET":
            continue
        before = digests(world.service, visitor)
        found = ask(world, who, asked, values(world, asked)[0])
        after = digests(world.service, visitor)
        if found.status_code < 400:
            quieten(visitor)
        elif before != after:
            faults.append(f"{asked.title}: {found.status_code}, yet {changed(before, after)}")
    assert not faults, "\n".join(faults)


def test_the_ids_are_real_to_their_owner(world: World) -> None:
    """Else the matrix would compare one unknown id with another."""
    silent = set()
    for asked in ASKED:
        if asked.kind == "cursor":
            continue  # a place in a list, which need not exist
        own, unknown = values(world, asked)
        if answer(world, "owner", asked, unknown) == answer(world, "owner", asked, own):
            silent.add(asked.title)
    assert sorted(silent) == sorted(SILENT)
