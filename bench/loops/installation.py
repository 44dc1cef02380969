"""Tidings with a live account and an empty database of its own, for a round: started, declared,
its template synchronised, and removed afterwards."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.loops import platform
from bench.loops.programs import START_SECONDS, Words, program
from bench.stage import free_port

KEY = "td_live_LoopLoopLoopLoopLoopLoopLoopLoopLoopLoopLo1"
TIDINGS = str(Path(sys.executable).parent / "tidings")
HEAD = """
[[accounts]]
name = "loop"
environment = "live"
apiKey = "KEY"
requestsPerMinute = 100000000
billingMode = "ENFORCED"
"""
SUBSCRIPTION = """
[accounts.subscription]
package = "Gold"
billingType = "PACKAGE"
unique = 10000000
followup = 10000000
startsAt = "2026-01-01T00:00:00Z"
endsAt = "2090-01-01T00:00:00Z"
currency = "ILS"
vatPct = 18
pricePerUnique = "0.20"
pricePerFollowup = "0.10"
"""
NUMBER = """
[[accounts.numbers]]
number = "97255588{n:04d}"
phoneNumberId = "1055{n:04d}"
wabaId = "{waba}"
accessToken = "t"
perSecond = 1000
"""
ONE_PROCESS: list[Words] = [[]]


class Installation:
    """A data folder, what is declared in it, and the processes that serve it."""

    def __init__(
        self, folder: Path, platform_port: int, webhook_port: int | None, port: int
    ) -> None:
        self.folder = folder
        self.port = port
        self.env = {
            "TIDINGS_DATA": str(folder / "data"),
            "TIDINGS_GRAPH_URL": f"http://127.0.0.1:{platform_port}",
            "TIDINGS_APP_SECRET": platform.SECRET,
            "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
            "TIDINGS_OPERATOR_ADDRESS": "off",
            "TIDINGS_PUBLIC_URL": f"http://127.0.0.1:{self.port}",
        }
        self._webhook_port = webhook_port

    def words(self, *options: str) -> Words:
        return [TIDINGS, "serve", "--port", str(self.port), *options]

    @contextmanager
    def serve(self, *options: str, listens: bool = True) -> Iterator[int]:
        """One `tidings serve`; its process id."""
        ports = [self.port] if listens else []
        with program(
            self.words(*options), *ports, env=self.env, log=self.folder / "serve.log"
        ) as running:
            yield running.pid

    def apply(self) -> None:
        """Declare the account; a running service then reads its template from the platform."""
        file = self.folder / "loop.toml"
        file.write_text(_declaration(self._webhook_port))
        subprocess.run(
            [TIDINGS, "apply", str(file)],
            env=os.environ | self.env,
            check=True,
            capture_output=True,
        )

    def await_template(self) -> None:
        until = time.monotonic() + START_SECONDS
        while not self._has_template():
            if time.monotonic() > until:
                raise RuntimeError("the template was not read from the platform")
            time.sleep(0.1)

    def _has_template(self) -> bool:
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/templates?limit=10", headers={"x-api-key": KEY}
        )
        try:
            with urllib.request.urlopen(asked) as answer:
                return b'"hello"' in answer.read()
        except urllib.error.URLError:  # another process listens later
            return False


@contextmanager
def installation(
    platform_port: int, webhook_port: int | None = None, *, port: int | None = None
) -> Iterator[Installation]:
    folder = Path(tempfile.mkdtemp(prefix="tidings-bench-"))
    folder.chmod(0o755)  # root's database runs as another user
    try:
        yield Installation(folder, platform_port, webhook_port, port or free_port())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def serving(made: Installation, split: list[Words] = ONE_PROCESS) -> Iterator[list[int]]:
    """Ready to accept and to send; the process ids of its `tidings serve`, one a list of options.

    The first listens.
    """
    with ExitStack() as stack:
        pids = []
        for at, options in enumerate(split):
            pids.append(stack.enter_context(made.serve(*options, listens=at == 0)))
            if at == 0:
                made.apply()
        made.await_template()
        yield pids


def _declaration(webhook_port: int | None) -> str:
    webhook = f'webhookUrl = "http://127.0.0.1:{webhook_port}/hook"\n' if webhook_port else ""
    numbers = [NUMBER.format(n=n, waba=platform.WABA) for n in range(platform.NUMBERS)]
    return "".join((HEAD.replace("KEY", KEY), webhook, SUBSCRIPTION, *numbers))
