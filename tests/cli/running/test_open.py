"""`tidings open`: the address in a pipe, the browser on a terminal."""

from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.waiting import eventually
from tidings.cli.running.commands import Place
from tidings.cli.running.opening import OUTSIDE, has_browser
from tidings.portal.pages import PAGES

URL = "https://tidings.example.com"


def test_in_a_pipe_the_address_is_printed_and_nothing_opened(tmp_path: Path) -> None:
    browser, opened = fake_browser(tmp_path)
    done = run("open", env={"BROWSER": str(browser), "TIDINGS_URL": f"{URL}/"})
    assert (done.good(), done.err) == (f"{URL}/portal\n", "")
    assert run("open", "phone", "--url", URL).good() == f"{URL}/portal/phone\n"
    assert not opened.exists()


def test_on_a_terminal_the_browser_opens_it(tmp_path: Path) -> None:
    browser, opened = fake_browser(tmp_path)
    done = run("open", "docs", "--url", URL, env={"BROWSER": str(browser)}, terminal=80)
    assert done.good() == f"{URL}/docs\n" and done.err == ""
    eventually(lambda: opened.exists() and opened.read_text() == f"{URL}/docs\n")


def test_without_a_browser_that_is_said() -> None:
    nothing = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run("open", "--url", URL, env=nothing, terminal=80)
    assert done.good() == f"{URL}/portal\n" and "No browser" in done.err


@pytest.mark.parametrize(
    ("env", "platform", "found"),
    [
        ({"TERM": "xterm"}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
    ],
)
def test_a_browser_needs_a_screen(env: dict[str, str], platform: str, found: bool) -> None:
    assert has_browser(env, platform) is found


def test_every_page_that_can_be_opened_is_there() -> None:
    paths = {page.path for page in PAGES}
    assert {f"/{place}" for place in Place if place not in OUTSIDE} <= paths


def fake_browser(folder: Path) -> tuple[Path, Path]:
    browser, opened = folder / "browser", folder / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    return browser, opened
