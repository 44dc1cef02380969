"""Roles × pages: what a role may not do answers 403, and no page offers it (portal.md, Roles)."""

import re
from collections.abc import Iterator

import pytest

from tests.support.demo_world import DemoWorld
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount
from tidings.engine.http.routing import Routing
from tidings.errors import ApiError
from tidings.features.people.roles import Right, Role, rights_of
from tidings.portal.navigation import GROUPS
from tidings.portal.page import Route, routes_of
from tidings.portal.pages import PAGES
from tidings.portal.tokens import SESSION, Tokens

EVERYBODY = {"viewer", "sender", "developer", "billing", "owner"}
READERS = EVERYBODY - {"billing"}
SENDERS = READERS - {"viewer"}
BUILDERS = SENDERS - {"sender"}
PAYERS = {"billing", "owner"}
OWNERS = {"owner"}
NOBODY: set[str] = set()

# By the first part of the address: who may look, and who may act.
AREAS = {
    "": (EVERYBODY, SENDERS),  # billing is led on from Getting started
    "sign-in": (EVERYBODY, EVERYBODY), "sign-up": (EVERYBODY, EVERYBODY),
    "sign-out": (EVERYBODY, EVERYBODY), "welcome": (EVERYBODY, EVERYBODY),
    "own-key.json": (EVERYBODY, NOBODY),  # empty for who may not see it
    "switch": (EVERYBODY, EVERYBODY), "language": (EVERYBODY, EVERYBODY),
    "stream": (READERS, NOBODY), "media": (READERS, NOBODY),
    "messages": (READERS, SENDERS), "messages.csv": (READERS, NOBODY),
    "batches": (READERS, SENDERS), "events": (READERS, SENDERS), "phone": (SENDERS, SENDERS),
    "forms": (READERS, BUILDERS), "webhooks": (READERS, BUILDERS), "keys": (BUILDERS, BUILDERS),
    "templates": (READERS, BUILDERS), "numbers": (READERS, BUILDERS), "links": (READERS, BUILDERS),
    "usage": (EVERYBODY, PAYERS), "invoices": (EVERYBODY, PAYERS), "partner": (EVERYBODY, PAYERS),
    "optouts": (READERS, SENDERS), "people": (EVERYBODY, EVERYBODY),
    "audit": (READERS, NOBODY), "requests": (READERS, NOBODY), "privacy": (READERS, OWNERS),
    "operator": (NOBODY, NOBODY),
}  # fmt: skip
# Pages that differ from their area.
ACTING = {"/batches/new": SENDERS, "/events/new": SENDERS, "/events/{eventId}/edit": SENDERS,
          "/forms/new": BUILDERS, "/forms/{formId}/edit": BUILDERS,
          "/people/invite": OWNERS, "/people/role": OWNERS, "/people/remove": OWNERS,
          "/people/withdraw": OWNERS}  # fmt: skip
ENDLESS = {"/portal/stream"}
LEAVING = {"/portal/sign-out"}  # ends the session that asks


def routes() -> list[Route]:
    return [route for page in PAGES for route in routes_of(page)]


def allowed(route: Route) -> set[str]:
    for path, roles in ACTING.items():
        if route.page.path == path or route.page.path.startswith(f"{path}/"):
            return roles
    looking, acting = AREAS[route.page.path.split("/")[1]]
    return looking if route.method == "GET" else acting


def ask(visitor: Visitor, route: Route) -> int:
    """The status for an id that nothing has: rights are asked before anything is looked up."""
    path = re.sub(r"\{\w+\}", "nothing", route.path)
    if route.method == "GET":
        return visitor.raw("GET", path).status_code
    tokens = Tokens(visitor.service.ctx.sealer, secure=False)
    csrf = tokens.for_forms(visitor.http.cookies[SESSION])
    return visitor.raw("POST", path, data={"csrf": csrf}).status_code


@pytest.mark.parametrize("role", sorted(EVERYBODY))
def test_each_page_answers_each_role_as_it_should(account: TestAccount, role: str) -> None:
    signed_in(account)  # an owner who stays
    visitor, wrong = signed_in(account, role), []
    for route in routes():
        may = role in allowed(route)
        if route.path in LEAVING or (may and route.path in ENDLESS):
            continue
        status = ask(visitor, route)
        if (status == 403) is may or status >= 500:
            wrong.append(f"{route.method} {route.path}: {status} for {role}")
    assert wrong == []


def test_operators_pages_open_for_operators_without_an_account(account: TestAccount) -> None:
    visitor = signed_in(account, None, operator=True)
    for route in routes():
        if route.method == "GET":
            is_open = route.needs in (Right.OPERATE, Right.SELF, None)
            assert (ask(visitor, route) != 403) is is_open, route.path


@pytest.mark.parametrize("role", sorted(EVERYBODY))
def test_the_navigation_shows_what_a_role_may_open(account: TestAccount, role: str) -> None:
    page = signed_in(account, role).get("/people")
    shown = {str(link["href"]) for link in page.soup.select("#navigation li a")}
    expected = {
        f"/portal{item.path}"
        for _, items in GROUPS
        for item in items
        if role in AREAS[item.path.split("/")[1]][0] and not item.partner_only
    }
    hidden = {"/portal/"} if role == "billing" else set()  # is led on from there
    assert shown == expected - hidden


@pytest.mark.parametrize("role", ["viewer", "sender", "billing"])
def test_no_page_offers_what_its_reader_may_not_do(world: DemoWorld, role: str) -> None:
    visitor, faults = signed_in(world.demo, role), []
    routing: Routing[Route] = Routing(routes())
    for page in PAGES:
        route = routes_of(page)[0]
        skipped = page.get is None or page.needs is None or route.path in ENDLESS
        if skipped or role not in allowed(route) or page.path.endswith((".csv", "/pdf", ".json")):
            continue
        seen = visitor.get(filled(page.path, world))
        for method, path in offered(seen):
            wanted = find(routing, method, path)
            if wanted is not None and not may(role, wanted.needs):
                faults.append(f"{page.path} offers {role} {method} {path}")
    assert faults == []


def filled(path: str, world: DemoWorld) -> str:
    for name, value in world.params.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def offered(seen: Seen) -> Iterator[tuple[str, str]]:
    if seen.soup.main is None:
        return
    for form in seen.soup.main.select("form[method=post]"):
        yield "POST", str(form["action"]).partition("?")[0]
    for link in seen.soup.main.select("a[href^='/portal']"):
        yield "GET", str(link["href"]).partition("?")[0].partition("#")[0]


def find(routing: Routing[Route], method: str, path: str) -> Route | None:
    try:
        return routing.require(method, path.encode())[0]
    except ApiError:
        return None


def may(role: str, right: Right | None) -> bool:
    return right is None or right in rights_of(Role(role))
