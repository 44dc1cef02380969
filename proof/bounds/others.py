"""What other clients see meanwhile: a process that asks for /health and sends messages, one after
another, and says how long each took.

In turns it asks a server of a few lines that does nothing else. What that one takes is the delay of
the machine, whatever else runs on it, and is allowed on top.
"""

import http.client
import json
import multiprocessing
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event

from proof.bounds.promises import Promise
from proof.bounds.stage import OTHER, Stage

ADDRESS = "127.77.0.1"
PAUSE_SECONDS = 0.02
SEND_EVERY, RENEW_EVERY = 10, 25  # of the asks: one is a send; one comes by a new connection
TIMEOUT_SECONDS = 60
SHOWN = 5

HEALTH_MS_MAX = 200.0
RESIDENT_MB_MAX = 600.0


@dataclass
class Seen:
    """In milliseconds; `failures` are answers other than 200."""

    health: list[float] = field(default_factory=list)
    sends: list[float] = field(default_factory=list)
    machine: list[float] = field(default_factory=list)  # the server that does nothing
    failures: list[str] = field(default_factory=list)
    peak: float = 0.0  # MB resident, of the service's largest process

    @staticmethod
    def at(waits: list[float], share: float) -> float:
        ordered = sorted(waits)
        return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 1)

    def promises(self, part: str, doing: str, *, may_fail: bool = False) -> list[Promise]:
        p50, most = self.at(self.health, 0.5), self.at(self.health, 1)
        health = f"{doing}: /health for others, p99 of {len(self.health)} (p50 {p50}, max {most})"
        sends = f"{doing}: a text of another account, p99 of {len(self.sends)}"
        bound = HEALTH_MS_MAX + self.at(self.machine, 0.99)
        found = [
            Promise(part, health, self.at(self.health, 0.99), round(bound, 1), " ms"),
            Promise(part, sends, self.at(self.sends, 0.99) if self.sends else 0, None, " ms"),
            Promise(part, f"{doing}: peak resident memory", round(self.peak, 1), RESIDENT_MB_MAX,
                    " MB"),
        ]  # fmt: skip
        if not may_fail:
            shown = f" {self.failures[:SHOWN]}" if self.failures else ""
            failed = Promise(part, f"{doing}: others' requests that failed{shown}",
                             len(self.failures), 0)  # fmt: skip
            found.append(failed)
        return found


@contextmanager
def watching(stage: Stage, *, renews: bool = True) -> Iterator[Seen]:
    """Filled when the block ends. `renews`: also by new connections."""
    ours, theirs = multiprocessing.Pipe()
    bare = socket.create_server(("127.0.0.1", 0))
    began, ended = multiprocessing.Event(), multiprocessing.Event()
    asking = multiprocessing.Process(
        target=_ask,
        args=(stage.port, bare.getsockname()[1], renews, began, ended, theirs),
        daemon=True,
    )
    idling = multiprocessing.Process(target=_answer_nothing, args=(bare,), daemon=True)
    idling.start()
    asking.start()
    if not began.wait(TIMEOUT_SECONDS):
        raise RuntimeError("the service does not answer")
    stage.forget_peaks()
    seen = Seen()
    try:
        yield seen
    finally:
        ended.set()
        if ours.poll(TIMEOUT_SECONDS):
            seen.health, seen.sends, seen.machine, seen.failures = ours.recv()
        asking.join(TIMEOUT_SECONDS)
        idling.terminate()
        idling.join()
        bare.close()
        seen.peak = stage.peak()


def _ask(port: int, bare: int, renews: bool, began: Event, ended: Event, found: Connection) -> None:
    health: list[float] = []
    sends: list[float] = []
    machine: list[float] = []
    failures: list[str] = []
    headers = {"x-api-key": OTHER, "content-type": "application/json"}
    connection = _connect(port)
    idle = socket.create_connection(("127.0.0.1", bare))
    count = 0
    while not ended.is_set():
        count += 1
        is_send = count % SEND_EVERY == 0
        if renews and count % RENEW_EVERY == 0:
            connection.close()
        at = time.perf_counter()
        try:
            if is_send:
                body = json.dumps({
                    "clientMessageId": f"others-{time.time_ns()}", "to": "972501234567",
                    "templateName": "plain",
                })  # fmt: skip
                connection.request("POST", "/api/v1/messages/text", body, headers)
            else:
                connection.request("GET", "/api/v1/health")
            answer = connection.getresponse()
            said = answer.read()
            if answer.status != 200:
                failures.append(f"{answer.status} {said[:120]!r}")
        except (OSError, http.client.HTTPException) as failure:
            failures.append(repr(failure))
            connection.close()
            connection = _connect(port)
        (sends if is_send else health).append((time.perf_counter() - at) * 1000)
        at = time.perf_counter()
        idle.sendall(b"?")
        idle.recv(1)
        machine.append((time.perf_counter() - at) * 1000)
        began.set()
        time.sleep(PAUSE_SECONDS)
    found.send((health, sends, machine, failures))


def _answer_nothing(bare: socket.socket) -> None:
    one, _ = bare.accept()
    while asked := one.recv(1):
        one.sendall(asked)


def _connect(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(
        "127.0.0.1", port, timeout=TIMEOUT_SECONDS, source_address=(ADDRESS, 0)
    )
