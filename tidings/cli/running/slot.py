"""What the supervisor passes to each of its processes, in the environment.

A slot is one of the numbers 0 to N-1 of `--processes N`. When a process dies, its successor gets
the same slot: it continues the same counters (engine/metrics) and the same listener.
"""

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tidings.engine.http.server import listen
from tidings.engine.metrics import SHARED_FOLDER
from tidings.engine.peers import Peers

VARIABLE = "TIDINGS_SLOT"


@dataclass(frozen=True, slots=True)
class Slot:
    number: int
    group: str  # of the processes of one supervisor
    listener: socket.socket  # where the process answers the supervisor

    @classmethod
    def make(cls, number: int, group: str) -> Self:
        """In the supervisor; its processes inherit the listener."""
        return cls(number, group, listen("127.0.0.1", 0))

    @classmethod
    def find(cls) -> Self | None:
        """In the process itself; None where `serve` runs a single process."""
        found = os.environ.get(VARIABLE)
        if not found:
            return None
        number, group, descriptor = found.split(":")
        return cls(int(number), group, socket.socket(fileno=int(descriptor)))

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.listener.getsockname()[:2]
        return host, port

    def environment(self, folder: Path) -> dict[str, str]:
        """`folder`: of the processes of one supervisor, for their counters and sockets."""
        value = f"{self.number}:{self.group}:{self.listener.fileno()}"
        return {VARIABLE: value, SHARED_FOLDER: str(folder)}

    def peers(self) -> Peers:
        """In the process itself."""
        return Peers(Path(os.environ[SHARED_FOLDER]), self.group, self.number)
