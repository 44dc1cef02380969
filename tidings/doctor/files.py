"""Invariants of uploaded files: I31, I33 and I34. Their bytes are not in the database."""

from .model import Check, Invariant, one

CHECKS: tuple[Check, ...] = (
    one(
        Invariant(
            "I31",
            "files at the platform",
            "a file that the platform holds is one of the account's uploads",
        ),
        """
        SELECT p.media_id::text FROM platform_media p WHERE NOT EXISTS (
            SELECT FROM media m WHERE m.account_id = p.account_id AND m.id = p.media_id)
        """,
    ),
    one(
        Invariant("I33", "needed files", "a file that a message or a request needs is there"),
        """
        SELECT u.id::text FROM media_uses u WHERE NOT EXISTS (
            SELECT FROM media m WHERE m.account_id = u.account_id AND m.id = u.media_id)
        """,
    ),
    one(
        Invariant(
            "I34",
            "storage",
            "an account's storage is the sum of its files",
            mended_by="storage",
        ),
        """
        SELECT account_id::text FROM media_storage s FULL JOIN (
            SELECT account_id, sum(bytes) AS bytes FROM media GROUP BY account_id) m
            USING (account_id)
         WHERE coalesce(s.bytes, 0) <> coalesce(m.bytes, 0)
        """,
    ),
)
