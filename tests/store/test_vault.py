"""The vault: what is kept, what is forgotten, and that a destroyed key ends it (decision 0014)."""

import multiprocessing
import os
import stat
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.clock import NOON, ManualClock
from tests.support.vault import make_key
from tidings.engine import vault
from tidings.engine.db.pool import Database
from tidings.engine.vault import Vault
from tidings.engine.vault_keys import HourlyKeys, VaultError, ends_at, key_id_at
from tidings.ids import new_id
from tidings.secrets import Secret

ACME, OTHER = new_id(), new_id()
HOUR = timedelta(hours=1)


@pytest.fixture
def kept(tmp_path: Path, clock: ManualClock) -> Vault:
    return Vault(tmp_path / "vault-keys", clock)


async def put(db, kept, *subjects: str, secret: str = "482913", lives: timedelta = HOUR) -> None:
    secrets = [(ACME, subject, Secret(secret)) for subject in subjects]
    ends = [lives] * len(subjects)
    await db.transact(lambda tx: kept.put(tx, secrets, [tx.now + end for end in ends]))


async def opened(db, kept, *subjects: str, account=ACME) -> list[str]:
    keys = [(account, subject) for subject in subjects]
    found = await db.transact(lambda tx: kept.open(tx, keys))
    return [found[key].reveal() for key in keys if key in found]


async def subjects(db) -> list[str]:
    return [row["subject"] for row in await db.rows("SELECT subject FROM vault ORDER BY subject")]


def key_files(folder: Path) -> list[str]:
    found = (folder / "vault-keys").iterdir()
    return sorted(file.name for file in found if file.name != "CACHEDIR.TAG")


async def test_a_secret_comes_back_and_only_for_its_account_and_subject(
    db: Database, kept: Vault
) -> None:
    await put(db, kept, "a", secret="482913")
    await put(db, kept, "b", secret="קוד😀")
    assert await opened(db, kept, "a", "b", "c") == ["482913", "קוד😀"]
    assert await opened(db, kept, "a", account=OTHER) == []
    assert await db.transact(lambda tx: kept.open(tx, [])) == {}


async def test_many_are_put_and_opened_in_one_statement_each(db: Database, kept: Vault) -> None:
    names = [f"{n:04}" for n in range(500)]

    await put(db, kept, *names)
    assert await opened(db, kept, *names) == ["482913"] * 500
    await db.transact(lambda tx: kept.put(tx, [], []))


async def test_a_secret_put_again_replaces_the_first(db: Database, kept: Vault) -> None:
    await put(db, kept, "a", secret="first")
    await put(db, kept, "a", secret="second")
    assert await opened(db, kept, "a") == ["second"]


async def test_an_erased_secret_is_gone_with_its_row(db: Database, kept: Vault) -> None:
    await put(db, kept, "a", "b")
    for _ in range(2):
        await db.transact(lambda tx: kept.erase(tx, [(ACME, "a"), (OTHER, "b")]))
    await db.transact(lambda tx: kept.erase(tx, []))
    assert await opened(db, kept, "a", "b") == ["482913"]
    assert await subjects(db) == ["b"]


async def test_an_erasure_that_is_rolled_back_has_not_happened(db: Database, kept: Vault) -> None:
    await put(db, kept, "a")
    with pytest.raises(ZeroDivisionError):
        async with db.transaction() as tx:
            await kept.erase(tx, [(ACME, "a")])
            raise ZeroDivisionError
    assert await opened(db, kept, "a") == ["482913"]


async def test_a_secret_does_not_outlive_its_time_by_a_millisecond(
    db: Database, kept: Vault, clock: ManualClock
) -> None:
    await put(db, kept, "a", lives=timedelta(seconds=60))
    clock.advance(seconds=59.999)
    assert await opened(db, kept, "a") == ["482913"]
    clock.advance(milliseconds=1)
    assert await opened(db, kept, "a") == []


async def test_a_sweep_erases_what_was_left(db: Database, kept: Vault, clock: ManualClock) -> None:
    await put(db, kept, "a", lives=timedelta(minutes=1))
    await put(db, kept, "b")
    clock.advance(minutes=1)
    assert await db.transact(kept.sweep) == 1
    assert await subjects(db) == ["b"]
    assert await db.transact(kept.sweep) == 0


async def test_nothing_may_be_kept_longer_than_its_key(db: Database, kept: Vault) -> None:
    with pytest.raises(AssertionError, match="before the secret's end"):
        await put(db, kept, "a", lives=timedelta(hours=1, seconds=1))


# What the database holds


async def test_a_row_shows_neither_the_secret_nor_its_length(db: Database, kept: Vault) -> None:
    await put(db, kept, "a", secret="7")
    await put(db, kept, "b", secret="canary-canary-1")
    rows = await db.rows("SELECT * FROM vault")
    assert {len(row["ciphertext"]) for row in rows} == {12 + 64 + 16}
    assert not any(b"canary" in row["ciphertext"] for row in rows)
    assert {row["key_id"] for row in rows} == {"2026-01-01T12"}


async def test_a_ciphertext_moved_to_another_row_or_altered_stays_shut(
    db: Database, kept: Vault
) -> None:
    await put(db, kept, "a", "b", "c")
    await db.transact(lambda tx: tx.run("UPDATE vault SET subject = 'd' WHERE subject = 'a'"))
    flip = "set_byte(ciphertext, 20, get_byte(ciphertext, 20) # 1) WHERE subject = 'b'"
    await db.transact(lambda tx: tx.run(f"UPDATE vault SET ciphertext = {flip}"))
    await db.transact(lambda tx: tx.run("UPDATE vault SET ciphertext = '' WHERE subject = 'c'"))
    assert await opened(db, kept, "a", "b", "c", "d") == []


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    cipher = vault.AESGCM(bytes(32))
    sealed = vault._seal(cipher, (ACME, "a"), Secret(text))
    found = vault._unseal(cipher, (ACME, "a"), sealed)
    assert found is not None and found.reveal() == text
    assert (len(sealed) - 12 - 16) % 64 == 0


# The keys


async def test_keys_are_files_of_their_hour_for_their_owner_alone(
    db: Database, kept: Vault, clock: ManualClock, tmp_path
) -> None:
    await put(db, kept, "a")
    clock.advance(minutes=60)
    await put(db, kept, "b")
    assert key_files(tmp_path) == ["2026-01-01T12", "2026-01-01T13"]
    folder = tmp_path / "vault-keys"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = [folder / name for name in key_files(tmp_path)]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
    assert len({file.read_bytes() for file in files}) == 2
    assert await opened(db, kept, "a", "b") == ["482913"]  # a is over, b is not


def test_the_hour_is_the_hour_of_utc() -> None:
    timestamp = datetime.fromisoformat("2026-01-01T02:30:00+05:30")
    assert key_id_at(timestamp) == "2025-12-31T21"
    assert ends_at("2025-12-31T21") == datetime(2025, 12, 31, 23, 1, tzinfo=UTC)


async def test_a_key_outlives_everything_sealed_under_it_and_then_goes(
    db: Database, kept: Vault, clock: ManualClock, tmp_path
) -> None:
    clock.advance(minutes=59, seconds=59)
    await put(db, kept, "a")
    clock.advance(minutes=59, seconds=59)
    kept.destroy_old_keys()
    assert await opened(db, kept, "a") == ["482913"]
    clock.advance(minutes=1, seconds=1)
    assert clock.now() < ends_at("2026-01-01T12")
    kept.destroy_old_keys()
    assert key_files(tmp_path) == ["2026-01-01T12"]
    clock.advance(seconds=1)
    kept.destroy_old_keys()
    assert key_files(tmp_path) == []


async def test_without_its_key_a_restored_row_cannot_be_read(
    db: Database, kept: Vault, clock: ManualClock
) -> None:
    """A backup of the database, brought back with its clock, after the key was destroyed."""

    await put(db, kept, "a")
    clock.advance(hours=3)
    kept.destroy_old_keys()
    clock.jump(-timedelta(hours=3))
    assert await subjects(db) == ["a"]
    assert await opened(db, kept, "a") == []
    await put(db, kept, "b")  # makes another key of the same hour
    assert await opened(db, kept, "a", "b") == ["482913"]
    assert await opened(db, kept, "a") == []


async def test_destroying_forgets_the_key_in_memory_and_overwrites_its_file(
    db: Database, kept: Vault, clock: ManualClock, tmp_path
) -> None:
    await put(db, kept, "a")
    file = tmp_path / "vault-keys" / "2026-01-01T12"
    os.link(file, tmp_path / "copy")
    key = file.read_bytes()
    clock.advance(hours=3)
    kept.destroy_old_keys()
    assert (tmp_path / "copy").read_bytes() != key
    assert kept._keys.known("2026-01-01T12") is None


def test_leftovers_of_a_killed_process_go_with_their_hour_and_strangers_stay(tmp_path) -> None:
    keys = HourlyKeys(tmp_path / "keys")
    keys.make("2026-01-01T12")
    draft = tmp_path / "keys" / f".2026-01-01T12.{new_id().hex}"
    draft.write_bytes(bytes(32))
    strange = [tmp_path / "keys" / name for name in ("notes.txt", "2026-13-45T99", ".hidden")]
    for file in strange:
        file.write_text("not ours")
    assert keys.destroy(NOON) == []
    assert keys.destroy(NOON + timedelta(hours=3)) == ["2026-01-01T12", "2026-01-01T12"]
    assert not draft.exists()
    assert all(file.read_text() == "not ours" for file in strange)
    assert keys.destroy(NOON + timedelta(hours=3)) == []


def test_a_folder_that_was_never_used_has_nothing_to_destroy(tmp_path) -> None:
    assert HourlyKeys(tmp_path / "none").destroy(NOON) == []
    assert HourlyKeys(tmp_path / "none").find("2026-01-01T12") is None


@pytest.mark.parametrize("mode", [0o755, 0o710, 0o701])
def test_a_folder_that_others_may_enter_is_refused(tmp_path, mode: int) -> None:
    folder = tmp_path / "keys"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(VaultError, match="run chmod 700"):
        HourlyKeys(folder).make("2026-01-01T12")
    assert list(folder.iterdir()) == []


def test_a_key_that_others_may_read_or_that_is_none_is_refused(tmp_path) -> None:
    HourlyKeys(tmp_path / "keys").make("2026-01-01T12")
    file = tmp_path / "keys" / "2026-01-01T12"
    file.chmod(0o640)
    with pytest.raises(VaultError, match="run chmod 600"):
        HourlyKeys(tmp_path / "keys").find("2026-01-01T12")
    file.chmod(0o600)
    file.write_bytes(b"short")
    with pytest.raises(VaultError, match="not a key"):
        HourlyKeys(tmp_path / "keys").find("2026-01-01T12")


def test_processes_that_start_at_once_agree_on_the_key(tmp_path) -> None:
    folder = tmp_path / "keys"
    with ProcessPoolExecutor(4, multiprocessing.get_context("spawn")) as pool:
        keys = set(pool.map(make_key, [folder] * 16))
    assert len(keys) == 1
    assert sorted(file.name for file in folder.iterdir()) == ["2026-01-01T12", "CACHEDIR.TAG"]


async def test_a_second_process_opens_what_the_first_has_put(
    db: Database, kept: Vault, clock: ManualClock, tmp_path
) -> None:
    await put(db, kept, "a")
    second = Vault(tmp_path / "vault-keys", clock)
    assert await opened(db, second, "a") == ["482913"]
    await put(db, second, "b")
    assert await opened(db, kept, "b") == ["482913"]


def test_backup_programs_are_asked_to_leave_the_keys_out(tmp_path) -> None:
    HourlyKeys(tmp_path / "keys").make("2026-01-01T12")
    tag = (tmp_path / "keys" / "CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
