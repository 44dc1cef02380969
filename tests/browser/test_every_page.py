"""Every page of the table, as its best placed reader: one h1, landmarks, no error, and what axe
finds of barriers: in English and light on a desktop, in Hebrew and dark on a phone."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Open
from tests.support import demo_world
from tests.support.demo_world import DemoWorld
from tests.support.service import TestService
from tidings.portal.pages import PAGES

OUTSIDE = {
    "/sign-in",
    "/sign-in/code",
    "/sign-up",
    "/welcome",
}  # who has signed in is led on from there
NO_PAGES = {"/language", "/stream", "/media/{id}"}  # a redirect, a stream, a picture
LOOKS: dict[str, dict[str, Any]] = {
    "english": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "hebrew": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
}


@pytest.fixture(scope="module")
def world(service: TestService, tmp_path_factory: pytest.TempPathFactory) -> DemoWorld:
    return demo_world.build(service, Path(tmp_path_factory.mktemp("demo")))


def addresses() -> list[str]:
    shown = {page.path for page in PAGES if page.get is not None} - NO_PAGES
    return sorted(path for path in shown if "export" not in path and not path.endswith(FILES))


FILES = (".csv", ".pdf", "/csv", "/pdf", ".json", "/statement", "/document")


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_can_be_read_by_everyone(look: str, open_as: Open, world: DemoWorld) -> None:
    faults = []
    pages: dict[bool, Any] = {}
    for path in addresses():
        if path in OUTSIDE:
            continue
        is_partners = path.startswith("/partner")
        if is_partners not in pages:
            owner = world.partner if is_partners else world.demo
            pages[is_partners] = open_as(owner, operator=True, **LOOKS[look])
            if look == "hebrew":
                pages[is_partners].goto("/portal/language?to=he&next=/portal/people")
        page = pages[is_partners]
        answer = page.goto(f"/portal{filled(path, world)}")
        faults += [f"{path}: {fault}" for fault in faults_of(page, answer)]
    assert faults == []


def test_pages_for_those_who_have_not_signed_in_can_be_read_by_everyone(open_as: Open) -> None:
    for look in LOOKS.values():
        page = open_as(None, path="/sign-in", **look)
        for path in ("/sign-in", "/sign-up"):
            assert faults_of(page, page.goto(f"/portal{path}")) == [], path


def filled(path: str, world: DemoWorld) -> str:
    for name, value in world.params.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, f"demo_world.py knows no value for the address {path}"
    return path


def faults_of(page: Any, answer: Any) -> list[str]:
    found = [] if answer.status == 200 else [f"status {answer.status}"]
    if page.get_by_role("heading", level=1).count() != 1:
        found.append("not one h1")
    if page.get_by_role("main").count() != 1 or page.get_by_role("navigation").count() < 1:
        found.append("landmarks are missing")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
        found.append("wider than the window")
    results = Axe().run(page, options={"resultTypes": ["violations"]}).response
    found += [
        f"{one['id']} at {one['nodes'][0]['target'][0]} ({one['help']})"
        for one in results["violations"]
    ]
    return found
