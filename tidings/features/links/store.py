"""The tables `links` and `link_days`. The only file that knows their columns."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx

from .model import ClickTotals, DayOpens, Link, LinkFilter, LinkKey, NewLink

COLUMNS = (
    "account_id, code, url, event_id, client_message_id, created_at, expires_at, active, clicks,"
    " first_click_at, last_click_at"
)

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

# One statement for the count and its days. The days are written last, under the lock of their link.
ADD = """
    WITH days AS (
        INSERT INTO link_days AS d (account_id, code, day, clicks)
        SELECT * FROM unnest($6::uuid[], $7::text[], $8::date[], $9::bigint[])
        ON CONFLICT (account_id, code, day) DO UPDATE SET clicks = d.clicks + excluded.clicks)
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
    days = [(*key, day, count) for key in keys for day, count in sorted(clicks[key].days.items())]
    await tx.run(
        ADD,
        accounts,
        codes,
        [one.clicks for one in totals],
        [one.first_at for one in totals],
        [one.last_at for one in totals],
        *([row[part] for row in days] for part in range(4)),
    )


async def load_page(
    tx: Tx,
    account_id: UUID,
    wanted: LinkFilter,
    before: LinkKey | None,
    size: int,
    order: Order,
) -> list[Link]:
    """`before` is the key of the last link of the previous page, in this order."""
    rows = await tx.rows(
        f"""
        SELECT {COLUMNS} FROM links
         WHERE account_id = $1 {_EVENT if wanted.event_id is not None else _ANY_EVENT}
           AND created_at >= coalesce($3::timestamptz, '-infinity')
           AND created_at < coalesce($4::timestamptz, 'infinity')
           {_FIRST if before is None else _ON.format(order.after)}
         ORDER BY created_at {order.value}, code {order.value} LIMIT $7
        """,
        account_id,
        wanted.event_id,
        wanted.since,
        wanted.until,
        *(before or (None, None)),
        size,
    )
    return [_link(row) for row in rows]


# Alternatives with the same parameters, so that each has the plan that fits its index.
_EVENT, _ANY_EVENT = "AND event_id = $2", "AND $2::text IS NULL"
_ON = "AND (created_at, code) {} ($5::timestamptz, $6::text)"
_FIRST = "AND $5::timestamptz IS NULL AND $6::text IS NULL"


async def load_days(
    tx: Tx, account_id: UUID, codes: Sequence[str], since: date
) -> dict[str, list[DayOpens]]:
    """The opens of these links, by day, from `since` on; days without any are left out."""
    rows = await tx.rows(
        """
        SELECT code, day, clicks FROM link_days
         WHERE account_id = $1 AND code = ANY($2::text[]) AND day >= $3 ORDER BY code, day
        """,
        account_id,
        list(codes),
        since,
    )
    found: dict[str, list[DayOpens]] = {code: [] for code in codes}
    for row in rows:
        found[row["code"]].append(DayOpens(row["day"], row["clicks"]))
    return found


async def deactivate(tx: Tx, account_id: UUID, code: str) -> bool:
    """False: it was not active."""
    statement = """
        UPDATE links SET active = false WHERE account_id = $1 AND code = $2 AND active
    """
    return await tx.run(statement, account_id, code) == 1


def _link(row: Row) -> Link:
    return Link(**row)
