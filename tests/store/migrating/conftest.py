"""An empty database, and a folder of migrations to write."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.database import Dsn, empty_database, opened_database
from tests.support.migrating import Write, writer
from tidings.clock import SystemClock
from tidings.engine.db.pool import Database


@pytest.fixture
def dsn() -> Dsn:
    return empty_database()


@pytest.fixture
async def db(dsn: Dsn) -> AsyncIterator[Database]:
    async with opened_database(dsn, SystemClock()) as db:
        yield db


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return writer(tmp_path)
