"""`tidings doctor` notices whatever is wrong: each invariant, broken on purpose."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.support.database import Dsn, fresh_database
from tests.support.doctor_world import BREAKS, FREELY, furnish
from tests.support.service import TestService, require_sound
from tidings.doctor import CHECKS, INVARIANTS, corruption
from tidings.doctor.examine import ask
from tidings.doctor.model import Report

CASES = [(title, breaking) for title, all_breaking in BREAKS.items() for breaking in all_breaking]

HAS_AMCHECK = "SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'"


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dsn]:
    """The service has stopped; it was sound in the middle of its work."""
    dsn, folder = fresh_database(), Path(tmp_path_factory.mktemp("data"))
    with TestService(dsn, folder) as service:
        furnish(service, folder)
        require_sound(service)
    yield dsn


@pytest.fixture
async def connection(furnished: Dsn) -> AsyncIterator[Any]:
    """Whatever a test changes is rolled back."""
    connection = await asyncpg.connect(**furnished)
    transaction = connection.transaction()
    await transaction.start()
    yield connection
    await transaction.rollback()
    await connection.close()


async def found_broken(connection: Any, title: str) -> list[str]:
    """What the query that asks for this invariant finds, where it can say so."""
    if title == corruption.INDEXES.title:
        report = Report()
        await corruption.ask(connection, report, 20)
        return [one.invariant.title for one in report.broken]
    [check] = [one for one in CHECKS if title in {asked.title for asked in one.invariants}]
    broken = await ask(connection, check, datetime.now(UTC))
    assert all(one.ids and one.invariant.page in str(one) for one in broken)
    return [one.invariant.title for one in broken]


def test_every_invariant_is_broken_on_purpose_here() -> None:
    titles = [invariant.title for invariant in INVARIANTS]
    assert len(titles) == len(set(titles)), "an invariant has two names"
    assert set(BREAKS) == set(titles)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.invariants[0].anchor)
async def test_a_sound_database_breaks_none(connection: Any, check: Any) -> None:
    assert await ask(connection, check, datetime.now(UTC)) == []


@pytest.mark.parametrize(("title", "breaking"), CASES)
async def test_what_is_broken_is_named(connection: Any, title: str, breaking: str) -> None:
    if "EXTENSION amcheck" in breaking and not await connection.fetchval(HAS_AMCHECK):
        pytest.skip("needs a PostgreSQL with amcheck")
    await connection.execute(FREELY + breaking)
    assert title in await found_broken(connection, title)
