"""Every released version can be upgraded to this one, with data in all its tables."""

import json
import shutil
from pathlib import Path

import pytest

from tests.rules.test_frozen_migrations import FOLDER, frozen
from tests.support.database import empty_database, opened_database
from tests.upgrades.kept_world import FOLDER as WORLDS
from tests.upgrades.kept_world import OWN, World, read_world, write_world
from tidings.clock import SystemClock
from tidings.doctor import check
from tidings.engine.db.migrate import migrate
from tidings.engine.db.schema.files import version_number
from tidings.engine.db.schema.upgrade import advance_upgrade, load_left

VERSIONS = sorted({version for version, _, _ in frozen()}, key=version_number)
DATA_CHANGES_MAX = 100  # rounds, of which each completes what has begun


def files_of(version: str, folder: Path) -> Path:
    """The migrations that this version had."""
    for released, _, name in frozen():
        if version_number(released) <= version_number(version):
            shutil.copy(FOLDER / name, folder / name)
    return folder


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_database_of_this_version_is_carried_over(version: str, tmp_path: Path) -> None:
    world: World = json.loads((WORLDS / f"{version}.json").read_text())
    dsn = empty_database()
    async with opened_database(dsn, SystemClock()) as db:
        await migrate(db, files_of(version, tmp_path), version=version)
        connection = await db.dedicated()
        await write_world(connection, world)
        await connection.close()
        await migrate(db)
        for _ in range(DATA_CHANGES_MAX):
            left = await load_left(db)
            if not (left.pending or left.changes):
                break
            await advance_upgrade(db)
        assert not (left.pending or left.changes)
        assert await check(db) == []
    after = await read_world(dsn)
    assert {name: len(rows) for name, rows in after.items() if name in world} == {
        name: len(rows) for name, rows in world.items() if name not in OWN
    }


def test_every_release_keeps_a_world() -> None:
    assert {path.stem for path in WORLDS.glob("*.json")} == set(VERSIONS)
