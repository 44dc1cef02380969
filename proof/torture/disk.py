"""The disk of the database is full: nothing is accepted, nothing is half done, and with room again
everything goes on by itself."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import asyncpg

from proof.torture.customer import Customer
from proof.torture.postgres import TorturedServer
from proof.torture.promises import Promise
from proof.torture.run import Run
from proof.torture.settle import settle
from proof.torture.verdict import judge
from proof.torture.world import World, world
from tests.support.database import reachable_folder
from tests.support.waiting import eventually

ROLES = ("api,worker", "worker")
SIZE = "320m"
# Some is left for what goes on writing: the log of the server, and what it frees and takes again.
LEFT_BYTES = 64 << 10
ANSWERS = 20  # after each round
FULL_SECONDS = 4.0  # from the first request that is refused for it
FILLS_SECONDS_MAX = 90
SWITCH_SECONDS = 15  # without a refusal; then the segment of the log that has room is left
SMALL = {"max_wal_size": "48MB", "min_wal_size": "32MB", "shared_buffers": "32MB"}


def fill_disk(run: Run) -> list[Promise]:
    with small_disk() as folder:
        server = TorturedServer(folder / "server", **SMALL)
        with world("disk", run.seed, roles=ROLES, postgres=server) as here:
            customer = here.begin_load(per_second=30)
            refused, ends = [], 0
            for nth in run.rounds():
                before = customer.statuses[503]
                ends += _fill(here, folder)
                refused.append(customer.statuses[503] - before)
                _wait_for_answers(customer)
                run.report(nth + 1)
            settle(here)
            figure = f"{sum(refused):,} in {run.count} rounds; PostgreSQL gave up {ends} times"
            return [
                Promise("T30 a full disk is answered 503", figure, all(refused)),
                *judge(here, run.done),
            ]


def _wait_for_answers(customer: Customer) -> None:
    before = len(customer.answered_at)
    eventually(lambda: len(customer.answered_at) > before + ANSWERS, 90)


def _fill(here: World, folder: Path) -> int:
    """How often the server ended: one that cannot write its log stops, and cannot start either."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        _hold_full(here, folder, file.fileno())
    ballast.unlink()
    if here.postgres.is_running:
        return 0
    here.postgres.process = None
    here.postgres.restart()  # as its operator would, or systemd
    return 1


def _hold_full(here: World, folder: Path, ballast: int) -> None:
    """Until requests have been refused for some seconds."""
    assert here.customer is not None
    before, began, full_since = here.customer.statuses[503], time.monotonic(), None
    while time.monotonic() < (full_since or began + FILLS_SECONDS_MAX) + FULL_SECONDS:
        room = shutil.disk_usage(folder).free - LEFT_BYTES
        if room > 0:
            with suppress(OSError):  # others take room, too
                os.posix_fallocate(ballast, os.fstat(ballast).st_size, room)
        if full_since is None and here.customer.statuses[503] > before:
            full_since = time.monotonic()
        if full_since is None and time.monotonic() > began + SWITCH_SECONDS:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                here.postgres.rows("SELECT pg_switch_wal()")
        time.sleep(0.2)


@contextmanager
def small_disk() -> Iterator[Path]:
    folder = reachable_folder()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", str(folder)], check=True
    )
    (folder / "server").mkdir()
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def can_mount() -> bool:
    try:
        with small_disk():
            return True
    except (OSError, subprocess.CalledProcessError):
        return False
