"""The table `inbound`: messages from guests, once per platform id."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx
from tidings.platforms.port import InboundMessage


async def insert(tx: Tx, inbound: Sequence[tuple[UUID, InboundMessage]]) -> set[tuple[UUID, str]]:
    """Insert what is new; returns its keys. The platform may repeat a callback."""
    inbound = sorted(inbound, key=lambda item: (item[0], item[1].platform_id))
    rows = await tx.rows(
        """
        INSERT INTO inbound (account_id, platform_id, phone, number, at, type, text, raw)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[],
                             $6::text[], $7::text[], $8::text[])
        ON CONFLICT DO NOTHING
        RETURNING account_id, platform_id
        """,
        [account_id for account_id, _ in inbound],
        [item.platform_id for _, item in inbound],
        [item.from_ for _, item in inbound],
        [item.sender for _, item in inbound],
        [item.at for _, item in inbound],
        [item.type for _, item in inbound],
        [item.text for _, item in inbound],
        [item.raw.decode() for _, item in inbound],
    )
    return {(row["account_id"], row["platform_id"]) for row in rows}


async def find_from(
    tx: Tx, account_id: UUID, phone: str, *, limit: int, bytes_max: int
) -> Sequence[Row]:
    """The newest messages of a person, `at` and `raw`, limited in number and in bytes."""
    return await tx.rows(
        """
        SELECT at, raw FROM (
            SELECT at, raw, sum(octet_length(raw)) OVER (ORDER BY at DESC, platform_id) AS held
              FROM (
                SELECT at, platform_id, raw FROM inbound WHERE account_id = $1 AND phone = $2
                 ORDER BY at DESC, platform_id LIMIT $3) AS newest) AS measured
         WHERE held <= $4 ORDER BY held
        """,
        account_id,
        phone,
        limit,
        bytes_max,
    )


async def has_written_since(tx: Tx, account_id: UUID, phone: str, at: datetime) -> bool:
    row = await tx.row(
        "SELECT 1 FROM inbound WHERE account_id = $1 AND phone = $2 AND at > $3 LIMIT 1",
        account_id,
        phone,
        at,
    )
    return row is not None


async def find_interactive(tx: Tx, account_id: UUID, phone: str) -> dict[str, str]:
    """Interactive messages of a person (buttons, lists, forms): raw JSON by id; locked."""
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


async def save_raw(tx: Tx, account_id: UUID, raws: Mapping[str, str]) -> None:
    await tx.run(
        """
        UPDATE inbound i SET raw = n.raw FROM unnest($2::text[], $3::text[]) AS n (platform_id, raw)
         WHERE i.account_id = $1 AND i.platform_id = n.platform_id
        """,
        account_id,
        list(raws),
        list(raws.values()),
    )
