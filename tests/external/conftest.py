"""One PostgreSQL of Debian with PgBouncer before it for the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.support.external import PgBouncer, PostgresServer


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as running:
        yield running


@pytest.fixture(scope="module")
def pooler(server: PostgresServer) -> Iterator[PgBouncer]:
    with PgBouncer(server) as running:
        yield running
