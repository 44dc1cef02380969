"""The examples as their READMEs say to run them: as programs, in their own environment."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

import httpx
import pytest

from tests.support.plain_http import NO_TLS
from tests.support.waiting import eventually

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
ENVIRONMENT = ROOT / ".venv-examples" / "bin"  # made by `make test-packages`
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
PORT = "3000"  # in the READMEs
START_SECONDS_MAX = 240  # the first `go run` compiles the standard library


def needs(*programs: str) -> None:
    """Skip the test if a program that it runs is not installed."""
    for program in programs:
        if program == "python" and not (ENVIRONMENT / program).exists():
            pytest.skip("the environment of the examples is made by `make test-packages`")
        if shutil.which(program, path=search_path()) is None:
            pytest.skip(f"{program} is not installed")


def search_path() -> str:
    # The tests' own environment stays outside: an example has only what its README installs.
    return os.pathsep.join([str(ENVIRONMENT), *os.environ["PATH"].split(os.pathsep)])


def run(*words: str, folder: Path, env: dict[str, str] | None = None, text: str = "") -> str:
    done = subprocess.run(
        words, cwd=folder, env=environment(env or {}), input=text, capture_output=True, text=True,
        timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def environment(more: dict[str, str]) -> dict[str, str]:
    return {
        "PATH": search_path(),
        "HOME": os.environ.get("HOME", "/tmp"),
        "LANG": "C.UTF-8",
        **more,
    }


def command_of(name: str) -> str:
    """The last line of the README's commands: what starts the program."""
    [commands] = SHELL.findall((EXAMPLES / name / "README.md").read_text())
    return str(commands.strip().splitlines()[-1])


class Program:
    """An example that listens on a port, from when it answers until it is closed."""

    def __init__(self, name: str, log: Path, folder: Path | None = None, **env: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        own = {name: text.replace(f":{PORT}/", f":{self.port}/") for name, text in env.items()}
        self._process = subprocess.Popen(
            ["bash", "-c", command_of(name).replace(PORT, str(self.port))],
            cwd=folder or EXAMPLES / name,
            env=environment(own),
            stdout=log.open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,  # `go run` and servers that fork have children
        )
        self.http = httpx.Client(base_url=self.url, timeout=60, verify=NO_TLS)
        self._wait()

    @property
    def printed(self) -> str:
        return self._log.read_text()

    def handled(self) -> list[str]:
        """The ids of the events that a receiver says it has handled."""
        return re.findall(r"^handled \S+ (whk_\w+)", self.printed, re.MULTILINE)

    def wait_for(self, webhook_id: str) -> None:
        eventually(lambda: webhook_id in self.handled(), 120)

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.http.get("/")
                return
            except httpx.TransportError:
                assert self._process.poll() is None, self.printed
                assert time.monotonic() < end, f"it did not start: {self.printed}"
                time.sleep(0.1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(30)
