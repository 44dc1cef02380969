"""Migration 0023: what was stored under a number with its prefix joins the person it belongs to."""

import shutil
from importlib.resources import files
from pathlib import Path

from tests.support.clock import ManualClock
from tests.support.database import empty_database
from tidings.engine.db.migrate import migrate
from tidings.engine.db.pool import Database

ACCOUNT = "00000000-0000-7000-8000-000000000001"
BOTH, ALONE, OTHER = "972501234567", "972501234568", "0501234567"

BEFORE = f"""
    INSERT INTO accounts (id, name, environment, allowlist, created_at)
    VALUES ('{ACCOUNT}', 'old', 'sandbox', ARRAY['00{BOTH}', '{BOTH}', '{OTHER}'], now());
    INSERT INTO contacts (account_id, phone, number, delivered_at, opted_out_at, opt_source) VALUES
        ('{ACCOUNT}', '{BOTH}', '1', '2026-01-02Z', NULL, NULL),
        ('{ACCOUNT}', '00{BOTH}', '2', '2026-01-01Z', '2026-01-03Z', 'reply'),
        ('{ACCOUNT}', '00{ALONE}', '2', NULL, NULL, NULL),
        ('{ACCOUNT}', '{OTHER}', '2', NULL, NULL, NULL);
    INSERT INTO conversations (account_id, phone, number, last_heard_at) VALUES
        ('{ACCOUNT}', '{BOTH}', '1', '2026-01-01Z'), ('{ACCOUNT}', '00{BOTH}', '1', '2026-01-02Z');
    INSERT INTO messages (account_id, id, client_message_id, kind, recipient, content, status,
                          created_at, times_out_at)
    SELECT '{ACCOUNT}', ('00000000-0000-7000-8000-00000000010' || n)::uuid, 'm-' || n,
           'notification', phone, '{{}}', 'sent', now(), now()
      FROM (VALUES (1, '{BOTH}'), (2, '00{BOTH}'), (3, '00{ALONE}')) AS m (n, phone);
    INSERT INTO charged_numbers (account_id, subscription_id, phone, term, message_id)
    SELECT account_id, 1, recipient, 0, id FROM messages;
    INSERT INTO form_sends (account_id, id, form_id, version, phone, message_id, created_at)
    SELECT account_id, id, 'visit', 1, recipient, id, now() FROM messages;
"""


async def test_people_with_a_prefix_are_joined(tmp_path: Path) -> None:
    earlier = tmp_path / "before"
    shutil.copytree(Path(str(files("tidings").joinpath("migrations"))), earlier)
    for file in earlier.glob("*.sql"):
        if file.name[:4] >= "0023":
            file.unlink()

    db = await Database.open(empty_database(), ManualClock(), 1)
    await migrate(db, earlier)
    connection = await db.dedicated()
    await connection.execute(BEFORE)
    await connection.close()
    await migrate(db)
    queries = {
        "contacts": "SELECT phone, number, delivered_at::date::text, opted_out_at::date::text,"
        " opt_source FROM contacts ORDER BY phone",
        "conversations": "SELECT phone, last_heard_at::date::text FROM conversations",
        "messages": "SELECT recipient, recipient_given FROM messages ORDER BY id",
        "charged": "SELECT phone FROM charged_numbers ORDER BY message_id",
        "forms": "SELECT phone FROM form_sends ORDER BY id",
        "allowed": "SELECT unnest(allowlist) FROM accounts",
    }
    async with db.transaction() as tx:
        found = {name: [tuple(row) for row in await tx.rows(q)] for name, q in queries.items()}
    await db.close()
    assert found["contacts"] == [
        (OTHER, "2", None, None, None),
        (BOTH, "1", "2026-01-01", "2026-01-03", "reply"),
        (ALONE, "2", None, None, None),
    ]
    assert found["conversations"] == [(BOTH, "2026-01-02")]
    # Of two that were each charged for, and each had the form, the books stay as they are.
    assert found["messages"] == [(BOTH, None), (f"00{BOTH}", None), (ALONE, f"00{ALONE}")]
    assert found["charged"] == [(BOTH,), (f"00{BOTH}",), (ALONE,)]
    assert found["forms"] == [(BOTH,), (f"00{BOTH}",), (ALONE,)]
    assert sorted(found["allowed"]) == [(OTHER,), (BOTH,)]
