"""The service that is pressed: `tidings serve` with an embedded PostgreSQL of its own, gone
afterwards, and two sandbox accounts: who presses, and another."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.loops.database import Watch
from bench.loops.installation import TIDINGS
from bench.loops.processor import tree
from bench.loops.programs import program
from bench.stage import free_port
from proof.bounds.memory import forget_peak, held

PRESSING, OTHER = "td_sandbox_" + "P" * 43, "td_sandbox_" + "O" * 43
ACCOUNT = """
[[accounts]]
name = "{name}"
environment = "sandbox"
apiKey = "{key}"
requestsPerMinute = 1000000
billingMode = "OFF"
{more}
[[accounts.numbers]]
number = "9725557000{n:02d}"
perSecond = {rate}
[[accounts.templates]]
name = "hello"
body = "Hello {{{{1}}}}"
[[accounts.templates]]
name = "plain"
body = "Good morning"
"""


def account(name: str, key: str, n: int, *, rate: int = 1000, more: str = "") -> str:
    return ACCOUNT.format(name=name, key=key, n=n, rate=rate, more=more)


TWO = account("pressing", PRESSING, 1) + account("other", OTHER, 2)


@dataclass
class Stage:
    port: int
    root: int  # the process id of `tidings serve`
    env: dict[str, str]
    folder: Path
    postmaster: int = 0

    def command(self, *words: str) -> str:
        """What a command of `tidings` prints."""
        made = subprocess.run(
            [TIDINGS, *words], env=os.environ | self.env, capture_output=True, text=True,
            check=False, timeout=300,
        )  # fmt: skip
        if made.returncode:
            raise RuntimeError(made.stderr)
        return made.stdout

    def apply(self, declared: str) -> None:
        file = self.folder / "bounds.toml"
        file.write_text(declared)
        self.command("apply", str(file))

    def watch(self) -> Watch:
        return Watch(self.env)

    def service(self) -> set[int]:
        """Its processes without the database's, of which there is one parent."""
        return tree([self.root]) - tree([self.postmaster])

    def forget_peaks(self) -> None:
        for pid in self.service():
            forget_peak(pid)

    def peak(self) -> float:
        """The most that was resident in one of its processes, in MB."""
        return max(held(pid).peak for pid in self.service())

    def resident(self) -> float:
        return max(held(pid).resident for pid in self.service())


@contextmanager
def serving(declared: str = TWO, *, under: Path | None = None, **settings: str) -> Iterator[Stage]:
    """`settings` are variables without their prefix; `under` is where its folder is made."""
    folder = Path(tempfile.mkdtemp(prefix="tidings-bounds-", dir=under))
    folder.chmod(0o755)  # root's database runs as another user
    port = free_port()
    env = {
        "TIDINGS_DATA": str(folder / "data"),
        "TIDINGS_OPERATOR_ADDRESS": "off",
        "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
        "TIDINGS_PUBLIC_URL": f"http://127.0.0.1:{port}",
        **{f"TIDINGS_{name.upper()}": value for name, value in settings.items()},
    }
    words = [TIDINGS, "serve", "--port", str(port)]
    try:
        with program(words, port, env=env, log=folder / "serve.log") as running:
            stage = Stage(port, running.pid, env, folder)
            stage.apply(declared)
            with closing(stage.watch()) as watch:
                stage.postmaster = watch.postmaster()
            yield stage
    finally:
        shutil.rmtree(folder, ignore_errors=True)
