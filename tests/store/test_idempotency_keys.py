"""Which message a clientMessageId names, for 48 hours (4.1)."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from tidings import limits
from tidings.engine.db.errors import Conflict
from tidings.engine.db.pool import Database
from tidings.features.messages.accept.idempotency_store import (
    claim,
    delete_before,
    find_all,
    read_used,
)
from tidings.features.messages.model import Message, Status

OURS, THEIRS = UUID(int=1 << 64), UUID(int=2 << 64)


def message(number: int, cid: str, at: datetime, account_id: UUID = OURS) -> Message:
    return Message(
        account_id=account_id, id=UUID(int=number), client_message_id=cid, kind="notification",
        recipient="972501234567", status=Status.QUEUED, created_at=at, times_out_at=at,
    )  # fmt: skip


async def claimed(db: Database, *messages: Message, used: set[tuple[UUID, str]] = frozenset()):
    """`used`: which of the ids are known to have been used before."""
    await db.transact(lambda tx: claim(tx, messages, used))


async def named(db: Database) -> dict[tuple[UUID, str], int]:
    rows = await db.rows("SELECT * FROM idempotency_keys")
    return {(row["account_id"], row["client_message_id"]): row["message_id"].int for row in rows}


async def test_an_id_is_claimed_once(db: Database) -> None:
    now = db.clock.now()
    await claimed(db, message(1, "one", now), message(2, "two", now))
    with pytest.raises(Conflict):
        await claimed(db, message(3, "zero", now), message(4, "one", now))
    assert await named(db) == {(OURS, "one"): 1, (OURS, "two"): 2}


async def test_another_account_has_ids_of_its_own(db: Database) -> None:
    now = db.clock.now()
    await claimed(db, message(1, "one", now), message(2, "one", now, THEIRS))
    assert await named(db) == {(OURS, "one"): 1, (THEIRS, "one"): 2}


async def test_after_48_hours_an_id_names_the_next_message(db: Database) -> None:
    """Beside ids that are new, in one batch."""
    then = db.clock.now()
    await claimed(db, message(1, "again", then))
    now = then + limits.IDEMPOTENCY_WINDOW
    batch = message(2, "again", now), message(3, "new", now)
    await claimed(db, *batch, used={(OURS, "again")})
    assert await named(db) == {(OURS, "again"): 2, (OURS, "new"): 3}
    found = await db.transact(lambda tx: tx.result(read_used([(OURS, "again")])))
    assert found == {(OURS, UUID(int=2)): now}, "and from now on for 48 hours"


async def test_before_that_it_is_a_conflict_and_nothing_is_claimed(db: Database) -> None:
    then = db.clock.now()
    await claimed(db, message(1, "again", then))
    now = then + limits.IDEMPOTENCY_WINDOW - timedelta(microseconds=1)
    batch = message(2, "again", now), message(3, "new", now)
    with pytest.raises(Conflict):
        await claimed(db, *batch, used={(OURS, "again")})
    assert await named(db) == {(OURS, "again"): 1}


async def test_only_what_was_asked_for_is_found(db: Database) -> None:
    now = db.clock.now()
    mine = [message(n, f"id-{n}", now) for n in range(3)]
    await claimed(db, *mine, message(7, "id-0", now, THEIRS))
    for keys, ids in (
        ([(OURS, "id-0"), (OURS, "id-2"), (OURS, "id-9")], {(OURS, 0), (OURS, 2)}),
        ([(OURS, "id-0"), (THEIRS, "id-0")], {(OURS, 0), (THEIRS, 7)}),
        ([(OURS, "id-1"), (THEIRS, "id-1")], {(OURS, 1)}),
        ([], set()),
    ):
        found = await db.transact(lambda tx, keys=keys: tx.result(read_used(keys)))
        assert found == {(account, UUID(int=n)): now for account, n in ids}


async def test_ids_of_older_messages_go_block_by_block(db: Database) -> None:
    now = db.clock.now()
    await claimed(db, *(message(n, f"id-{n}", now) for n in (1, 2, 3)))
    before = UUID(int=2)
    assert await db.transact(lambda tx: delete_before(tx, before, 1, 1000)) == 0
    assert await db.transact(lambda tx: delete_before(tx, before, 0, 1)) == 1
    assert await named(db) == {(OURS, "id-2"): 2, (OURS, "id-3"): 3}


async def test_a_message_is_found_by_its_id_though_that_was_forgotten(db: Database) -> None:
    now = db.clock.now()
    for n, cid in ((1, "forgotten"), (2, "forgotten"), (3, "kept"), (4, "kept")):
        await db.rows(
            """
            INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content,
                                  status, created_at, times_out_at)
            VALUES ($1, $2, $3, 'notification', '972501234567', '{}', 'queued', $4, $4)
            """,
            OURS, UUID(int=n), cid, now,
        )  # fmt: skip
    await claimed(db, message(3, "kept", now))
    keys = [(OURS, "kept"), (OURS, "forgotten"), (OURS, "unknown"), (THEIRS, "kept")]
    for asked, ids in (
        (keys, {"kept": 3, "forgotten": 2}),
        ([(OURS, "kept")], {"kept": 3}),
        ([(OURS, "forgotten")], {"forgotten": 2}),
    ):
        found = await db.transact(lambda tx, asked=asked: find_all(tx, asked))
        assert {cid: one.id.int for (_, cid), one in found.items()} == ids
