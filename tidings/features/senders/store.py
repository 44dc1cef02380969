"""The numbers table. The only file that knows its columns."""

from collections.abc import Sequence
from dataclasses import fields
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Number

COLUMNS = ", ".join(field.name for field in fields(Number))


async def load_numbers(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Number]]:
    """The numbers of each account, in order of preference. Every id asked for has an entry."""
    rows = await tx.rows(
        f"""
        SELECT account_id, {COLUMNS} FROM numbers
         WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, position
        """,
        list(account_ids),
    )
    found: dict[UUID, list[Number]] = {account_id: [] for account_id in account_ids}
    for row in rows:
        values = dict(row)
        found[values.pop("account_id")].append(Number(**values))
    return found


async def find_holders(tx: Tx, phone_number_ids: Sequence[str]) -> dict[str, UUID]:
    """Which account each of the platform's phone number ids belongs to."""
    rows = await tx.rows(
        "SELECT phone_number_id, account_id FROM numbers WHERE phone_number_id = ANY($1::text[])",
        list(phone_number_ids),
    )
    return {row["phone_number_id"]: row["account_id"] for row in rows}


async def delete_others(tx: Tx, account_id: UUID, kept: Sequence[str]) -> int:
    return await tx.run(
        "DELETE FROM numbers WHERE account_id = $1 AND number <> ALL($2::text[])",
        account_id,
        list(kept),
    )


async def save(tx: Tx, account_id: UUID, numbers: Sequence[Number]) -> None:
    """Write numbers as declared. The health of one that exists stays what the platform said."""
    await tx.run(
        """
        INSERT INTO numbers (account_id, number, position, display_name, phone_number_id, waba_id,
               portfolio_id, access_token, per_second, daily_limit, status, quality)
        SELECT $1, * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[],
               $7::text[], $8::bytea[], $9::int[], $10::int[], $11::text[], $12::text[])
        ON CONFLICT (account_id, number) DO UPDATE SET
            (position, display_name, phone_number_id, waba_id, portfolio_id, access_token,
             per_second, daily_limit) =
            (excluded.position, excluded.display_name, excluded.phone_number_id, excluded.waba_id,
             excluded.portfolio_id, excluded.access_token, excluded.per_second,
             excluded.daily_limit)
        """,
        account_id,
        *([getattr(number, field.name) for number in numbers] for field in fields(Number)),
    )
