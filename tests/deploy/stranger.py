"""Somebody without rights, in an empty folder, with nothing but the installed command."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ACCOUNT = "nobody"
GREETING_SECONDS_MAX = 240.0


class Stranger:
    """Runs commands as `nobody` where the tests run as root, else as whoever runs them."""

    def __init__(self, home: Path, bin_folder: Path) -> None:
        self.home = home
        self.env = {"PATH": f"{bin_folder}:{os.defpath}", "HOME": str(home), "LANG": "C.UTF-8"}
        self._as: list[str] = []
        if os.geteuid() == 0:
            if shutil.which("setpriv") is None:
                pytest.skip("setpriv is not installed")
            shutil.chown(home, ACCOUNT)
            self._as = ["setpriv", f"--reuid={ACCOUNT}", "--regid=nogroup", "--clear-groups"]

    def run(self, *words: str, text: str = "", env: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            [*self._as, *words],
            cwd=self.home,
            env=self.env | (env or {}),
            input=text,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def start(self, *words: str, log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as output:
            return subprocess.Popen(
                [*self._as, *words],
                cwd=self.home,
                env=self.env,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


def wait_for(log: Path, pattern: str, process: subprocess.Popen[bytes]) -> re.Match[str]:
    """Until the output has it."""
    end = time.monotonic() + GREETING_SECONDS_MAX
    while not (found := re.search(pattern, log.read_text(), re.DOTALL)):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.1)
    return found


def stop(process: subprocess.Popen[bytes]) -> int:
    process.send_signal(signal.SIGTERM)
    return process.wait(120)
