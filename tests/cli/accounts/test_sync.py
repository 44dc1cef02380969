"""`tidings sync` and `tidings callbacks`, as an operator meets them."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support import callbacks as payload
from tests.support.database import reachable_folder
from tests.support.pages import Pages
from tidings.cli.database import opened
from tidings.features.callbacks import dead_letters
from tidings.settings import Settings

FILE = """
[[accounts]]
name = "acme"
environment = "live"
[[accounts.numbers]]
number = "972555000001"
phoneNumberId = "1055"
wabaId = "2077"
accessToken = "token"
[[accounts]]
name = "box"
environment = "sandbox"
"""
HELLO = {
    "id": "1", "name": "hello", "language": "en", "status": "APPROVED", "category": "UTILITY",
    "components": [{"type": "BODY", "text": "Hello"}],
}  # fmt: skip
NUMBER = {"id": "1055", "status": "CONNECTED", "quality_rating": "YELLOW",
          "whatsapp_business_manager_messaging_limit": "TIER_250"}  # fmt: skip


def tidings(*arguments: str, data: Path, url: str, text: str = ""):
    env = {"PATH": os.defpath, "TIDINGS_DATA": str(data), "COLUMNS": "120"}
    return subprocess.run(
        [sys.executable, "-m", "tidings.cli.main", *arguments],
        env=env | {"TIDINGS_GRAPH_URL": url},
        input=text, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_numbers_and_templates_are_read_and_a_platform_that_is_away_is_said() -> None:
    data = reachable_folder()
    with Pages() as pages:
        pages.list("2077/phone_numbers", [NUMBER])
        pages.list("2077/message_templates", [HELLO, HELLO | {"name": "b", "status": "PAUSED"}])
        made = tidings("apply", "-", data=data, url=pages.url, text=FILE)
        assert made.returncode == 0, made.stderr
        first = tidings("sync", "--json", data=data, url=pages.url)
        assert first.returncode == 0, first.stderr
        (account,) = json.loads(first.stdout)["accounts"]
        assert (account["name"], account["changed"], account["problem"]) == ("acme", True, None)
        assert account["templates"] == {"total": 2, "usable": 1}
        assert account["numbers"] == [
            {"number": "972555000001", "status": "CONNECTED", "qualityRating": "YELLOW",
             "dailyLimit": 250, "perSecond": 80}
        ]  # fmt: skip
        again = tidings("sync", "--account", "acme", data=data, url=pages.url)
        assert "unchanged" in again.stdout and "1 of 2 usable" in again.stdout
        sandbox = tidings("sync", "--account", "box", data=data, url=pages.url)
        assert (sandbox.returncode, "sandbox account" in sandbox.stderr) == (1, True)
        unknown = tidings("sync", "--account", "nobody", data=data, url=pages.url)
        assert unknown.returncode == 1
        away = pages.url
    failed = tidings("sync", "--json", data=data, url=away)
    assert failed.returncode == 1 and "acme" in failed.stderr
    (account,) = json.loads(failed.stdout)["accounts"]
    assert account["problem"] and account["templates"]["total"] == 2


async def test_dead_letters_of_callbacks_are_counted_and_retried() -> None:
    data = reachable_folder()
    away = "http://127.0.0.1:9"
    assert tidings("apply", "-", data=data, url=away, text=FILE).returncode == 0
    assert "No callbacks failed." in tidings("callbacks", data=data, url=away).stdout
    hello = payload.message("text", {"body": "Hello"})
    body = payload.raw(payload.body(payload.change(messages=[hello], number="1055")))
    await _add(data, [(dead_letters.UNKNOWN_NUMBER, body), ("no JSON", b"{")])
    shown = tidings("callbacks", "--json", data=data, url=away)
    found = json.loads(shown.stdout)
    assert {(one["reason"], one["count"]) for one in found["deadLetters"]} == {
        (dead_letters.UNKNOWN_NUMBER, 1), ("no JSON", 1),
    }  # fmt: skip
    again = tidings("callbacks", "--again", data=data, url=away)
    assert again.returncode == 0, again.stderr
    assert "2 callbacks retried." in again.stdout
    left = json.loads(tidings("callbacks", "--json", data=data, url=away).stdout)["deadLetters"]
    assert [one["count"] for one in left] == [1]  # what was no JSON is none still


async def _add(data: Path, new: list[dead_letters.NewDeadLetter]) -> None:
    settings = Settings.from_env({"TIDINGS_DATA": str(data)})
    async with opened(settings) as db:
        await db.transact(lambda tx: dead_letters.add(tx, new))
