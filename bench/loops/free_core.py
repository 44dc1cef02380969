"""What a second process gains where a core is free.

On a machine of two cores none is: PostgreSQL, the load, the platform and the sink want theirs. So
each process of the service is held to a share of a core by the kernel (cgroups), small enough that
two of them and all the rest leave both cores partly idle; what is measured is whether a second
share does as much as the first. A process that has used up its share may hold locks while it waits
for the next period, which a core of its own would not do: the ratio is, if anything, too low. With
four cores or more nothing is held back.
"""

import os
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.loops import tidings
from bench.loops.programs import on_all_cores

CONNECTIONS = 64
ENOUGH_CORES = 4
SHARE = 0.3
PERIOD_US = 10_000
# Eight times the usual: what else runs on the machine must not take from the share.
SHARES_V1, WEIGHT_V2 = 8_192, 800
NAME = "tidings-bench"
V1, V2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")


def measure(seconds: float, rounds: int) -> dict[str, Any]:
    if not _needs_shares() or _root() is not None:
        with on_all_cores():
            return _measure(seconds, rounds)
    return {"reason": "needs four cores, or root and cgroups"}


def _measure(seconds: float, rounds: int) -> dict[str, Any]:
    loops: dict[str, list[int]] = {"1": [], "2": []}
    for _ in range(rounds):
        for name, series in loops.items():
            with tidings.running(tidings.SPLITS[name]) as round_, _held(round_.processes()):
                load = round_.drive("text", seconds, CONNECTIONS)
                series.append(round_.figures(load, "text")["loops"])
    one, two = (statistics.median(series) for series in loops.values())
    share = SHARE if _needs_shares() else 1
    return {"ratio": round(two / one, 2), "one": one, "two": two, "shareOfACore": share}


@contextmanager
def _held(pids: set[int]) -> Iterator[None]:
    """Each process to its share, until they have ended."""
    if not _needs_shares():
        yield
        return
    root = _root()
    assert root is not None
    groups = [root / f"{NAME}-{os.getpid()}-{pid}" for pid in sorted(pids)]
    for group, pid in zip(groups, sorted(pids), strict=True):
        group.mkdir()
        _limit(group)
        (group / "cgroup.procs").write_text(str(pid))
    try:
        yield
    finally:
        for group in groups:
            _release(group, root)


def _limit(group: Path) -> None:
    quota = int(PERIOD_US * SHARE)
    if group.parent == V1:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
        (group / "cpu.shares").write_text(str(SHARES_V1))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
        (group / "cpu.weight").write_text(str(WEIGHT_V2))


def _release(group: Path, root: Path) -> None:
    for pid in (group / "cgroup.procs").read_text().split():
        (root / "cgroup.procs").write_text(pid)
    group.rmdir()


def _needs_shares() -> bool:
    return (os.cpu_count() or 1) < ENOUGH_CORES


def _root() -> Path | None:
    """Where groups can be made, if anywhere."""
    for root, file in ((V1, "cpu.cfs_quota_us"), (V2, "cpu.max")):
        probe = root / f"{NAME}-probe"
        try:
            probe.mkdir()
        except OSError:
            continue
        has_file = (probe / file).exists()
        probe.rmdir()
        if has_file:
            return root
    return None
