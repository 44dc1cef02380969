"""What the supervisor passes to each of its processes, in the environment.

A slot is one of the numbers 0 to N-1 of `--processes N`. When a process dies, its successor gets
the same slot: it continues the same counters (engine/metrics.py) and the same listener.
"""

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tidings.engine.http.server import listen
from tidings.engine.metrics import SHARED_FOLDER

VARIABLE = "TIDINGS_SLOT"


@dataclass(frozen=True, slots=True)
class Slot:
    number: int
    listener: socket.socket  # where the process answers the supervisor

    @classmethod
    def make(cls, number: int) -> Self:
        """In the supervisor; its processes inherit the listener."""
        return cls(number, listen("127.0.0.1", 0))

    @classmethod
    def find(cls) -> Self | None:
        """In the process itself; None where `serve` runs a single process."""
        number, _, descriptor = os.environ.get(VARIABLE, "").partition(":")
        if not descriptor:
            return None
        return cls(int(number), socket.socket(fileno=int(descriptor)))

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.listener.getsockname()[:2]
        return host, port

    def environment(self, metrics: Path) -> dict[str, str]:
        return {VARIABLE: f"{self.number}:{self.listener.fileno()}", SHARED_FOLDER: str(metrics)}
