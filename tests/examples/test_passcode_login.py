"""The passcode login: a code that was sent signs in, once."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples.programs import Program, needs
from tests.support.passcodes import ONE
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import eventually

UNREACHABLE = "972500009014"
TRIES_MAX = 5


@pytest.fixture
def account(running_service: TestService) -> TestAccount:
    return running_service.account(ONE)


@pytest.fixture
def site(account: TestAccount, tmp_path: Path) -> Iterator[Program]:
    needs("bash", "python")
    environment = {"TIDINGS_URL": account.service.url, "TIDINGS_API_KEY": account.key}
    with Program("passcode-login", tmp_path / "log", **environment) as program:
        program.http.follow_redirects = True
        yield program


def ask_for_code(site: Program, number: str = GUEST) -> str:
    page = site.http.post("/code", data={"number": f"+{number}"})
    assert "The code that we sent you" in page.text
    found: list[str] = []
    eventually(lambda: found.extend(re.findall(r"the code is (\d{6})", site.printed)) or found)
    return found[-1]


def check(site: Program, code: str) -> str:
    return site.http.post("/check", data={"code": code}).text


def test_a_code_signs_in_once(site: Program, account: TestAccount) -> None:
    code = ask_for_code(site)
    [shown] = account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"]
    assert code not in str(shown), "it reached the phone, which does not show it"
    assert "That is not the code" in check(site, wrong(code))
    assert f"Signed in as {GUEST}" in check(site, code)
    site.http.post("/leave")
    assert "no longer valid" in check(site, code)


def test_a_code_cannot_be_guessed_for_long(site: Program) -> None:
    code = ask_for_code(site)
    for _ in range(TRIES_MAX):
        assert "That is not the code" in check(site, wrong(code))
    assert "no longer valid" in check(site, code)


def test_a_number_gets_no_second_code_at_once(site: Program) -> None:
    ask_for_code(site)
    assert site.http.post("/code", data={"number": GUEST}).status_code == 429


@pytest.mark.parametrize("number", ["12", UNREACHABLE])
def test_a_number_that_gets_no_code_is_told(site: Program, number: str) -> None:
    answer = site.http.post("/code", data={"number": number})
    assert answer.status_code == 400 and "role=alert" in answer.text
    assert "The code that we sent you" not in answer.text


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06}"
