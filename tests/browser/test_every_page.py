"""Every page of the table, as its best placed reader: one h1, landmarks, no error, and what axe
finds of barriers: in English and light on a desktop, in Hebrew and dark on a phone."""

import pytest
from playwright.sync_api import Page

from tests.browser.barriers import LOOKS, Look, faults_of, prepare
from tests.browser.conftest import Open, session_cookie
from tests.support import people
from tests.support.demo_world import DemoWorld
from tests.support.service import TestAccount, TestService
from tidings.features.people.roles import Role
from tidings.portal.pages import PAGES

OUTSIDE = {
    "/sign-in",
    "/sign-in/code",
    "/sign-up",
    "/welcome",
}  # who has signed in is led on from there
NO_PAGES = {"/language", "/stream", "/media/{id}"}  # a redirect, a stream, a picture
FILES = (".csv", ".pdf", "/csv", "/pdf", ".json", "/statement", "/document")
PARTS = 4  # of a look, so that workers can share them


def addresses() -> list[str]:
    shown = {page.path for page in PAGES if page.get is not None} - NO_PAGES
    return sorted(path for path in shown if "export" not in path and not path.endswith(FILES))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("look", LOOKS)
def test_every_page_can_be_read_by_everyone(
    look: str, part: int, open_as: Open, demo_world: DemoWorld
) -> None:
    faults = []
    pages: dict[TestAccount, Page] = {}
    for path in sorted(set(addresses()) - OUTSIDE)[part::PARTS]:
        owner = demo_world.partner if path.startswith("/partner") else demo_world.demo
        if owner not in pages:
            pages[owner] = opened(open_as, LOOKS[look], owner)
        page = pages[owner]
        answer = page.goto(f"/portal{filled(path, demo_world)}")
        faults += [f"{path}: {fault}" for fault in faults_of(page, answer, LOOKS[look])]
    assert faults == []


@pytest.mark.parametrize("look", LOOKS)
def test_pages_for_those_who_have_not_signed_in_can_be_read_by_everyone(
    look: str, open_as: Open, service: TestService, account: TestAccount
) -> None:
    page = opened(open_as, LOOKS[look])
    paths = ["/sign-in", "/sign-up", f"/welcome?token={invited(service, account)}"]
    for path in paths:
        assert faults_of(page, page.goto(f"/portal{path}"), LOOKS[look]) == [], path
    page.context.add_cookies([session_cookie(half_signed_in(service, account))])
    answer = page.goto("/portal/sign-in/code")
    assert page.url.endswith("/sign-in/code")
    assert faults_of(page, answer, LOOKS[look]) == []


def opened(open_as: Open, look: Look, account: TestAccount | None = None) -> Page:
    page = open_as(account, operator=True, path=None, **look.options)
    prepare(page)
    return page


def invited(service: TestService, account: TestAccount) -> str:
    return people.invite(service, account.id, Role.VIEWER)


def half_signed_in(service: TestService, account: TestAccount) -> str:
    """A session that still waits for the code of the second factor."""
    email = people.new_email()
    token = people.invite(service, account.id, Role.VIEWER, email)
    people.turn_on(service, people.join(service, token).token)
    return people.enter(service, email).token


def filled(path: str, world: DemoWorld) -> str:
    for name, value in world.params.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, f"demo_world.py knows no value for the address {path}"
    return path
