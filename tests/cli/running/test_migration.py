"""`tidings migrate`: what it shows of an upgrade, to people and to programs."""

import pytest

from tests.support.commands import Done, run
from tests.support.database import Dsn, empty_database, fresh_database, url_of
from tidings import __version__
from tidings.cli.running.migration import plan_lines
from tidings.engine.db.schema.plan import Lock, Plan, PlannedFile, Size, Step


def migrate(dsn: Dsn, *words: str) -> Done:
    return run("migrate", *words, env={"TIDINGS_DATABASE_URL": url_of(dsn)})


@pytest.fixture(scope="module")
def dsn() -> Dsn:
    return fresh_database()


def test_nothing_is_left_to_do(dsn: Dsn) -> None:
    for words in ((), ("--plan",), ("--wait",)):
        done = migrate(dsn, *words)
        assert (done.good(), done.err) == ("", "Up to date.\n")
    assert migrate(dsn, "--json").json() == {"applied": [], "waiting": []}
    assert migrate(dsn, "--plan", "--json").json()["files"] == []


def test_the_status_names_the_program_and_what_was_applied(dsn: Dsn) -> None:
    assert migrate(dsn, "--status").good().startswith(f"Program {__version__}; migrations applied")
    status = migrate(dsn, "--status", "--json").json()
    assert status["applied"][0] == "0001_baseline.sql"
    assert (status["program"], status["pending"], status["dataChanges"]) == (__version__, [], [])


def test_an_empty_database_is_planned_and_made() -> None:
    dsn = empty_database()
    assert "CREATE TABLE accounts" in migrate(dsn, "--plan").good()
    assert migrate(dsn, "--status", "--json").json()["applied"] == []
    assert "0001_baseline.sql" in migrate(dsn, "--wait").good()


def test_only_one_thing_at_a_time(dsn: Dsn) -> None:
    migrate(dsn, "--plan", "--wait").refused("exclude each other")


def test_a_plan_reads_as_sentences() -> None:
    exclusive = Lock(
        "messages", "ACCESS EXCLUSIVE", "reads and writes", "an instant", Size(3 << 20, 9)
    )
    steps = [
        Step("ALTER TABLE messages\n    ADD note text", {}, [exclusive]),
        Step("UPDATE numbers SET n = 1", {"numbers": "scan"}),
        Step("SELECT " + "1" * 400, {}),
    ]
    file = PlannedFile("0002_note.sql", "any", "in one transaction", steps, "It waits.")
    lines = [
        line if isinstance(line, str) else line[0].text + line[1]
        for line in plan_lines(Plan([file], "18.0", "18.0"))
    ]
    assert lines[:6] == [
        "0002_note.sql (in one transaction; older programs go on)",
        "  It waits.",
        "  1. ALTER TABLE messages ADD note text",
        "     messages: ACCESS EXCLUSIVE, reads and writes wait; held for an instant"
        " (3 MB, about 9 rows)",
        "  2. UPDATE numbers SET n = 1",
        "     scan of numbers",
    ]
    assert lines[6].endswith("1…")
    assert lines[7] == "     no further lock that anybody waits for"
