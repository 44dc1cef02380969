"""What one of several processes is given by its parent (`supervisor.py`), in its environment.

A slot is one place among `--processes N`. Whoever dies is followed by another process in the same
slot, which counts on in the same files (engine/metrics.py) and answers on the same listener.
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
    listener: socket.socket  # where its process answers its parent's questions

    @classmethod
    def make(cls, number: int) -> Self:
        """As the parent does. The processes inherit the listener."""
        return cls(number, listen("127.0.0.1", 0))

    @classmethod
    def find(cls) -> Self | None:
        """As the process itself does; None where there is but one process."""
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
