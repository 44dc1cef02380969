"""Every column that can hold a sealed value is known: a rotation seals it anew, or it is none.

A new column fails here until somebody has thought about it.
"""

import re
from pathlib import Path

from tidings.engine.db.pool import Database
from tidings.sealed_columns import COLUMNS

ROOT = Path(__file__).parents[2] / "tidings"
NOT_SEALED = {
    "api_keys.key_hash": "sha256",
    "batch_drafts.content": "compressed",
    "batch_parts.content": "compressed",
    "callback_dead_letters.body": "the platform's words",
    "media.object_name": "a name",
    "media.sha256": "sha256",
    "recovery_codes.code_hash": "sha256",
    "sessions.token_hash": "sha256",
    "vault.ciphertext": "under an hourly key",
    "webhooks.body": "the customer's",
    "welcome_links.token_hash": "sha256",
}
SEALING = re.compile(r"sealer\.seal\(")


async def test_every_column_of_bytes_is_sealed_anew_or_not_sealed(db: Database) -> None:
    rows = await db.rows(
        """
        SELECT c.relname || '.' || a.attname AS name
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
         WHERE a.atttypid = 'bytea'::regtype AND c.relkind IN ('r', 'p') AND NOT c.relispartition
           AND c.relnamespace = current_schema()::regnamespace
        """
    )
    sealed = {column.name for column in COLUMNS}
    assert sealed.isdisjoint(NOT_SEALED)
    assert {row["name"] for row in rows} == sealed | NOT_SEALED.keys()


def test_whoever_seals_declares_the_column() -> None:
    sealing = [
        path for path in (ROOT / "features").rglob("*.py") if SEALING.search(path.read_text())
    ]
    for path in sealing:
        declares = "SEALED" in path.read_text() or path.name == "sealed.py"
        assert declares, f"{path} seals a value and declares no SealedColumn"
    assert len(sealing) >= 6
