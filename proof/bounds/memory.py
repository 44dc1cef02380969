"""What processes hold, by the kernel's books: memory, open files, threads."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

KIB = 1024


@dataclass(frozen=True, slots=True)
class Held:
    """By one process, or by several together. Memory is in MB of a million bytes.

    `peak` is the largest that was resident since the process began or `forget_peak` was called.
    `private` is what it allocated itself: of a PostgreSQL backend, all but the shared buffers.
    """

    resident: float = 0.0
    peak: float = 0.0
    private: float = 0.0
    files: int = 0
    threads: int = 0

    def __add__(self, other: "Held") -> "Held":
        return Held(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def held(pid: int) -> Held:
    """Nothing, if the process has ended."""
    folder = Path(f"/proc/{pid}")
    try:
        status = _fields(folder / "status")
        rollup = _fields(folder / "smaps_rollup")
        files = sum(1 for _ in (folder / "fd").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        return Held()
    return Held(
        status.get("VmRSS", 0.0), status.get("VmHWM", 0.0), rollup.get("Pss_Anon", 0.0), files,
        int(status.get("Threads", 0)),
    )  # fmt: skip


def held_together(pids: Iterable[int]) -> Held:
    return sum((held(pid) for pid in pids), Held())


def forget_peak(pid: int) -> None:
    """From now on VmHWM tells of what follows."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def _fields(file: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in file.read_text().splitlines():
        name, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            is_size = words[-1] == "kB"
            found[name] = int(words[0]) * KIB / 1e6 if is_size else int(words[0])
    return found
