"""Where it is measured: the server has one core to itself; the database and the load share the
other. A data folder of its own, gone afterwards."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from bench import callbacks, inside

SERVER_CORE, OTHER_CORE = 0, max(os.cpu_count() or 1, 1) - 1


class Stage:
    """A running service and its accounts, as `tidings apply` answered."""

    def __init__(self, env: dict[str, str], accounts: list[dict[str, Any]], port: int) -> None:
        self.env = env
        self.port = port
        self.keys = [str(account["apiKey"]) for account in accounts]
        self.ids = [UUID(account["id"].removeprefix("acc_")) for account in accounts]


@contextmanager
def stage(declared: str) -> Iterator[Stage]:
    """A service with these accounts, on its own core."""
    leave_the_servers_core()
    folder = Path(tempfile.mkdtemp(prefix="tidings-bench-"))
    folder.chmod(0o755)
    env = {"TIDINGS_DATA": str(folder / "data"), "TIDINGS_OPERATOR_ADDRESS": "off", **callbacks.ENV}
    file = folder / "bench.toml"
    file.write_text(declared)
    holder = inside.Database(env)  # on the other core, as a child of this process would
    try:
        accounts = _apply(file, env)
        port = free_port()
        with server([_tidings(), "serve", "--port", str(port)], env, port):
            yield Stage(env, accounts, port)
    finally:
        holder.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def server(arguments: list[str], env: dict[str, str], port: int) -> Iterator[None]:
    """A server pinned to its own core, once it answers."""
    process = subprocess.Popen(
        arguments, env={**os.environ, **env}, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}),
    )  # fmt: skip
    try:
        _await_answer(port, arguments[-1])
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def leave_the_servers_core() -> None:
    """This process, and what it starts without saying otherwise, shares the other."""
    os.sched_setaffinity(0, {OTHER_CORE})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_answer(port: int, name: str) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"{name} did not start")


def _apply(file: Path, env: dict[str, str]) -> list[dict[str, Any]]:
    made = subprocess.run(
        [_tidings(), "apply", str(file)], env={**os.environ, **env}, check=True, capture_output=True
    )
    accounts: list[dict[str, Any]] = json.loads(made.stdout)["accounts"]
    return accounts


def _tidings() -> str:
    return str(Path(sys.executable).parent / "tidings")
