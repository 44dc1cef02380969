"""The platform's ids and settings of our numbers (`numbers`), and when its last callback arrived
(`callback_channels`)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import UNKNOWN


async def find_by_platform_id(
    tx: Tx, phone_number_ids: Sequence[str]
) -> dict[str, tuple[UUID, str]]:
    """The live account and the number behind each of the platform's ids; the rest is absent."""
    rows = await tx.rows(
        """
        SELECT n.phone_number_id, n.account_id, n.number
          FROM numbers n JOIN accounts a ON a.id = n.account_id
         WHERE n.phone_number_id = ANY($1::text[]) AND a.environment = 'live'
         ORDER BY n.account_id, n.position DESC
        """,
        list(phone_number_ids),
    )
    return {row["phone_number_id"]: (row["account_id"], row["number"]) for row in rows}


async def find_accounts_of(tx: Tx, owners: Sequence[str]) -> dict[UUID, set[str]]:
    """Live accounts with numbers of these business accounts or portfolios: their owners' ids."""
    rows = await tx.rows(
        """
        SELECT DISTINCT n.account_id, o.owner
          FROM unnest($1::text[]) AS o (owner)
          JOIN numbers n ON o.owner IN (n.waba_id, n.portfolio_id, n.platform_portfolio_id)
          JOIN accounts a ON a.id = n.account_id
         WHERE a.environment = 'live'
        """,
        list(owners),
    )
    found: dict[UUID, set[str]] = {}
    for row in rows:
        found.setdefault(row["account_id"], set()).add(row["owner"])
    return found


async def find_live_accounts(tx: Tx, without: str | None = None) -> list[UUID]:
    """Live accounts with a number that can be synced. `without`: only those that have no job of
    this kind."""
    rows = await tx.rows(
        """
        SELECT DISTINCT n.account_id FROM numbers n JOIN accounts a ON a.id = n.account_id
         WHERE a.environment = 'live' AND a.active
           AND n.access_token IS NOT NULL AND n.waba_id IS NOT NULL
           AND NOT EXISTS (SELECT FROM jobs j WHERE j.account_id = a.id AND j.kind = $1::text
                              AND j.dead_lettered_at IS NULL)
        """,
        without,
    )
    return [row["account_id"] for row in rows]


async def save_platform_settings(
    tx: Tx,
    account_id: UUID,
    number: str,
    *,
    per_second: int | None,
    daily_limit: int | None,
    portfolio_id: str | None,
    verified_name: str,
) -> bool:
    """Store what the platform reports about a number, except its health. False: nothing changed."""
    changed = await tx.run(
        """
        UPDATE numbers SET platform_per_second = $3, platform_daily_limit = $4,
               platform_portfolio_id = $5, verified_name = $6, generation = generation + 1
         WHERE account_id = $1 AND number = $2
           AND (platform_per_second, platform_daily_limit, platform_portfolio_id, verified_name)
               IS DISTINCT FROM ($3::int, $4::int, $5::text, $6::text)
        """,
        account_id,
        number,
        per_second,
        daily_limit,
        portfolio_id,
        verified_name,
    )
    return changed > 0


async def save_refusal(tx: Tx, account_id: UUID, number: str | None, error: str) -> bool:
    """For numbers that the platform has not confirmed. False: nothing changed."""
    changed = await tx.run(
        """
        UPDATE numbers SET refusal = $3
         WHERE account_id = $1 AND ($2::text IS NULL OR number = $2) AND status = $4
           AND refusal IS DISTINCT FROM $3
        """,
        account_id,
        number,
        error,
        UNKNOWN,
    )
    return changed > 0


async def save_limit(
    tx: Tx, account_id: UUID, owners: Sequence[str], daily_limit: int | None
) -> bool:
    """The portfolio's limit, for all of the account's numbers in it. False: nothing changed."""
    changed = await tx.run(
        """
        UPDATE numbers SET platform_daily_limit = $3
         WHERE account_id = $1 AND platform_daily_limit IS DISTINCT FROM $3::int
           AND (waba_id = ANY($2::text[]) OR portfolio_id = ANY($2::text[])
                OR platform_portfolio_id = ANY($2::text[]))
        """,
        account_id,
        list(owners),
        daily_limit,
    )
    return changed > 0


async def save_last_callbacks(tx: Tx, times: Mapping[UUID, datetime]) -> None:
    """A callback arrived for these accounts, at these times."""
    ordered = sorted(times.items())
    await tx.write(
        """
        INSERT INTO callback_channels AS c (account_id, last_at)
        SELECT * FROM unnest($1::uuid[], $2::timestamptz[])
        ON CONFLICT (account_id) DO UPDATE SET last_at = greatest(c.last_at, excluded.last_at)
        """,
        [account_id for account_id, _ in ordered],
        [at for _, at in ordered],
    )


async def load_last_callbacks(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, datetime]:
    """When a callback last arrived; accounts that never had one are absent."""
    rows = await tx.rows(
        "SELECT account_id, last_at FROM callback_channels WHERE account_id = ANY($1::uuid[])",
        list(account_ids),
    )
    return {row["account_id"]: row["last_at"] for row in rows}
