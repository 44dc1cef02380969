"""Processor time of a service in this process, and of its connections to the database."""

import threading
from pathlib import Path
from typing import Any

from tests.support.service import TestService

_PIDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> 0"


class Processor:
    """Linux only: what the scheduler says that each thread has had."""

    def __init__(self, service: TestService) -> None:
        self._service = service
        self._files = [Path(f"/proc/self/task/{service.call(_find_thread)}/schedstat")]

    def begin(self) -> None:
        """Connections may have been opened since."""
        rows: list[dict[str, Any]] = self._service.sql(_PIDS)
        own = self._files[:1]
        self._files = own + [Path(f"/proc/{row['pid']}/schedstat") for row in rows]

    def read_ms(self) -> tuple[float, float]:
        """(service, database)"""
        service, *database = (_nanoseconds(file) for file in self._files)
        return service / 1e6, sum(database) / 1e6


async def _find_thread() -> int:
    return threading.get_native_id()


def _nanoseconds(file: Path) -> int:
    try:
        return int(file.read_text().split()[0])
    except FileNotFoundError:  # a connection that was closed
        return 0
