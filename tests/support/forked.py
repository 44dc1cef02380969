"""`tidings serve` as a process of its own, forked from one that has imported it already.

Importing takes 1.7 s of processor time, and tests that kill the service start it dozens of times.
The process is as real as one from the shell: it has its own id, environment, output and signals.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tidings.cli.main import main

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload([__name__, "tidings.cli.running.serve"])  # before the fork


class ForkedCommand:
    """The part of `subprocess.Popen` that tests use."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str], output: Path) -> None:
        self._words = words
        arguments = (list(words), dict(env), str(output))
        self._process = _SERVER.Process(target=_run, args=arguments, daemon=False)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, seconds: float) -> int:
        self._process.join(seconds)
        assert self._process.exitcode is not None, f"still running: {self._words}"
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def _run(words: list[str], env: dict[str, str], output: str) -> None:
    log = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for descriptor in (1, 2):
        os.dup2(log, descriptor)
    # Whoever runs the tests may have turned it off, as a shell does in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["tidings", *words]
    main()
