"""The tables `account_versions` and `accounts_version`: what has changed, and who may change it."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.tx import Tx


async def lock(tx: Tx, account_ids: Sequence[UUID]) -> None:
    """The shared lock first: `lock_all` waits for it, and is waited for."""
    await tx.rows(
        """
        WITH everyone AS MATERIALIZED (SELECT 1 FROM accounts_version FOR SHARE)
        SELECT FROM account_versions
         WHERE account_id = ANY($1::uuid[]) AND (SELECT count(*) FROM everyone) = 1
         ORDER BY account_id FOR UPDATE
        """,
        list(account_ids),
    )


async def lock_all(tx: Tx) -> None:
    await tx.value("SELECT version FROM accounts_version FOR UPDATE")


async def write(tx: Tx, account_id: UUID) -> None:
    """This transaction changes the account."""
    await tx.run(
        """
        INSERT INTO account_versions AS v (account_id, version)
        VALUES ($1, pg_current_xact_id()::text::bigint)
        ON CONFLICT (account_id) DO UPDATE SET version = excluded.version
         WHERE v.version <> excluded.version
        """,
        account_id,
    )


async def reset(tx: Tx) -> None:
    await tx.run("UPDATE account_versions SET version = 0")


async def raise_all(tx: Tx) -> None:
    """This transaction changes something that concerns all accounts."""
    await tx.run("UPDATE accounts_version SET version = version + 1")


class Changed(NamedTuple):
    """The version of what concerns all accounts, and those of accounts changed of late."""

    of_all: int
    horizon: int
    versions: dict[UUID, int]


async def load_changed(tx: Tx, horizon: int) -> Changed:
    """The accounts changed since an earlier call, and perhaps some more.

    `horizon`: of that call; the first has none, and passes any greater number. Every transaction
    with a smaller id had ended by then, so whatever was committed since has this id or a greater.
    """
    rows = await tx.rows(
        """
        SELECT e.version, pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
               v.account_id, v.version
          FROM accounts_version e LEFT JOIN account_versions v
               ON v.version >= least($1, pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
        """,
        horizon,
    )
    of_all, horizon, *_ = rows[0]
    return Changed(of_all, horizon, {row[2]: row[3] for row in rows if row[2] is not None})


async def notify(tx: Tx, channel: str, payload: str) -> None:
    await tx.value("SELECT pg_notify($1, $2)::text", channel, payload)


async def find_seal_check(tx: Tx) -> bytes | None:
    found: bytes | None = await tx.value("SELECT seal_check FROM accounts_version")
    return found


async def claim_seal_check(tx: Tx, sealed: bytes) -> bytes:
    """The check sealed by the first process, which may be this one."""
    found = await find_seal_check(tx)
    if found is not None:
        return found
    claimed: bytes = await tx.value(
        "UPDATE accounts_version SET seal_check = coalesce(seal_check, $1) RETURNING seal_check",
        sealed,
    )
    return claimed
