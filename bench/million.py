"""A million messages of one account and what comes with them, made inside the database from what it
has."""

from typing import Any
from uuid import UUID

MESSAGES = 1_000_000
WEBHOOKS = REQUESTS = 300_000
INBOUND = 200_000
AUDITED = LINKS = 100_000
INVITATIONS = 100_000
DAYS = 90
EVENT = "wedding"  # to which the newest messages invite

# uuid7: the time in milliseconds, then what makes it unique.
_ID = """(lpad(to_hex((extract(epoch FROM n.at) * 1000)::bigint), 12, '0') || '7'
    || substr(md5(n.n::text), 1, 3) || '8' || substr(md5(n.n::text), 4, 15))::uuid"""
_NUMBERED = f"""(SELECT n, $3::timestamptz - n * interval '{DAYS * 86400 / MESSAGES} seconds' AS at
    FROM generate_series(1, $2::int) n) n"""

# Columns that differ from the row that is copied; the rest stays as it is.
_COPIES: dict[str, tuple[int, str, dict[str, str]]] = {
    "messages": (MESSAGES, "client_message_id", {
        "id": _ID,
        "client_message_id": "'bulk-' || n.n",
        "recipient": "'97252' || lpad((n.n % 300000)::text, 7, '0')",
        "status": "CASE WHEN n.n % 100 = 0 THEN 'failed' ELSE 'delivered' END",
        "created_at": "n.at", "sent_at": "n.at", "delivered_at": "n.at",
        "times_out_at": "n.at + interval '1 day'", "batch_id": "NULL",
        "kind": f"CASE WHEN n.n > {INVITATIONS} THEN p.kind ELSE 'invitation' END",
        "event_id": f"CASE WHEN n.n > {INVITATIONS} THEN NULL ELSE '{EVENT}' END",
        "platform_id": "NULL",
    }),
    "webhooks": (WEBHOOKS, "id", {
        "id": f"'whk_' || replace({_ID}::text, '-', '')", "created_at": "n.at",
        "message_id": _ID, "state": "'delivered'", "failed_at": "NULL",
    }),
    "request_log": (REQUESTS, "id", {"id": _ID}),
    "audit_log": (AUDITED, "id", {"id": _ID, "at": "n.at"}),
    "links": (LINKS, "code", {
        "code": "'bulk' || lpad(n.n::text, 8, '0')", "created_at": "n.at",
    }),
    "inbound": (INBOUND, "platform_id", {
        "platform_id": "'bulk-' || n.n", "at": "n.at",
        "phone": "'97252' || lpad((n.n % 300000)::text, 7, '0')",
    }),
    "invitations": (INVITATIONS, "message_id", {
        "message_id": _ID, "phone": "'97253' || lpad(n.n::text, 7, '0')", "sent_at": "n.at",
        "answer": "CASE WHEN n.n % 3 > 0 THEN 'yes' END",
        "guests": "CASE WHEN n.n % 3 > 0 THEN n.n % 5 END",
        "answered_at": "CASE WHEN n.n % 3 > 0 THEN n.at END",
        "unclear": "NULL", "unresolved": "false", "late": "false",
    }),
}  # fmt: skip

_SUMS = [
    """INSERT INTO charges (account_id, message_id, entry, kind, subscription_id, term, at)
       SELECT m.account_id, m.id, e.entry, 'UNIQUE',
              c.subscription_id, c.term, m.created_at
         FROM messages m
        CROSS JOIN (VALUES ('RESERVE'), ('SETTLE')) e (entry)
        CROSS JOIN (SELECT subscription_id, term FROM charges WHERE account_id = $1 LIMIT 1) c
        WHERE m.account_id = $1 AND m.client_message_id LIKE 'bulk-%'""",
    """INSERT INTO usage_days (account_id, day, subscription_id, term, kind, price_micro, charged)
       SELECT account_id, (at AT TIME ZONE 'UTC')::date, subscription_id, term, kind, 0, count(*)
         FROM charges WHERE account_id = $1 AND NOT resolves GROUP BY 1, 2, 3, 4, 5
       ON CONFLICT (account_id, day, subscription_id, term, kind, price_micro)
       DO UPDATE SET charged = excluded.charged""",
    """INSERT INTO lost_messages SELECT account_id, status, id FROM messages
        WHERE account_id = $1 AND status = 'failed' ON CONFLICT DO NOTHING""",
    """INSERT INTO contacts (account_id, phone, delivered_at, opted_out_at, opt_source)
       SELECT account_id, recipient, min(created_at),
              CASE WHEN right(recipient, 2) = '00' THEN min(created_at) END,
              CASE WHEN right(recipient, 2) = '00' THEN 'reply' END
         FROM messages WHERE account_id = $1 GROUP BY 1, 2 ON CONFLICT DO NOTHING""",
]


async def fill(connection: Any, account_id: UUID) -> None:
    """Takes about a minute; afterwards the planner knows of them."""
    newest = await connection.fetchval("SELECT now()")
    for table, (count, key, changed) in _COPIES.items():
        await connection.execute(
            await _copy(connection, table, key, changed), account_id, count, newest
        )
    for query in _SUMS:
        await connection.execute(query, account_id)
    await connection.execute("VACUUM ANALYZE")


async def _copy(connection: Any, table: str, key: str, changed: dict[str, str]) -> str:
    rows = await connection.fetch(
        """SELECT column_name FROM information_schema.columns
            WHERE table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'""",
        table,
    )
    names = [row["column_name"] for row in rows if row["column_name"] != "written_by"]
    values = ", ".join(changed.get(name, f"p.{name}") for name in names)
    first = f"(SELECT * FROM {table} WHERE account_id = $1 ORDER BY {key} LIMIT 1) p"
    return f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {first}, {_NUMBERED}"
