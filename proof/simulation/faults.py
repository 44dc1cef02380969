"""What goes wrong: where, how likely, and which of it really happened.

Each kind of fault is switched on for a quarter to all of the histories, and then happens now and
then (FoundationDB's way). Whether it happens the nth time is decided by the seed, its name and n
alone, so that leaving one fault out does not move the others.
"""

import hashlib
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple


class Fault(NamedTuple):
    """The nth time that something of this name could go wrong."""

    name: str
    nth: int

    def __str__(self) -> str:
        return f"{self.name}#{self.nth}"

    @classmethod
    def parse(cls, text: str) -> "Fault":
        name, _, nth = text.rpartition("#")
        return cls(name, int(nth))


class Kind(NamedTuple):
    switched_on: float  # in this share of the histories
    happens: float  # then each time with this probability


KINDS = {
    # A process dies.
    "crash before a commit": Kind(0.5, 0.01),
    "crash after a commit": Kind(0.5, 0.01),
    "crash after a claim": Kind(0.5, 0.03),
    "crash before the platform gets it": Kind(0.5, 0.03),
    "crash after the platform has it": Kind(0.5, 0.04),
    "crash before a webhook is posted": Kind(0.4, 0.02),
    "crash after a webhook was posted": Kind(0.4, 0.03),
    "crash before the caller is answered": Kind(0.4, 0.03),
    "stop in good order": Kind(0.4, 0.03),
    # A connection is lost, or slow.
    "database cut before it is done": Kind(0.4, 0.001),
    "database cut after it was done": Kind(0.5, 0.01),
    "database is slow": Kind(0.4, 0.001),
    "request is lost": Kind(0.4, 0.04),
    "answer is lost": Kind(0.5, 0.06),
    "request comes twice": Kind(0.4, 0.06),
    # The platform.
    "platform forgets to answer": Kind(0.5, 0.08),
    "platform loses it and does not answer": Kind(0.4, 0.05),
    "platform refuses": Kind(0.4, 0.06),
    "platform is down": Kind(0.5, 0.1),
    "platform is slow": Kind(0.4, 0.05),
    "callback is lost": Kind(0.3, 0.05),
    "callback comes twice": Kind(0.6, 0.2),
    "callback comes late": Kind(0.6, 0.2),
    "all callbacks of it come minutes late": Kind(0.5, 0.3),
    "callback says failed": Kind(0.4, 0.06),
    # Customers' servers.
    "receiver fails": Kind(0.5, 0.1),
    "receiver hangs": Kind(0.3, 0.03),
    "receiver's answer is lost": Kind(0.4, 0.05),
    # Time.
    "process stands still": Kind(0.4, 0.03),
    "clock jumps": Kind(0.3, 0.03),
}


class Faults:
    """Of one history. `only`: these and no others, to find out which of them matter."""

    def __init__(self, seed: int, only: Collection[Fault] | None = None) -> None:
        self._seed = seed
        self._only = only
        self._counts: Counter[str] = Counter()
        self.happened: list[Fault] = []
        self.have_ended = False
        self._on = {
            name: _chance(f"{seed}/{name}") < kind.switched_on for name, kind in KINDS.items()
        }

    def strikes(self, name: str) -> bool:
        """Whether it goes wrong this time."""
        self._counts[name] += 1
        if self.have_ended or not self._on[name]:
            return False
        fault = Fault(name, self._counts[name])
        if _chance(f"{self._seed}/{fault}") >= KINDS[name].happens:
            return False
        if self._only is not None and fault not in self._only:
            return False
        self.happened.append(fault)
        return True


def _chance(of: str) -> float:
    """From 0 to 1, the same for the same text. A `Random` of its own takes forty times as long."""
    return int.from_bytes(hashlib.blake2b(of.encode(), digest_size=8).digest()) / 2**64
