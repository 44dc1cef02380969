"""The audit_log table."""

from uuid import UUID

import msgspec

from tidings.engine.db.log_pages import LogCursor
from tidings.engine.db.tx import Row, Tx
from tidings.ids import new_id

from .model import Actor, Entry, Recorded

_COLUMNS = "id, at, actor_kind, actor, action, subject, account_id, details::text, address"


async def insert(tx: Tx, entry: Entry) -> None:
    await tx.run(
        """
        INSERT INTO audit_log (account_id, organisation_id, id, at, actor_kind, actor, action,
                               subject, details, address)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10)
        """,
        entry.account_id,
        entry.organisation_id,
        new_id(),
        tx.now,
        entry.actor.kind,
        entry.actor.name,
        entry.action,
        entry.subject,
        msgspec.json.encode(entry.details).decode(),
        entry.actor.address,
    )


async def load_page(
    tx: Tx,
    owners: tuple[UUID | None, UUID | None],  # account and organisation; none: everybody's
    *,
    action: str,
    actor: str,
    since: UUID | None,
    cursor: LogCursor,
    limit: int,
) -> list[Recorded]:
    """In scan order, from the cursor on; none before `since`, which is an id since
    ids are in order of time."""
    order = cursor.scan_order
    filtered = f"""
        ($1::text = '' OR starts_with(action, $1)) AND ($2::text = '' OR actor = $2)
        AND ($3::uuid IS NULL OR id {order.after} $3) AND ($4::uuid IS NULL OR id >= $4)
    """
    last = f"ORDER BY id {order.value} LIMIT $5"
    part = f"SELECT {_COLUMNS} FROM audit_log WHERE {{}} AND {filtered} {last}"
    args: list[object] = [action, actor, cursor.entry_id, since, limit]
    if owners == (None, None):
        return [_recorded(row) for row in await tx.rows(part.format("true"), *args)]
    # Each half has an index of its own; together they hold the page.
    halves = [part.format("account_id = $6"), part.format("organisation_id = $7")]
    both = f"SELECT * FROM (({halves[0]}) UNION ALL ({halves[1]})) AS e {last}"
    return [_recorded(row) for row in await tx.rows(both, *args, *owners)]


def _recorded(row: Row) -> Recorded:
    return Recorded(
        id=row["id"],
        at=row["at"],
        actor=Actor(row["actor_kind"], row["actor"], row["address"]),
        action=row["action"],
        subject=row["subject"],
        account_id=row["account_id"],
        details=msgspec.json.decode(row["details"]),
    )
