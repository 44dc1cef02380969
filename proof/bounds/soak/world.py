"""The service that is soaked: `tidings serve` with its embedded PostgreSQL, a platform that calls
back, a customer that takes webhooks, and three accounts.

`live` sends through the platform. `shop` is a sandbox by the real clock. `dated` is a sandbox that
keeps people for a day, and whose clock moves a day a minute: what it stores becomes old and goes.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from bench.loops import platform
from bench.loops.database import Watch
from bench.loops.installation import NUMBER, SUBSCRIPTION, TIDINGS, Installation, installation
from bench.loops.processor import tree
from bench.loops.programs import module
from bench.stage import free_port

KEYS = {
    "live": "td_live_" + "L" * 43,
    "shop": "td_sandbox_" + "S" * 43,
    "dated": "td_sandbox_" + "D" * 43,
}
EMAIL = "soak@example.com"
ACCOUNT = """
[[accounts]]
name = "{name}"
environment = "{environment}"
organisation = "soak"
apiKey = "{key}"
webhookUrl = "http://127.0.0.1:{sink}/hook"
requestsPerMinute = 1000000
billingMode = "ENFORCED"
{more}
"""
SANDBOX = """
[[accounts.numbers]]
number = "97255577000{n}"
perSecond = 1000
[[accounts.templates]]
name = "hello"
body = "Hello {{{{1}}}}, your order {{{{2}}}} is on its way"
[[accounts.templates]]
name = "invite"
body = "Hi {{{{1}}}}, join us on {{{{2}}}}"
buttons = [ {{ type = "QUICK_REPLY", text = "Yes" }}, {{ type = "QUICK_REPLY", text = "No" }} ]
[[accounts.templates]]
name = "code"
category = "AUTHENTICATION"
[[accounts.forms]]
id = "visit"
title = "Your visit"
approved = true
published = true
questions = [ {{ id = "q1", type = "rating", text = "How was it?" }},
              {{ id = "q2", type = "comment", text = "Anything else?" }} ]
"""


@dataclass(frozen=True, slots=True)
class World:
    made: Installation
    root: int  # the process id of `tidings serve`
    sink: int  # the ports of the customer and the platform
    platform: int
    watch: Watch
    postmaster: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.made.port}"

    def service(self) -> set[int]:
        """Its processes, without the database's."""
        return tree([self.root]) - self.database()

    def database(self) -> set[int]:
        return tree([self.postmaster])

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [TIDINGS, *words], env=os.environ | self.made.env, capture_output=True, text=True,
            check=False, timeout=300,
        )  # fmt: skip

    def welcome(self) -> str:
        """The token of a link with which somebody joins the accounts' organisation."""
        said = self.command("people", "invite", EMAIL, "--account", "shop", "--role", "owner")
        if said.returncode:
            raise RuntimeError(said.stderr)
        return said.stdout.split("token=")[1].split()[0]

    def breaches(self) -> list[str]:
        """What `tidings doctor` finds."""
        said = self.command("doctor")
        return [] if said.returncode == 0 else [said.stdout.strip() or said.stderr.strip()]


@contextmanager
def running() -> Iterator[World]:
    back = free_port()
    with ExitStack() as stack:
        sink = stack.enter_context(module("sink"))
        called = stack.enter_context(module("platform", str(back)))
        made = stack.enter_context(installation(called, sink, port=back))
        root = stack.enter_context(made.serve())
        _apply(made, sink)
        watch = Watch(made.env)
        stack.callback(watch.close)
        yield World(made, root, sink, called, watch, watch.postmaster())


def _apply(made: Installation, sink: int) -> None:
    numbers = "".join(NUMBER.format(n=n, waba=platform.WABA) for n in range(platform.NUMBERS))
    live = _account("live", "live", sink)
    shop = _account("shop", "sandbox", sink)
    dated = _account("dated", "sandbox", sink, "retentionDays = 1")
    file = made.folder / "soak.toml"
    file.write_text(live + numbers + shop + SANDBOX.format(n=1) + dated + SANDBOX.format(n=2))
    said = subprocess.run(
        [TIDINGS, "apply", str(file)], env=os.environ | made.env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if said.returncode:
        raise RuntimeError(said.stderr)


def _account(name: str, environment: str, sink: int, more: str = "") -> str:
    head = ACCOUNT.format(name=name, environment=environment, key=KEYS[name], sink=sink, more=more)
    return head + SUBSCRIPTION
