"""Every `tidings …` that the documentation shows in full is run, and does what it says.

Those that run for good (serve, listen, logs, mcp), the one that needs a platform (sync) and
those that need a folder or an empty database (backup, restore) are run in tests of their own; a
command without its arguments is a mention, of which only the words count.
"""

import re
import shlex
import time
from contextlib import chdir
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.cli.test_documented_commands import (
    ENDS,
    PAGES,
    ROOT,
    alternatives,
    command_line,
    shown,
)
from tests.support import people
from tests.support.billing import invoice_toml
from tests.support.commands import Done, environment, run
from tests.support.database import fresh_database
from tests.support.forms import fill, sent
from tests.support.invitations import invite, register
from tests.support.partners import TERMS, bought, transfer
from tests.support.service import GUEST, TestAccount, TestService
from tidings.cli.running import demo
from tidings.features.people.roles import Role
from tidings.features.webhooks.rules import signed_headers

ELSEWHERE = ("serve", "health", "simulator", "listen", "logs", "mcp", "sync", "backup", "restore")
TOML = re.compile(r"```toml\n(.*?)```", re.DOTALL)
TABLE = re.compile(r"^\| `tidings .*$", re.MULTILINE)  # says what there is, not what to type
PREFIX = "td_sandbox_Ab12Cd34"
BODY = b'{"id":"whk_1","data":{}}'
BENCH = ("bench", "--messages", "20")


def blocks(page: str, word: str) -> str:
    return "".join(one for one in TOML.findall((ROOT / page).read_text()) if word in one)


def examples() -> list[tuple[str, ...]]:
    """Each once, in the order of the pages; those about keys last."""
    found: dict[tuple[str, ...], None] = {}
    for page in PAGES:
        for text in shown(TABLE.sub("", page.read_text())):
            for words in alternatives(shlex.split(text, comments=True)):
                end = next((place for place, word in enumerate(words) if word in ENDS), len(words))
                command = tuple(words[:end])
                if command[0] not in ELSEWHERE and is_whole(command):
                    found[command] = None
    return sorted(found, key=lambda words: words[0] == "keys")  # they end the key of the others


def parts(words: tuple[str, ...]) -> tuple[Any, list[str]]:
    """The command that the words lead to, and the words behind it."""
    command = command_line()
    left = list(words)
    while hasattr(command, "commands") and left and left[0] in command.commands:
        command = command.commands[left.pop(0)]
    return command, left


def is_whole(words: tuple[str, ...]) -> bool:
    """Whether every argument and option that the command needs is there."""
    command, left = parts(words)
    if hasattr(command, "commands"):
        return "--help" in left or "--version" in left
    places = 0
    options = {name: one for one in command.params for name in one.opts}
    for word in (each := iter(left)):
        if word in options and not getattr(options[word], "is_flag", False):
            next(each, None)
        elif not word.startswith("-"):
            places += 1
    required = [one for one in command.params if one.required]
    arguments = sum(one.param_type_name == "argument" for one in required)
    named = (one for one in required if one.param_type_name == "option")
    return places >= arguments and all(set(one.opts) & set(left) for one in named)


class World:
    """What the pages suppose: their accounts, their files, and a running service."""

    def __init__(self, service: TestService, folder: Path) -> None:
        self.service, self.folder = service, folder
        self.demo = self._demo()
        made = self.demo.post("/links", {"url": "https://example.com/menu"})
        self.link = made.json()["data"]["code"]
        self._reseller()
        acme = blocks("docs/operating/accounts.md", 'name = "acme"')
        (folder / "accounts.toml").write_text(acme)
        (folder / "FILE.toml").write_text(blocks("docs/partners.md", 'name = "reseller"'))
        (folder / "rehearsal.toml").write_text(acme.replace('"acme"', '"rehearsal"'))
        (folder / "body.json").write_bytes(BODY)
        people.join(service, people.invite(service, self.demo.id, Role.OWNER, "dana@example.com"))
        service.apply(acme.replace("webhookUrl", f'apiKey = "{PREFIX}{"x" * 40}"\nwebhookUrl'))

    def _demo(self) -> TestAccount:
        text = demo.read_or_make(self.folder / "data")
        for more in (blocks("docs/feedback.md", "[[accounts.forms]]"), invoice_toml()):
            text += more
        (self.folder / "data" / demo.FILE).write_text(text)
        account = TestAccount(self.service, self.service.apply(text)[-1])
        sent(account)
        account.advance(seconds=5)
        fill(account)
        values = {"templateName": "hello", "templateParams": ["Dana"], "to": GUEST}
        assert account.send(clientMessageId="order-1001-ready", **values).status_code == 200
        register(account)
        invite(account)
        return account

    def _reseller(self) -> None:
        reseller = self.service.account(name="reseller", partner=TERMS)
        bought(reseller, 2000)
        for reference in ("bank-2041", "bank-2042"):
            assert transfer(reseller, reference, 100).status_code == 200

    def run(self, words: tuple[str, ...]) -> Done:
        command, _ = parts(words)
        words = BENCH if words == ("bench",) else words
        words = ("settings", "rate") if words == ("settings", "NAME") else words  # no account
        filled = [self._filled(word) for word in words]
        if words[0] == "jobs" and words[-1] == "ID":
            filled[-1] = self._parked_job()
        options = {name for one in command.params for name in one.opts}
        if "--url" in options and "--secret" not in words:
            filled += ["--url", self.service.url]
        key = {"TIDINGS_API_KEY": self.demo.key}
        with chdir(self.folder):
            return run(*filled, env=environment(self.service) | key)

    def _parked_job(self) -> str:
        """One that crashed too often, whose message is long settled."""
        [row] = self.service.sql(
            "INSERT INTO jobs (account_id, pool, kind, subject, due_at, dead_lettered_at)"
            " VALUES ($1, 'send', 'message.send', $2, now(), now()) RETURNING id",
            self.demo.id,
            UUID(int=0).hex,
        )
        return str(row["id"])

    def _filled(self, word: str) -> str:
        timestamp = int(time.time())
        headers = signed_headers(
            "whk_1", BODY, attempt=1, timestamp=timestamp, secret="whsec_x", previous=None
        )
        values = {
            "NAME": "demo",
            "NUMBER": GUEST,
            "SETTING": "log_level",
            "KIND": "guest.confirmed",
            "URL": "http://127.0.0.1:9/hooks",
            "td_sandbox_…": self.demo.key,
            "Q3vXo0cTz8Lk": self.link,
            "$SECRET": "whsec_x",
            "X-Timestamp: …": f"X-Timestamp: {headers['X-Timestamp']}",
            "X-Signature: sha256=…": f"X-Signature: {headers['X-Signature']}",
        }
        return values.get(word, word)


def test_every_command_that_is_shown_in_full_does_what_it_says(tmp_path: Path) -> None:
    commands = examples()
    assert len(commands) > 30
    # A service of its own: the names of the pages' accounts are taken by other tests too.
    with TestService(fresh_database(), tmp_path / "own") as service:
        world = World(service, tmp_path)
        for words in commands:
            done = world.run(words)
            assert done.code == 0, f"tidings {shlex.join(words)}: {done.err}"
