"""A program whose schema a newer one has changed under it: it ends, and does not start again."""

import signal
from collections.abc import Iterator

import pytest

from tests.support.service import account_toml
from tests.support.serving import KEY, QUICK, Serving, serving_of
from tests.support.waiting import eventually

CHANGE = """
    INSERT INTO schema_migrations (version, name, sha256, programs_from)
    VALUES (9999, '9999_contract.sql', '', $1)
"""
SENTENCE = "needs tidings 99.0.0 or newer"


@pytest.fixture(params=[(), ("--processes", "2")], ids=["one", "supervised"])
def arguments(request: pytest.FixtureRequest) -> tuple[str, ...]:
    found: tuple[str, ...] = request.param
    return found


@pytest.fixture
def serving(arguments: tuple[str, ...]) -> Iterator[Serving]:
    toml = account_toml(QUICK, name="acme", apiKey=KEY)
    with serving_of(toml, None, *arguments) as running:
        yield running


async def change(serving: Serving, programs_from: str) -> None:
    async with serving.connection() as connection:
        await connection.execute(CHANGE, programs_from)


async def test_a_program_that_is_overtaken_ends_with_a_sentence(
    serving: Serving, arguments: tuple[str, ...]
) -> None:
    await change(serving, "99.0.0")
    process = serving.process
    assert process is not None
    eventually(lambda: process.poll() is not None, 90)
    assert process.poll() == 1
    serving.process = None
    assert "program.outdated" in serving.log
    assert "error: The database has migration 9999_contract.sql" in serving.log
    assert SENTENCE in serving.log
    with pytest.raises(AssertionError, match=SENTENCE):
        serving.start(*arguments)
    serving.process = None


async def test_a_program_that_still_suits_goes_on_and_starts_again(
    serving: Serving, arguments: tuple[str, ...]
) -> None:
    await change(serving, "any")
    assert serving.end(signal.SIGTERM) == 0
    serving.start(*arguments)
    assert serving.get("/api/v1/balance") is not None
