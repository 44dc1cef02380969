"""Charges that go with their messages leave their sums: the table `charge_sums`.

`tidings doctor` adds these to the charges that are there, so that quotas, capacities and days still
add up. Deleting and adding up are one transaction.
"""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.connections import Connection
from tidings.engine.db.partitions import span
from tidings.engine.db.tx import Tx

# Whoever adds up a month must not count rows that another transaction is about to delete.
ADVISORY_LOCK = 0x7375_6D73_0000  # "sums"

_ADD = """
    INSERT INTO charge_sums AS s (account_id, subscription_id, term, partner_id, kind, price_micro,
                                  charged, refunded)
    SELECT account_id, subscription_id, term, partner_id, kind, price_micro,
           count(*) FILTER (WHERE entry = 'RESERVE'), count(*) FILTER (WHERE entry = 'REFUND')
      FROM {source} GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, subscription_id, term, partner_id, kind, price_micro) DO UPDATE
       SET charged = s.charged + excluded.charged, refunded = s.refunded + excluded.refunded
"""
_ADD_MONTH = _ADD.format(source="charges WHERE message_id >= $1 AND message_id < $2")
_DELETE = f"""
    WITH gone AS (
        DELETE FROM charges
         WHERE account_id = $1 AND message_id = ANY($2::uuid[]) AND message_id BETWEEN $3 AND $4
        RETURNING *)
    {_ADD.format(source="gone")}
"""


async def add_up_month(connection: Connection, ids: tuple[UUID, UUID]) -> None:
    """Keep the sums of all charges of a month, which is dropped in the same transaction. All of
    them have to be resolved: then none can change any more, and nothing has to be locked."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", ADVISORY_LOCK)
    await connection.execute(_ADD_MONTH, *ids)


async def find_unresolved(connection: Connection, ids: tuple[UUID, UUID]) -> list[UUID]:
    """The accounts that have charges in this month which are neither settled nor refunded."""
    rows = await connection.fetch(
        """
        SELECT account_id FROM charges WHERE message_id >= $1 AND message_id < $2
         GROUP BY account_id
        HAVING count(*) FILTER (WHERE resolves) <> count(*) FILTER (WHERE NOT resolves)
        """,
        *ids,
    )
    return [row["account_id"] for row in rows]


async def delete(tx: Tx, account_id: UUID, message_ids: Sequence[UUID]) -> None:
    """Delete the charges of these messages, and keep their sums."""
    await tx.run("SELECT pg_advisory_xact_lock_shared($1)", ADVISORY_LOCK)
    await tx.run("SELECT set_config('tidings.sums_charges', 'on', true)")
    await tx.run(_DELETE, account_id, list(message_ids), *span(message_ids))
    await tx.run("SELECT set_config('tidings.sums_charges', 'off', true)")
