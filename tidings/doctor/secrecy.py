"""Invariants of secrets: I28 and I29. Whether sealed values open is asked by the command."""

from tidings.engine.vault_keys import SECRET_LIFE_MAX
from tidings.sealed_columns import COLUMNS

from .messages import UNFINISHED
from .model import Check, Invariant, interval, one

_HASHES = (
    ("api_keys", "key_hash", "id"),
    ("sessions", "token_hash", "id"),
    ("welcome_links", "token_hash", "id"),
    ("recovery_codes", "code_hash", "person_id"),
)
_TEXTS = (
    ("request_log", "concat_ws(' ', path, body)", "id"),
    ("audit_log", "concat_ws(' ', subject, details)", "id"),
    ("accounts", "declared::text", "id"),
    ("api_keys", "concat_ws(' ', name, prefix)", "id"),
)
_TOKEN = "td_(sandbox|live)_[0-9A-Za-z]{43}|whsec_[0-9A-Za-z+/]{40}"  # a pattern  # noqa: S105

_SEALED = " UNION ALL ".join(
    f"SELECT '{column.name} ' || concat_ws(' ', {', '.join(f'{key}::text' for key in column.key)})"
    f"  FROM {column.table} WHERE {column.column} IS NOT NULL"
    f"   AND (octet_length({column.column}) < 30 OR get_byte({column.column}, 0) NOT IN (1, 2))"
    for column in COLUMNS
)

CHECKS: tuple[Check, ...] = (
    one(
        Invariant(
            "I28",
            "kept passcodes",
            "a passcode is kept for a message that is still to be sent, and for an hour at most",
            mended_by="kept passcodes",
        ),
        f"""
        SELECT v.subject FROM vault v LEFT JOIN messages m
            ON m.account_id = v.account_id AND m.id = v.subject::uuid AND m.kind = 'otp'
           AND m.status IN {UNFINISHED}
         WHERE m.id IS NULL OR v.expires_at
               > $1::timestamptz + {interval(SECRET_LIFE_MAX)} + interval '1 minute'
        """,
    ),
    one(
        Invariant("I29", "sealed columns", "what is to be sealed is"),
        _SEALED,
    ),
    one(
        Invariant("I29", "hashes", "keys, sessions, links and recovery codes are kept as hashes"),
        " UNION ALL ".join(
            f"SELECT '{table} ' || {key}::text FROM {table} WHERE octet_length({column}) <> 32"
            for table, column, key in _HASHES
        )
        + " UNION ALL SELECT 'people ' || id::text FROM people"
        " WHERE password_hash NOT LIKE '$argon2id$%'",
    ),
    one(
        Invariant(
            "I29", "tokens in texts", "no API key and no signing secret is in a log or a setting"
        ),
        " UNION ALL ".join(
            f"SELECT '{table} ' || {key}::text FROM {table} WHERE {text} ~ '{_TOKEN}'"
            for table, text, key in _TEXTS
        ),
    ),
)
