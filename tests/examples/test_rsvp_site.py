"""The RSVP site: people are invited on its page, and their answers appear on it by themselves."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.examples.programs import Program, needs
from tests.support.browsers import NEEDED, find_browser
from tests.support.service import GUEST, TestAccount, TestService

expect.set_options(timeout=60_000)
ANOTHER = "972501234568"


@pytest.fixture
def site(running_service: TestService, tmp_path: Path) -> Iterator[tuple[Program, TestAccount]]:
    needs("bash", "python")
    account = running_service.account()
    environment = {
        "TIDINGS_URL": running_service.url,
        "TIDINGS_API_KEY": account.key,
        "TIDINGS_WEBHOOK_SECRET": account.secret,
        "CALLBACK_URL": "http://127.0.0.1:3000/hooks",  # the README's port, which the test replaces
        "DATABASE": str(tmp_path / "rsvp.db"),
    }
    with Program("rsvp-site", tmp_path / "log", **environment) as program:
        yield program, account


def test_answers_appear_on_the_page(site: tuple[Program, TestAccount]) -> None:
    program, account = site
    assert "<table>" in program.http.get("/").text
    with program.http.stream("GET", "/live") as stream:
        lists = guest_lists(stream.iter_lines())
        assert next(lists) == []
        for name, number in (("Dana", GUEST), ("Noam", ANOTHER)):
            answer = program.http.post("/guests", json={"name": name, "number": number})
            assert answer.status_code == 204, answer.text
        invited = [["Dana", GUEST, "invited", None], ["Noam", ANOTHER, "invited", None]]
        wait_for(lists, invited)
        account.reply(GUEST, "Yes, we will be 4!")
        account.reply(ANOTHER, "Sorry, we cannot come")
        wait_for(lists, [["Dana", GUEST, "yes", 4], ["Noam", ANOTHER, "no", None]])
        account.reply(GUEST, "No, only 2 of us")
        wait_for(lists, [["Dana", GUEST, "yes", 2], ["Noam", ANOTHER, "no", None]])


def test_a_host_invites_on_the_page_and_sees_the_answer(
    site: tuple[Program, TestAccount],
) -> None:
    """In a real browser: the form, the table and the count are the page's own script."""
    program, account = site
    path = find_browser()
    if path is None:
        pytest.skip(NEEDED)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]).new_page()
        page.goto(program.url)
        invite(page, "<b>Dana</b>", "12")
        expect(page.get_by_role("alert")).to_contain_text("8 to 20 digits")
        invite(page, "<b>Dana</b>", f"+{GUEST}")
        cells = page.locator("tbody td")
        expect(cells).to_have_text(["<b>Dana</b>", GUEST, "invited", ""])
        account.reply(GUEST, "Yes, we will be 4!")
        expect(cells).to_have_text(["<b>Dana</b>", GUEST, "yes", "4"])
        expect(page.locator("#coming")).to_have_text("4")


def invite(page: Page, name: str, number: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Number").fill(number)
    page.get_by_role("button", name="Invite").click()


def test_a_number_that_is_none_is_explained_on_the_page(
    site: tuple[Program, TestAccount],
) -> None:
    program, _ = site
    answer = program.http.post("/guests", json={"name": "Gal", "number": "12"})
    assert answer.status_code == 400 and "8 to 20 digits" in answer.text


def test_a_guest_is_invited_once(site: tuple[Program, TestAccount]) -> None:
    program, account = site
    for _ in range(2):
        guest = {"name": "Dana", "number": GUEST}
        assert program.http.post("/guests", json=guest).status_code == 204
    assert account.get("/events/garden-party").json()["data"]["sentInvitations"] == 1


def test_a_post_that_is_not_signed_changes_nothing(site: tuple[Program, TestAccount]) -> None:
    program, _ = site
    assert program.http.post("/hooks", json={"type": "guest.confirmed"}).status_code == 400


def guest_lists(lines: Iterator[str]) -> Iterator[Any]:
    for line in lines:
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def wait_for(lists: Iterator[Any], expected: list[list[Any]]) -> None:
    """The stream is silent when nothing changes: what never comes ends in a time-out."""
    for guests in lists:
        if guests == expected:
            return
    raise AssertionError("the stream ended")
