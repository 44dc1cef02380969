"""`tidings doctor --repair` mends what it names, once, and harms nothing that is right."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.support import media, passcodes
from tests.support.commands import commands
from tests.support.database import Dsn, fresh_database
from tests.support.doctor_world import FREELY, furnish
from tests.support.service import GUEST, TestService
from tests.support.sound import Doctor
from tests.support.waiting import eventually, settle
from tidings.clock import SystemClock
from tidings.doctor import INVARIANTS, check, examine, repair
from tidings.doctor.repairs import REPAIRS
from tidings.engine.db.pool import Database
from tidings.features.audit.record import Actor

ACTOR = Actor("command", "tests")
LEFT_OVER = """
    INSERT INTO jobs (account_id, pool, kind, subject, due_at)
    SELECT account_id, 'send', 'message.send', replace(id::text, '-', ''), now() FROM messages
     WHERE status IN ('sent', 'delivered', 'read') LIMIT 1"""
OF_SENT = """
    INSERT INTO vault (account_id, subject, key_id, ciphertext, expires_at)
    SELECT account_id, replace(id::text, '-', ''), 'lost', '', now() FROM messages
     WHERE status IN ('sent', 'delivered', 'read') LIMIT 1"""
HALFWAY = """
    UPDATE batches SET completed_at = NULL, to_come = 1 WHERE name = 'November';
    INSERT INTO batch_parts SELECT account_id, id, 1, '' FROM batches WHERE name = 'November'"""
PAST_END = "UPDATE messages SET deadline = now() - interval '9 min' WHERE status = 'scheduled'"
FAR = "UPDATE jobs SET due_at = now() + interval '9 hours' WHERE kind = 'webhook.deliver'"

# What breaks, by the repair that mends it.
DAMAGE: dict[str, tuple[str, ...]] = {
    "jobs of messages": ("DELETE FROM jobs WHERE kind = 'message.send'", LEFT_OVER),
    "jobs of webhooks": ("DELETE FROM jobs WHERE kind = 'webhook.deliver'",),
    "due times of jobs": (PAST_END, FAR),
    "progress of batches": ("UPDATE batches SET completed_at = NULL WHERE name = 'November'",),
    "rows of uploads": (HALFWAY,),
    "jobs of invoices": ("DELETE FROM jobs WHERE kind = 'invoices.due'",),
    "jobs of terms": ("DELETE FROM jobs WHERE kind = 'billing.term'",),
    "list of lost messages": ("DELETE FROM lost_messages",),
    "platform ids": ("DELETE FROM platform_ids",),
    "form figures": (
        "UPDATE form_counts SET sent = 0, answered = 0; DELETE FROM form_tallies",
        "UPDATE form_tallies SET people = 0",
    ),
    "kept passcodes": (OF_SENT,),
    "callback URLs": (
        "UPDATE callback_urls SET url = 'https://example.net'",
        "INSERT INTO callback_urls SELECT account_id, 'gone', url FROM callback_urls",
    ),
    "storage": ("UPDATE media_storage SET bytes = bytes + 1", "DELETE FROM media_storage"),
    "sequences": ("SELECT setval('number_changes_id_seq', 1)",),
}
CASES = [(name, damage) for name, every in DAMAGE.items() for damage in every]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dsn]:
    dsn, folder = fresh_database(), Path(tmp_path_factory.mktemp("data"))
    with TestService(dsn, folder) as service:
        furnish(service, folder)
    yield dsn


@pytest.fixture
async def doctor(db: Database) -> AsyncIterator[Doctor]:
    made = Doctor(db)
    yield made
    await made.close()


@pytest.fixture
async def db(furnished: Dsn) -> AsyncIterator[Database]:
    """A copy of the furnished database, without a service."""
    name = f"{furnished['database']}_copy"
    admin = await asyncpg.connect(**{**furnished, "database": "postgres"})
    await _copy(admin, furnished["database"], name)
    copy = await Database.open({**furnished, "database": name}, SystemClock(), 2)
    yield copy
    await copy.close()
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()


async def _copy(admin: asyncpg.Connection, source: str, name: str) -> None:
    """A pooler keeps its connections for some seconds, and may make new ones."""
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1"
    async with asyncio.timeout(30):
        while True:
            await admin.execute(end, source)
            try:
                await admin.execute(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY FILE_COPY")
                return
            except asyncpg.ObjectInUseError:
                await asyncio.sleep(0.05)


def test_every_repair_is_of_an_invariant_and_tried_here() -> None:
    assert {one.mended_by for one in INVARIANTS} - {None} == set(REPAIRS) == set(DAMAGE)


@pytest.mark.parametrize(("name", "damage"), CASES)
async def test_what_is_damaged_is_mended_once(
    db: Database, doctor: Doctor, name: str, damage: str
) -> None:
    await db.transact(lambda tx: tx.connection.execute(FREELY + damage))
    broken = (await doctor.examine()).broken
    assert {one.invariant.mended_by for one in broken} == {name}
    [would] = await repair(db, broken, ACTOR, dry_run=True)
    if name != "sequences":  # PostgreSQL does not take back what is done to one
        now_broken = (await doctor.examine()).broken
        assert len(now_broken) == len(broken), "a dry run changed something"
    [did] = await repair(db, broken, ACTOR)
    assert sorted(did.ids) == sorted(would.ids) or name == "sequences"
    assert (await doctor.examine()).broken == []
    [again] = await repair(db, broken, ACTOR)
    assert again.ids == []
    entries = await db.rows("SELECT subject, details FROM audit_log WHERE action LIKE '%repaired'")
    assert [entry["subject"] for entry in entries] == ([name] if did.ids else [])


async def test_a_value_that_cannot_be_read_is_named_and_the_rest_is_asked(db: Database) -> None:
    await db.rows("UPDATE vault SET subject = 'no id' RETURNING 1")
    await db.rows("UPDATE link_days SET clicks = clicks + 1 RETURNING 1")
    found = {one.invariant.title: one.ids for one in (await examine(db)).broken}
    assert found.keys() == {"I28 kept passcodes", "I22 opens of a link"}
    assert "no id" in found["I28 kept passcodes"][0]


async def test_what_cannot_be_mended_is_left_as_it_is(db: Database) -> None:
    await db.rows("UPDATE partners SET debt_minor = debt_minor - 1 RETURNING 1")
    broken = (await examine(db)).broken
    assert await repair(db, broken, ACTOR) == []
    assert len(await check(db)) == len(broken) == 2


def test_beside_the_service_and_twice_at_once_a_message_is_sent_once(tmp_path: Path) -> None:
    with TestService(fresh_database(), tmp_path) as service:
        account = passcodes.paused(service, "mended")
        waits = {"clientMessageId": "mended-0001", "to": GUEST, "templateName": "plain"}
        assert account.send(**waits).status_code == 202
        service.sql("DELETE FROM jobs WHERE kind = 'message.send' RETURNING 1")
        db = service.ctx.db

        async def mend_twice() -> list[list[str]]:
            broken = (await examine(db)).broken
            both = await asyncio.gather(*(repair(db, broken, ACTOR) for _ in range(2)))
            return [one.ids for done in both for one in done]

        found = service.call(mend_twice)
        assert sorted(map(len, found)) == [0, 1]
        passcodes.unpause(account, "mended")
        eventually(lambda: media.phone(account))
        settle(account)
        assert len(media.phone(account)) == 1
        assert service.call(lambda: check(db)) == []


def test_the_command_names_mends_and_says_what_it_did(tmp_path: Path) -> None:
    with TestService(fresh_database(), tmp_path, working=False) as service:
        account = passcodes.paused(service, "by-hand")
        waits = {"clientMessageId": "byhand-0001", "to": GUEST, "templateName": "plain"}
        assert account.send(**waits).status_code == 202
        service.sql("DELETE FROM jobs WHERE kind = 'message.send' RETURNING 1")
        tidings = commands(service)
        named = tidings("doctor", "--json")
        named.refused("1 of the checks failed")
        [one] = json.loads(named.out)["broken"]
        assert (one["id"], one["name"], one["repair"]) == (
            "I2", "job of a message", "jobs of messages",
        )  # fmt: skip
        assert one["page"] == "docs/operating/invariants.md#i2-job-of-a-message"
        dry = tidings("doctor", "--repair", "--dry-run")
        dry.refused("1 of the checks failed")
        assert f"would be repaired: jobs of messages: {one['ids'][0]}" in dry.out
        done = tidings("doctor", "--repair", "--timings")
        assert f"repaired: jobs of messages: {one['ids'][0]}" in done.out
        assert "I2 job of a message" in done.err and "Every invariant holds" in done.err
        tidings("doctor", "--dry-run").refused("--dry-run is for --repair")
        assert tidings("doctor", "--json").json()["sound"] is True
