"""The embedded PostgreSQL lets nobody in without the password in its owner's file."""

import asyncio
import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.support.database import reachable_folder, url_of
from tidings.engine.db.embedded.server import EmbeddedServer

TRUSTING = "local all all trust\nhost all all 127.0.0.1/32 trust\n"


@pytest.fixture(scope="module")
def made() -> Path:
    """A folder whose cluster is made and stopped."""
    folder = reachable_folder() / "postgres"
    EmbeddedServer.join(folder, fast=True).leave()
    return folder


@pytest.fixture
def server(made: Path) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer.join(made, fast=True)
    yield server
    server.leave()


def ask(dsn: dict[str, Any], sql: str = "SELECT 1", **more: Any) -> Any:
    async def go() -> Any:
        connection = await asyncpg.connect(**{**dsn, **more})
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(go())


def without_file(server: EmbeddedServer) -> dict[str, Any]:
    return {**server.dsn, "passfile": "/nonexistent"}


def be_like_before(folder: Path) -> None:
    """A cluster as earlier versions left it: no password, everybody is trusted."""
    data = folder / "server" / "data"
    (folder / "pgpass").unlink()
    (data / "pg_hba.conf").write_text(TRUSTING)


def test_no_one_connects_without_the_password(server: EmbeddedServer) -> None:
    assert ask(server.dsn) == 1
    stranger = without_file(server)
    with pytest.raises(asyncpg.InvalidPasswordError):
        ask(stranger, password="guessed")
    with pytest.raises(asyncpg.PostgresError):
        ask(stranger)
    rules = ask(server.dsn, "SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules")
    assert rules == "scram-sha-256"


def test_the_password_is_for_the_owner_of_the_folder_alone(made: Path) -> None:
    found = (made / "pgpass").stat()
    assert stat.S_IMODE(found.st_mode) == 0o600
    assert (found.st_uid, found.st_nlink) == (made.stat().st_uid, 1)
    assert [path.name for path in made.glob(".pgpass*")] == []


def test_psql_connects_with_the_file(server: EmbeddedServer) -> None:
    """As docs/operating/secure.md says."""
    command = [
        str(server.home.programs / "psql"),
        "-h",
        str(server.dsn["host"]),
        "-Atc",
        "SELECT 1",
    ]
    named = {"PGUSER": "tidings", "PGDATABASE": "tidings"}
    clean = {"PATH": os.defpath, "HOME": "/nonexistent"} | named
    inside = subprocess.run(
        command, env=clean | {"PGPASSFILE": str(server.dsn["passfile"])}, capture_output=True
    )
    assert (inside.returncode, inside.stdout) == (0, b"1\n"), inside.stderr
    outside = subprocess.run([*command, "-w"], env=clean, capture_output=True)
    assert (outside.returncode, outside.stdout) == (2, b"")


def test_a_cluster_that_trusted_everybody_is_mended_at_its_next_start(made: Path) -> None:
    be_like_before(made)
    server = EmbeddedServer.join(made, fast=True)
    try:
        assert ask(server.dsn, "SELECT current_user") == "tidings"
        with pytest.raises(asyncpg.PostgresError):
            ask(without_file(server))
    finally:
        server.leave()


def test_one_that_runs_and_trusts_everybody_is_fixed_by_the_next_to_join(made: Path) -> None:
    """Its users were killed, or are of an earlier version."""
    be_like_before(made)
    first = EmbeddedServer.join(made, fast=True)
    (made / "pgpass").unlink()
    (made / "server" / "data" / "pg_hba.conf").write_text(TRUSTING)
    first.home.run("pg_ctl", "reload", "--pgdata", str(made / "server" / "data"))
    second = EmbeddedServer.join(made, fast=True)
    try:
        assert ask(second.dsn) == 1
        assert ask(first.dsn) == 1  # it reads the file whenever it connects
        with pytest.raises(asyncpg.PostgresError):
            ask(without_file(second))
    finally:
        second.leave()
        first.leave()


def test_a_lost_file_is_made_again(made: Path) -> None:
    before = (made / "pgpass").read_text()
    (made / "pgpass").unlink()
    server = EmbeddedServer.join(made, fast=True)
    try:
        assert ask(server.dsn) == 1
        assert (made / "pgpass").read_text() != before
    finally:
        server.leave()


def test_its_url_names_the_file(server: EmbeddedServer) -> None:
    assert ask({"dsn": url_of(server.dsn)}) == 1
