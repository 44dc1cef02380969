"""What keeps each table from growing for ever. A new table fails here until its bound is named."""

from tidings.engine.db.pool import Database

BOUNDED = {
    # Settings: as many as people make
    "account_hand_edits": "a row for a setting of an account",
    "account_versions": "a row an account",
    "accounts": "as many as there are customers",
    "accounts_version": "one row",
    "api_keys": "as many as people make; deleted when they have expired",
    "callback_channels": "a row an account",
    "clock_locks": "a row an account, for seconds",
    "form_counts": "a row a version of a form",
    "form_flows": "a row a version of a form and business account",
    "form_tallies": "a row a choice of a question",
    "form_versions": "as many as people make",
    "forms": "as many as people make",
    "media_storage": "a row an account",
    "memberships": "a row a person and organisation",
    "number_changes": "a number's last changes",
    "numbers": "as many as people enter",
    "organisations": "as many as there are customers",
    "partners": "a row a partner",
    "people": "as many as there are",
    "recovery_codes": "ten a person",
    "request_rate": "a row an account",
    "retention_runs": "a row an account",
    "schema_migrations": "a row a migration",
    "data_changes": "a row a data change of the migrations",
    "signing_secrets": "as many as people make; deleted when they have expired",
    "subscription_terms": "a row a subscription and month",
    "subscriptions": "as many as are agreed",
    "templates": "as many as the platform has",
    "timeout_watermarks": "a row an account",
    # Deleted after a while
    "batch_drafts": "a day",
    "batch_parts": "until its rows are accepted",
    "callback_dead_letters": "30 days, 10,000 rows",
    "event_counts": "a row an event; replaced",
    "health_minutes": "a day",
    "health_processes": "the running processes",
    "idempotency_keys": "72 hours",
    "inbound_media": "8 days",
    "jobs": "until they are done",
    "media": "90 days after the last use",
    "media_uses": "until the message is sent",
    "platform_media": "25 days",
    "request_log": "7 days",
    "rolling_counters": "24 hours",
    "second_opinions": "a row an account and day, purged",
    "sessions": "until they are idle",
    "sign_in_attempts": "an hour",
    "unique_recipients": "24 hours",
    "vault": "until the passcode is sent or has expired",
    "webhooks": "30 days; a month is dropped 30 days after its end",
    "welcome_links": "until they are used or have expired",
    # With their month, 13 months after its end
    "charges": "two rows a message; their sums stay",
    "lost_messages": "a row a message that was not delivered",
    "messages": "a row a message",
    "platform_ids": "a row a message",
    # In the hours after their messages
    "form_answers": "a row a question that was answered",
    "form_sends": "a row a form that was sent",
    "invitations": "a row an invitation",
    # 13 months, in pages (features/retention/table_store.py)
    "batches": "after its last message is gone",
    "callback_urls": "with their event",
    "events": "after the event, and its last message is gone",
    "inbound": "after the reply",
    "links": "after it was made, expired or last opened",
    # Years (TIDINGS_AUDIT_YEARS)
    "audit_log": "7 years",
    "erasures": "7 years after it is done",
    # Sums and documents of money, kept for years
    "charge_sums": "a row a term, kind and price",
    "dropped_months": "a row a month",
    "invoice_lines": "a few rows an invoice",
    "invoice_numbers": "a row an account and year",
    "invoices": "a row a term",
    "partner_ledger": "a row a payment or top-up",
    "partner_transfers": "a row a payment",
    "usage_days": "a row a day, subscription, kind and price",
    # As many as there are people and things to write about
    "charged_numbers": "a row a person and subscription",
    "contacts": "a row a person",
    "conversations": "a row a person and number",
    "link_days": "a row a link and day with opens",
}


async def test_every_table_says_what_bounds_it(db: Database) -> None:
    rows = await db.rows(
        """
        SELECT relname FROM pg_class
         WHERE relkind IN ('r', 'p') AND NOT relispartition
           AND relnamespace = 'public'::regnamespace
        """
    )
    assert {row["relname"] for row in rows} == BOUNDED.keys()


async def test_what_grows_with_every_message_and_is_never_changed_again_is_partitioned(
    db: Database,
) -> None:
    """The key of the others is unique over all months (docs/decisions/0031)."""
    rows = await db.rows("SELECT partrelid::regclass::text AS name FROM pg_partitioned_table")
    assert {row["name"] for row in rows} == {
        "charges",
        "lost_messages",
        "messages",
        "platform_ids",
        "webhooks",
    }
