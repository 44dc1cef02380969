"""A real browser: Debian's chromium, driven by Playwright. `make browser` runs these stories."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.support import demo_world as demo
from tests.support.browsers import NEEDED, find_browser
from tests.support.database import fresh_database
from tests.support.demo_world import DemoWorld
from tests.support.portal import Visitor, signed_in
from tests.support.service import TestAccount, TestService
from tidings.portal.tokens import SESSION

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev",  # no page lives long enough to be worth compiling well
]
# A busy machine took more than the usual 5 s to load a page and run its scripts.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """By the real clock: pages update by themselves."""
    with TestService(fresh_database(), tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        pytest.skip(f"{NEEDED}; .ci/tools installs it")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def demo_world(service: TestService, tmp_path_factory: pytest.TempPathFactory) -> DemoWorld:
    """To be read by all tests of a worker, and changed by none."""
    return demo.build(service, tmp_path_factory.mktemp("demo"))


Open = Callable[..., Page]


@pytest.fixture
def open_as(browser: Browser, service: TestService) -> Iterator[Open]:
    """`open_as(account, "owner", path="/messages")`: a page of somebody who has signed in."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(
        account: TestAccount | None = None,
        role: str | None = "owner",
        *,
        operator: bool = False,
        path: str | None = "/",
        **options: Any,
    ) -> Page:
        context = browser.new_context(base_url=service.url, **{"locale": "en-GB"} | options)
        contexts.append(context)
        if account is not None:
            context.add_cookies([_cookie(signed_in(account, role, operator=operator))])
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda note: faults.append(note.text) if _is_fault(note) else None)
        if path is not None:
            page.goto(f"/portal{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == [], "the browser reported errors"


def _is_fault(note: object) -> bool:
    text = str(getattr(note, "text", ""))
    return getattr(note, "type", "") == "error" and "Failed to load resource" not in text


def _cookie(visitor: Visitor) -> Any:
    return session_cookie(visitor.http.cookies[SESSION])


def session_cookie(token: str) -> Any:
    return {"name": SESSION, "value": token, "domain": "127.0.0.1", "path": "/portal"}
