"""Programs started for a round and ended after it, and what they say of themselves."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.stage import free_port

START_SECONDS = 180  # on a machine that others use too
END_SECONDS = 40  # a service finishes what it has begun
QUIET_SECONDS = 1.5  # nothing more comes after such a pause
DRAIN_SECONDS = 120

Words = list[str]


@contextmanager
def on_all_cores() -> Iterator[None]:
    """Sections that pin the load to one core may have run before."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def program(
    words: Words, *ports: int, env: dict[str, str] | None = None, log: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Running and listening at these ports; ended with SIGTERM."""
    output = log.open("ab") if log else subprocess.DEVNULL
    running = subprocess.Popen(
        words, env={**os.environ, **(env or {})}, stdout=output, stderr=subprocess.STDOUT
    )
    try:
        for port in ports:
            _await_port(port, running, log)
        yield running
    finally:
        end(running)


def end(running: subprocess.Popen[bytes]) -> None:
    if running.poll() is None:
        running.send_signal(signal.SIGTERM)
    try:
        running.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()


@contextmanager
def module(name: str, *arguments: str) -> Iterator[int]:
    """A server of `bench.loops` in a process of its own; its port."""
    port = free_port()
    with program([sys.executable, "-m", f"bench.loops.{name}", str(port), *arguments], port):
        yield port


def figures_of(port: int) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/figures") as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def drain(port: int, is_complete: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Poll until everything has come, or nothing has for a while."""
    found = figures_of(port)
    changed = time.monotonic()
    until = changed + DRAIN_SECONDS
    while not is_complete(found) and time.monotonic() < until:
        time.sleep(0.1)
        before, found = found, figures_of(port)
        if found != before:
            changed = time.monotonic()
        elif found["lastAt"] and time.monotonic() - changed > QUIET_SECONDS:
            break
    return found


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _await_port(port: int, running: subprocess.Popen[bytes], log: Path | None) -> None:
    until = time.monotonic() + START_SECONDS
    while not is_listening(port):
        if running.poll() is not None or time.monotonic() > until:
            said = log.read_text(errors="replace")[-2000:] if log else ""
            raise RuntimeError(f"{running.args} did not start\n{said}")
        time.sleep(0.02)
