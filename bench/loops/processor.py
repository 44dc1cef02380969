"""Processor time and memory of processes and of those they started, from the kernel's books."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def tree(roots: list[int]) -> set[int]:
    """These processes and all below them."""
    pids = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    parents = {pid: parent_of(pid) for pid in pids}
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def seconds_of(pids: set[int]) -> float:
    """With what their children that have ended took."""
    return sum(sum(int(ticks) for ticks in _stat(pid)[11:15]) for pid in pids) / _TICKS


def resident_mb(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return pages * _PAGE_BYTES / 1e6


def parent_of(pid: int) -> int:
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return ["0"] * 20
