"""The table `inbound`, where something in it is to be forgotten."""

from collections.abc import Mapping
from uuid import UUID

from tidings.engine.db.tx import Tx


async def find_interactive(tx: Tx, account_id: UUID, phone: str) -> dict[str, str]:
    """What a person pressed, chose or filled in: the platform's JSON by its id; locked."""
    rows = await tx.rows(
        """
        SELECT platform_id, raw FROM inbound
         WHERE account_id = $1 AND phone = $2 AND type = 'interactive'
         ORDER BY platform_id FOR UPDATE
        """,
        account_id,
        phone,
    )
    return {row["platform_id"]: row["raw"] for row in rows}


async def save(tx: Tx, account_id: UUID, raws: Mapping[str, str]) -> None:
    await tx.run(
        """
        UPDATE inbound i SET raw = n.raw FROM unnest($2::text[], $3::text[]) AS n (platform_id, raw)
         WHERE i.account_id = $1 AND i.platform_id = n.platform_id
        """,
        account_id,
        list(raws),
        list(raws.values()),
    )
