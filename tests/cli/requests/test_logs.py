"""`tidings logs`: the API calls of an account, and those that come."""

import itertools
import json
import os
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from tests.support.commands import Done, commands, environment
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.terminal import Terminal
from tidings.engine.db.tx import Tx
from tidings.features.requests import store
from tidings.features.requests.follow import OVERLAP, SLOWEST, Follower
from tidings.features.requests.lookup import Filter
from tidings.ids import first_id


@pytest.fixture(scope="module")
def service(running_service: TestService) -> TestService:
    return running_service  # what follows the log goes by the database's clock


@pytest.fixture
def called(service: TestService) -> TestAccount:
    """An account with three calls: sent, refused, not found."""
    account = service.account()
    account.send(
        to=GUEST, templateName="hello", templateParams=["Dana"], clientMessageId="logged-1"
    )
    account.send(to="12", message="Dear Dana")
    account.get("/nothing-here")
    service.call(service.service.recorder.flush)
    return account


def name_of(account: TestAccount) -> str:
    [row] = account.service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    return str(row["name"])


def logs(account: TestAccount, *words: str) -> Done:
    return commands(account.service)("logs", "--account", name_of(account), *words)


def test_calls_are_shown_the_newest_last(called: TestAccount) -> None:
    shown = logs(called)
    assert [line.split()[1:6:2] for line in shown.good().splitlines()] == [
        ["200", "ms", "/api/v1/messages/text"],
        ["400", "ms", "/api/v1/messages/text"],
        ["404", "ms", "/api/v1/nothing-here"],
    ]
    assert "Dana" not in shown.out and called.key not in shown.out
    assert len(logs(called, "--limit", "2").good().splitlines()) == 2
    assert len(logs(called, "--status", "4xx").good().splitlines()) == 2
    assert len(logs(called, "--path", "nothing").good().splitlines()) == 1
    assert logs(called, "--status", "500").err == "No calls.\n"
    logs(called, "--status", "moon").refused('not "moon"')


def test_programs_get_a_line_of_json_for_each(called: TestAccount) -> None:
    lines = [json.loads(line) for line in logs(called, "--json").good().splitlines()]
    assert [one["status"] for one in lines] == [200, 400, 404]
    assert lines[0]["body"]["clientMessageId"] == "logged-1"


def test_one_call_is_shown_whole(called: TestAccount) -> None:
    first = json.loads(logs(called, "--json").good().splitlines()[0])
    tidings = commands(called.service)
    whole = tidings("logs", first["requestId"]).good()
    assert "path /api/v1/messages/text\n" in whole and '"clientMessageId": "logged-1"' in whole
    assert tidings("logs", first["requestId"], "--json").json() == first
    tidings("logs", "req_0").refused('There is no call "req_0"')


def test_of_several_accounts_one_is_named(called: TestAccount, service: TestService) -> None:
    service.account()
    commands(service)("logs").refused("--account: there are ")


def test_calls_are_followed(called: TestAccount, tmp_path: Path) -> None:
    words = ("logs", "--account", name_of(called), "--follow", "--limit", "1")
    env = environment(called.service) | {"PATH": os.defpath, "HOME": str(tmp_path)}
    with closing(Terminal(sys.executable, "-m", "tidings.cli", *words, env=env)) as terminal:
        before = terminal.expect("/api/v1/nothing-here")
        assert "messages/text" not in before
        called.get("/limits")
        terminal.expect("\x1b[32m200\x1b[0m")
        assert "nothing-here" not in terminal.expect("/api/v1/limits")
        terminal.write("\x03")
        assert terminal.end() == 0
    assert "Traceback" not in terminal.screen


def test_a_slow_call_is_news_when_it_ends(service: TestService) -> None:
    account_id = UUID(str(service.account().id))
    follower = Follower(account_id, Filter())
    new: list[list[str]] = []
    number = itertools.count(1)  # two calls of one millisecond have two ids

    async def look(tx: Tx) -> None:
        new.append([call.path for call in await follower.load_news(tx)])

    def log(path: str, ago: timedelta, ms: int) -> None:
        async def insert(tx: Tx) -> None:
            call_id = UUID(int=first_id(tx.now - ago).int + next(number))
            await store.insert(tx, [(account_id, call_id, "k", "GET", path, 200, ms, 0, None)])

        service.transact(insert)

    log("before", timedelta(0), 1)
    service.transact(follower.start)
    log("quick", timedelta(milliseconds=5), 1)
    service.transact(look)
    log("slow", OVERLAP * 10, 30_000)
    log("behind", OVERLAP / 3, 2)
    log("long ago", SLOWEST * 2, 240_000)
    service.transact(look)
    service.transact(look)
    assert new == [["quick"], ["slow", "behind"], []]
