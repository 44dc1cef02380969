"""What a reader of Getting started runs: the receiver of the page, and the command beside it."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.observed import free_port
from tests.support.waiting import eventually

PRINTED_URL = re.compile(r"--url \S+")


@dataclass(frozen=True)
class OwnCode:
    """A program on a port of this machine, to which the events of an account are forwarded."""

    url: str
    process: subprocess.Popen[str]

    def line(self) -> str:
        """The next one that it prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")


@contextmanager
def running_receiver(folder: Path, program: str, command: str, url: str) -> Iterator[OwnCode]:
    """As the page shows them, on a free port and with the address at which the service listens."""
    port = str(free_port())
    file = folder / "receiver.py"
    file.write_text(program.replace(", 3000)", f", {port})"))
    aimed = PRINTED_URL.sub(f"--url {url}", command).replace(":3000", f":{port}")
    with _started([sys.executable, str(file)]) as receiver:
        eventually(lambda: _answers(port))
        with _started([sys.executable, "-m", "tidings.cli", *aimed.split()[1:]]) as listener:
            assert listener.stderr is not None
            assert "Forwarding" in listener.stderr.readline()
            assert "Listening" in listener.stderr.readline()
            yield OwnCode(f"http://127.0.0.1:{port}", receiver)


@contextmanager
def _started(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def _answers(port: str) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", int(port))) == 0
