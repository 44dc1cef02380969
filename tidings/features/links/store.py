"""The links table. The only file that knows its columns."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import ClickTotals, Link, NewLink

COLUMNS = (
    "account_id, code, url, expires_at, active, clicks, first_click_at, last_click_at"
)  # fmt: skip

INSERT = """
    INSERT INTO links (account_id, code, url, event_id, client_message_id, expires_at, created_at)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[],
                         $6::timestamptz[], $7::timestamptz[])
    ON CONFLICT (code) DO NOTHING
"""

# Processes may update the same links concurrently; locking in key order avoids deadlocks.
LOCK = """
    SELECT FROM links JOIN unnest($1::uuid[], $2::text[]) AS o (account_id, code)
     USING (account_id, code) ORDER BY account_id, code FOR UPDATE OF links
"""

ADD = """
    UPDATE links l
       SET clicks = l.clicks + o.clicks,
           first_click_at = least(l.first_click_at, o.first_at),
           last_click_at = greatest(l.last_click_at, o.last_at)
      FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
           AS o (account_id, code, clicks, first_at, last_at)
     WHERE l.account_id = o.account_id AND l.code = o.code
"""


async def insert(tx: Tx, links: Sequence[NewLink]) -> int:
    """Insert links, skipping codes in use; returns how many were inserted."""
    return await tx.run(
        INSERT,
        [link.account_id for link in links],
        [link.code for link in links],
        [link.url for link in links],
        [link.event_id for link in links],
        [link.client_message_id for link in links],
        [link.expires_at for link in links],
        [link.created_at for link in links],
    )


async def find(tx: Tx, account_id: UUID, code: str) -> Link | None:
    row = await tx.row(
        f"SELECT {COLUMNS} FROM links WHERE account_id = $1 AND code = $2", account_id, code
    )
    return None if row is None else _link(row)


async def find_by_codes(tx: Tx, codes: Sequence[str]) -> list[Link]:
    """Links of any account."""
    rows = await tx.rows(f"SELECT {COLUMNS} FROM links WHERE code = ANY($1::text[])", list(codes))
    return [_link(row) for row in rows]


async def add_clicks(tx: Tx, clicks: Mapping[tuple[UUID, str], ClickTotals]) -> None:
    """Add to the counts; first and last click are correct in any order of writes."""
    keys = sorted(clicks)
    accounts, codes = [key[0] for key in keys], [key[1] for key in keys]
    if len(keys) > 1:
        await tx.rows(LOCK, accounts, codes)
    totals = [clicks[key] for key in keys]
    await tx.run(
        ADD,
        accounts,
        codes,
        [one.clicks for one in totals],
        [one.first_at for one in totals],
        [one.last_at for one in totals],
    )


def _link(row: Row) -> Link:
    return Link(**row)
