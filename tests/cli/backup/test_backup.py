"""`tidings backup` and `tidings restore`: everything comes back, held; what is wrong is refused."""

import asyncio
import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from tests.support import passcodes
from tests.support.backups import Elsewhere, busy_account
from tests.support.commands import commands
from tests.support.database import fresh_database
from tests.support.media import png, uploaded
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.waiting import eventually
from tidings.engine.db.schema.presence import Presence
from tidings.secrets import new_master_key

# What the rules for a restored database change.
CHANGED = {"accounts_version", "account_versions", "audit_log", "jobs", "messages"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder) as running:
        yield running


@pytest.fixture(scope="module")
def acme(service: TestService) -> TestAccount:
    return busy_account(service)


@pytest.fixture(scope="module")
def backup(
    service: TestService, acme: TestAccount, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    assert acme.key
    folder = tmp_path_factory.mktemp("backups") / "monday"
    commands(service)("backup", str(folder), "--objects").good()
    return folder


@pytest.fixture
def copy(backup: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(backup, tmp_path / "copy"))


@pytest.fixture
def elsewhere(service: TestService, tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path / "elsewhere", service.settings.data)


def same(acme: TestAccount, restored: TestService) -> TestAccount:
    """The account, with the key that its owner has, at the restored service."""
    made = {"id": acme.id, "apiKey": acme.key, "signingSecret": acme.secret}
    return TestAccount(restored, made)


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return found


def tables(folder: Path) -> dict[str, dict[str, Any]]:
    return {one["table"]: one for one in manifest(folder)["tables"]}


def test_a_backup_of_what_was_restored_is_the_same(
    backup: Path, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    """Also between servers that write dates otherwise."""
    this = f"ALTER DATABASE {elsewhere.dsn['database']} SET"
    elsewhere.execute(f"{this} datestyle = 'SQL, DMY'", f"{this} intervalstyle = 'sql_standard'")
    done = elsewhere.tidings("restore", str(backup), "--json").json()
    assert (done["epoch"], done["waiting"], done["heldAfterRestore"]) == (1, 2, True)
    elsewhere.tidings("backup", str(tmp_path / "again")).good()
    before, after = (tables(folder) for folder in (backup, tmp_path / "again"))
    assert before.keys() == after.keys()
    for name in before.keys() - CHANGED:
        assert after[name]["sha256"] == before[name]["sha256"], name
    for name in CHANGED - {"audit_log"}:
        assert after[name]["rows"] == before[name]["rows"], name
    assert manifest(backup)["sequences"] == manifest(tmp_path / "again")["sequences"]


def test_a_restored_database_is_sound_and_held(backup: Path, elsewhere: Elsewhere) -> None:
    elsewhere.tidings("restore", str(backup)).good()
    with elsewhere.service() as restored:
        require_sound(restored)
        assert "held after a restore" in elsewhere.tidings("sending", "status").good()
    assert "Every invariant holds" in elsewhere.tidings("doctor").err


def test_what_is_accepted_while_held_leaves_once_it_is_confirmed(
    acme: TestAccount, backup: Path, elsewhere: Elsewhere
) -> None:
    elsewhere.tidings("restore", str(backup)).good()
    with elsewhere.service() as restored:
        account = same(acme, restored)
        held = account.send(clientMessageId="order-held", to=GUEST, templateName="plain")
        assert held.json()["data"]["status"] == "deferred"
        assert account.status("order-held")["reason"] == "SENDING_PAUSED"
        reasons = account.get("/readiness").json()["data"]["reasons"]
        assert any("held after a restore" in reason for reason in reasons)
        again = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
        assert again.json()["data"]["duplicate"] is True
        elsewhere.tidings("sending", "resume").good()
        eventually(lambda: account.status("order-held")["status"] != "deferred")
        assert elsewhere.tidings("sending", "status", "--json").json() == {
            "paused": False,
            "since": None,
            "by": None,
            "reason": None,
            "heldAfterRestore": False,
        }


def test_the_new_rows_have_new_ids(acme: TestAccount, backup: Path, elsewhere: Elsewhere) -> None:
    """Identity columns go on behind the last of the backup."""
    elsewhere.tidings("restore", str(backup)).good()
    with elsewhere.service() as restored:
        account = same(acme, restored)
        last = restored.sql("SELECT max(seq) AS n FROM webhooks")[0]["n"]
        elsewhere.tidings("sending", "resume").good()
        account.send(clientMessageId="order-new", to=GUEST, templateName="plain")
        eventually(lambda: account.status("order-new")["status"] != "deferred")
        found = restored.sql("SELECT min(seq) AS n FROM webhooks WHERE seq > $1", last)
        assert found[0]["n"] > last


def test_no_key_and_no_passcode_is_in_it(backup: Path, service: TestService) -> None:
    key = (service.settings.data / "master.key").read_bytes().strip()
    for path in backup.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            data = gzip.decompress(data) if path.suffix == ".gz" else data
            assert key not in data and passcodes.CODE.encode() not in data, path
    names = {path.name.removesuffix(".copy.gz") for path in (backup / "tables").iterdir()}
    assert names & {"vault", "sessions", "request_rate"} == set()
    assert {path.stat().st_mode & 0o077 for path in (backup, backup / "tables")} == {0}


def test_uploaded_files_are_listed_and_copied_on_request(
    service: TestService, tmp_path: Path
) -> None:
    account = service.account(name="files")
    uploaded(account, png())
    commands(service)("backup", str(tmp_path / "whole"), "--objects").good()
    commands(service)("backup", str(tmp_path / "listed")).good()
    for name, missing in (("whole", 0), ("listed", 1)):
        there = Elsewhere(tmp_path / f"to-{name}", service.settings.data)
        done = there.tidings("restore", str(tmp_path / name), "--json").json()
        assert (done["objectsRestored"], done["objectsMissing"]) == (1 - missing, missing)


def test_a_file_that_cannot_be_put_back_leaves_a_database_that_can_be_restored(
    service: TestService, tmp_path: Path
) -> None:
    account = service.account(name="more-files")
    uploaded(account, png(3, 3))
    folder = tmp_path / "whole"
    commands(service)("backup", str(folder), "--objects").good()
    there = Elsewhere(tmp_path / "there", service.settings.data)
    in_the_way = there.data / "objects" / account.id.hex
    in_the_way.parent.mkdir()
    in_the_way.write_text("no folder")
    refused = there.tidings("restore", str(folder))
    assert refused.code == 1 and "not restored yet" in refused.err
    in_the_way.unlink()
    [copied] = (folder / "objects" / account.id.hex).iterdir()
    copied.write_bytes(png(4, 4))
    done = there.tidings("restore", str(folder), "--json")
    assert done.json()["objectsMissing"] == 1 and "is damaged in the backup" in done.err


def test_a_damaged_file_is_named_when_it_is_copied(service: TestService, tmp_path: Path) -> None:
    account = service.account(name="damaged-file")
    uploaded(account, png(5, 5))
    [stored] = (service.settings.data / "objects" / account.id.hex).iterdir()
    stored.write_bytes(b"else")
    done = commands(service)("backup", str(tmp_path / "b"), "--objects")
    assert done.good() and "is damaged in the object store" in done.err
    assert not (tmp_path / "b" / "objects" / account.id.hex).exists()


def test_a_backup_leaves_as_much_of_the_disk_free_as_is_set(
    service: TestService, tmp_path: Path
) -> None:
    uploaded(service.account(name="one-more-file"), png(6, 6))
    words = ("backup", str(tmp_path / "b"), "--objects")
    done = commands(service)(*words, TIDINGS_DISK_FREE_MB="100000000")
    assert done.code == 1 and "nearly full" in done.err


def test_only_a_new_folder_is_written_to(
    service: TestService, backup: Path, tmp_path: Path
) -> None:
    """An empty one may be another disk's: the backup would be written beside it, on this one."""
    for folder in (backup, tmp_path):
        commands(service)("backup", str(folder)).refused("exists already")
    (tmp_path / "file").write_text("")
    commands(service)("backup", str(tmp_path / "file" / "b")).refused("cannot be written")


WAITING = """
    SELECT EXISTS (
        SELECT FROM pg_locks WHERE relation = 'links'::regclass AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


async def test_a_migration_between_the_list_of_columns_and_the_snapshot_is_noticed(
    tmp_path: Path,
) -> None:
    there = Elsewhere(tmp_path / "there", None, fresh_database())
    changing, looking = [await asyncpg.connect(**there.dsn) for _ in range(2)]
    try:
        async with changing.transaction():
            await changing.execute("ALTER TABLE links ADD COLUMN more text")
            backup = asyncio.create_task(
                asyncio.to_thread(there.tidings, "backup", str(tmp_path / "b"))
            )
            while not await looking.fetchval(WAITING):
                assert not backup.done()
                await asyncio.sleep(0.05)
        (await backup).refused("try again")
    finally:
        for connection in (changing, looking):
            await connection.close()


def test_an_unfinished_backup_is_recognised(
    service: TestService, copy: Path, elsewhere: Elsewhere
) -> None:
    (copy / "manifest.json").unlink()
    elsewhere.tidings("restore", str(copy)).refused("not a finished backup")
    copy.with_name("next.unfinished").mkdir()
    commands(service)("backup", str(copy.with_name("next"))).refused("was interrupted")


@pytest.mark.parametrize("name", ["tables/messages.copy.gz", "objects.jsonl.gz"])
def test_a_damaged_file_is_refused_before_anything_is_restored(
    copy: Path, elsewhere: Elsewhere, name: str
) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    elsewhere.tidings("restore", str(copy)).refused("is damaged")
    (copy / name).unlink()
    elsewhere.tidings("restore", str(copy)).refused("is missing")
    elsewhere.tidings("doctor").refused("not up to date")


def test_another_master_key_is_refused(
    service: TestService, backup: Path, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    other = new_master_key()
    elsewhere.tidings("restore", str(backup), TIDINGS_MASTER_KEY=other).refused("would not open")
    without = Elsewhere(tmp_path / "without", None, elsewhere.dsn)
    without.tidings("restore", str(backup)).refused("no master key here")
    words = ("backup", str(tmp_path / "b"))
    commands(service)(*words, TIDINGS_MASTER_KEY=other).refused("is not the one")


def test_a_newer_schema_than_the_program_is_refused(copy: Path, elsewhere: Elsewhere) -> None:
    found = manifest(copy)
    found["migrations"].append({"version": 9999, "name": "9999_x.sql", "sha256": "0"})
    (copy / "manifest.json").write_text(json.dumps(found))
    elsewhere.tidings("restore", str(copy)).refused("does not know")
    (copy / "manifest.json").write_text(json.dumps({"format": 2, "files": []}))
    elsewhere.tidings("restore", str(copy)).refused("has format 2")


def test_a_database_in_use_is_refused(
    service: TestService, backup: Path, elsewhere: Elsewhere
) -> None:
    running = Presence(service.ctx.db)
    service.call(running.announce)
    commands(service)("restore", str(backup)).refused("is running on this database")
    commands(service)("restore", "--after-pitr").refused("is running on this database")
    service.call(running.leave)
    commands(service)("restore", str(backup)).refused("is in use")
    elsewhere.tidings("restore", str(backup)).good()
    elsewhere.tidings("restore", str(backup)).refused("is in use")


def test_either_a_folder_or_a_restored_database(elsewhere: Elsewhere) -> None:
    elsewhere.tidings("restore").refused("Name the folder")


# A large database takes longer than a request may.
NO_TIME_LIMIT = """
    CREATE FUNCTION require_no_time_limit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('statement_timeout') <> '0' OR current_setting('lock_timeout') <> '0'
            OR current_setting('idle_in_transaction_session_timeout') <> '0'
        THEN RAISE EXCEPTION 'there is a time limit'; END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER no_time_limit AFTER UPDATE ON accounts_version
        EXECUTE FUNCTION require_no_time_limit()
"""


def test_the_rules_can_be_applied_to_a_database_that_was_restored_otherwise(
    backup: Path, elsewhere: Elsewhere
) -> None:
    elsewhere.tidings("restore", str(backup)).good()
    elsewhere.tidings("sending", "resume").good()
    elsewhere.execute(NO_TIME_LIMIT)
    done = elsewhere.tidings("restore", "--after-pitr", "--json").json()
    assert (done["epoch"], done["heldAfterRestore"], done["rows"]) == (2, True, None)
    assert elsewhere.tidings("sending", "status", "--json").json()["heldAfterRestore"] is True


# As it is while the platform is called, in a process that has just lost its database.
BEING_SENT = """
    WITH taken AS (UPDATE jobs SET leased = true, due_at = now() + interval '1 minute'
                    WHERE subject = $1 RETURNING subject)
    UPDATE messages SET status = 'sending', generation = generation + 1
      FROM taken WHERE id = $1::uuid
"""


async def test_what_was_being_sent_becomes_unknown_and_its_lease_ends(
    acme: TestAccount, backup: Path, elsewhere: Elsewhere
) -> None:
    await asyncio.to_thread(lambda: elsewhere.tidings("restore", str(backup)).good())
    connection = await asyncpg.connect(**elsewhere.dsn)
    try:
        find = "SELECT id, generation FROM messages WHERE client_message_id = 'order-later'"
        before = await connection.fetchrow(find)
        await connection.execute(BEING_SENT.replace("$1", f"'{before['id'].hex}'"))
        again = await asyncio.to_thread(elsewhere.tidings, "restore", "--after-pitr", "--json")
        assert again.json()["unknown"] == 1 and again.json()["jobsDue"] >= 1
        after = await connection.fetchrow(
            """
            SELECT m.status, m.unknown_since = v.restored_at AS since, m.generation,
                   m.attempts::jsonb->-1->>'outcome' AS outcome, j.leased, j.due_at <= now() AS due
              FROM messages m JOIN jobs j ON j.subject = replace(m.id::text, '-', '')
             CROSS JOIN accounts_version v WHERE m.id = $1
            """,
            before["id"],
        )
        assert tuple(after) == (
            "sending",
            True,
            before["generation"] + 1001,
            "unknown",
            False,
            True,
        )
    finally:
        await connection.close()
