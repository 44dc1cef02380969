"""The first five minutes of the README, typed as it says, in a fresh clone.

`python -m tests.deploy.first_minutes` does it with the README's own ports and prints what was typed
and when; the test does it with free ones.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.deploy.stranger import stop, wait_for
from tests.test_docs import read_blocks

ROOT = Path(__file__).parents[2]
ANSWERED = "verified guest.confirmed"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "data", "node_modules", "__pycache__")


def clone_into(folder: Path) -> Path:
    """As `git clone` leaves it; where there is no repository, a copy of the files."""
    made = folder / "tidings"
    if (ROOT / ".git").exists():
        subprocess.run(["git", "clone", "-q", ROOT, made], check=True)
    else:
        shutil.copytree(ROOT, made, ignore=LEFT_OUT)
    return made


def read_steps(clone: Path) -> list[str]:
    """The code of the README's section, block by block."""
    page = (clone / "README.md").read_text()
    found = re.search(r"## The first five minutes\n(.*?)\n## ", page, re.DOTALL)
    assert found is not None
    return [block.text for block in read_blocks(found[1])]


@dataclass
class Newcomer:
    """Types what the README says. `other`: what is written in the place of its ports."""

    clone: Path
    other: Mapping[str, str] = field(default_factory=dict)
    transcript: list[tuple[float, str, str]] = field(default_factory=list)
    _began_at: float = field(default_factory=time.monotonic)
    _filled_in: dict[str, str] = field(default_factory=dict)
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def go(self) -> None:
        run, curl, shown, program, commands = read_steps(self.clone)
        try:
            greeting = self._start(run, r"Tidings sandbox.*Stop with Ctrl-C")
            self._filled_in["td_sandbox_…"] = _find(r"td_sandbox_\w+", greeting)
            self._filled_in["whsec_…"] = _find(r"whsec_\S+", greeting)
            answer = self._type(curl)
            assert [*re.findall(r'"(\w+)":', answer)] == re.findall(r'"(\w+)":', shown), answer
            (self.clone / "receiver.py").write_text(self._fill(program))
            receiver, listen, phone = commands.splitlines()
            self._start(receiver, "")
            self._start(listen, "Listening")
            self._type(phone, keys="Yes\n")
            self._note("(receiver.py prints)", self._wait(1, ANSWERED))
        finally:
            for process in reversed(self._running):
                stop(process)

    def _fill(self, text: str) -> str:
        for shown, meant in {**self.other, **self._filled_in}.items():
            text = text.replace(shown, meant)
        return text

    def _start(self, command: str, until: str) -> str:
        """In a terminal of its own, until it has printed so much."""
        with self._log(len(self._running)).open("wb") as output:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {self._fill(command)}"],
                cwd=self.clone,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._running.append(process)
        printed = self._wait(len(self._running) - 1, until)
        self._note(command, printed)
        return printed

    def _wait(self, number: int, pattern: str) -> str:
        return wait_for(self._log(number), pattern, self._running[number])[0]

    def _type(self, command: str, keys: str = "") -> str:
        done = subprocess.run(
            ["sh", "-c", self._fill(command)],
            cwd=self.clone,
            input=keys,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self._note(command, done.stdout)
        return done.stdout

    def _log(self, number: int) -> Path:
        return self.clone.parent / f"terminal-{number}.log"

    def _note(self, typed: str, printed: str) -> None:
        self.transcript.append((time.monotonic() - self._began_at, typed, printed))


def _find(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, text
    return found[0]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        newcomer = Newcomer(clone_into(Path(folder)))
        newcomer.go()
    for seconds, typed, printed in newcomer.transcript:
        sys.stdout.write(f"{seconds:6.1f} s  $ {typed}\n{printed}\n\n")


if __name__ == "__main__":
    main()
