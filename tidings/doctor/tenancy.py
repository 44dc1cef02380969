"""Invariants of what belongs together: I30, one query for each pair of tables.

Rows refer to rows of their own account. Where the schema has a foreign key with the account in it,
PostgreSQL sees to that ("constraints" in `structure.py`); these are the others.
"""

from uuid import UUID

from .model import DROPPED, Check, Invariant, one

# Tables that are read whole anyway for their accounts: their own files ask for these.
_OF_ACCOUNTS = (
    "batch_drafts", "batch_parts", "batches", "callback_urls", "charge_sums", "charged_numbers",
    "charges", "contacts", "conversations", "events", "form_answers", "form_sends",
    "idempotency_keys", "inbound", "inbound_media", "invitations", "jobs", "links",
    "kept_readings", "lost_messages", "media", "media_uses", "platform_ids", "rolling_counters",
    "subscription_terms", "unique_recipients", "usage_days", "vault",
)  # fmt: skip


def _pair(child: str, parent: str, says: str, on: str, key: str, where: str = "true") -> Check:
    """A row `c` of the child for which there is no `p` of the same account."""
    sql = f"""
        SELECT ({key})::text FROM {child} c WHERE {where} AND NOT EXISTS (
            SELECT FROM {parent} p WHERE p.account_id = c.account_id AND {on})
    """
    return one(Invariant("I30", f"{parent} of {child}", says), sql)


INSTALLATION = UUID(int=0)  # whose jobs concern no single account (messages/send/reschedule.py)

CHECKS: tuple[Check, ...] = (
    one(
        Invariant("I30", "accounts", "every row of a tenant is of an account that there is"),
        " UNION ALL ".join(
            f"SELECT '{table} ' || c.account_id FROM (SELECT DISTINCT account_id FROM {table}) c"
            " WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = c.account_id)"
            f" AND c.account_id <> '{INSTALLATION}'"
            for table in _OF_ACCOUNTS
        ),
    ),
    _pair(
        "webhooks",
        "messages",
        "a webhook about a message is of the message's account",
        "p.id = c.message_id",
        "c.id",
        f"c.message_id IS NOT NULL AND NOT {DROPPED.format('c.message_id')}",
    ),
    _pair(
        "messages",
        "batches",
        "a message of a batch is of the batch's account",
        "p.id = c.batch_id",
        "c.id",
        "c.batch_id IS NOT NULL",
    ),
    _pair(
        "messages",
        "events",
        "a message of an event is of the event's account",
        "p.event_id = c.event_id",
        "c.id",
        "c.event_id IS NOT NULL",
    ),
    _pair(
        "invitations",
        "events",
        "an invitation to an event is of the event's account",
        "p.event_id = c.event_id",
        "c.message_id",
        "c.event_id IS NOT NULL",
    ),
    _pair(
        "batch_parts",
        "batches",
        "rows of an upload are of the batch's account",
        "p.id = c.batch_id",
        "c.batch_id || '/' || c.part",
    ),
    _pair(
        "platform_ids",
        "messages",
        "a platform's id is of a message of its account",
        "p.id = c.message_id",
        "c.message_id",
    ),
    _pair(
        "lost_messages",
        "messages",
        "an entry of the list of lost messages is of a message of its account",
        "p.id = c.message_id",
        "c.message_id",
    ),
    _pair(
        "form_sends",
        "form_versions",
        "a form that was sent is one of the account's",
        "p.form_id = c.form_id AND p.version = c.version",
        "c.id",
    ),
    _pair(
        "charges",
        "subscription_terms",
        "a charge is to a term of its account",
        "p.subscription_id = c.subscription_id AND p.term = c.term",
        "c.message_id",
        "c.subscription_id IS NOT NULL",
    ),
    one(
        Invariant(
            "I30", "platform id of a message", "a message is found by the platform's id for it",
            mended_by="platform ids",
        ),
        """
        SELECT m.id::text FROM messages m WHERE m.platform_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM platform_ids p WHERE p.account_id = m.account_id AND p.message_id = m.id
               AND p.platform_id = m.platform_id)
        """,
    ),
    one(
        Invariant(
            "I30", "partners of accounts", "an account that uses a partner's capacity has a partner"
        ),
        """
        SELECT a.name FROM accounts a JOIN accounts p ON p.id = a.belongs_to
         WHERE p.partner IS NULL OR p.environment <> a.environment
        """,
    ),
    one(
        Invariant(
            "I30", "callback URLs", "webhooks of an event go to its callbackUrl",
            mended_by="callback URLs",
        ),
        """
        SELECT event_id FROM events e FULL JOIN callback_urls c USING (account_id, event_id)
         WHERE c.url IS DISTINCT FROM e.callback_url
        """,
    ),
)  # fmt: skip
