"""A world with something of everything that `tidings doctor` asks about, made through the API, and
for each invariant the statements that break it."""

from pathlib import Path

from tests.support import batches, demo_world, forms, invitations, media, passcodes
from tests.support.billing import (
    FAILS,
    LINES,
    REFUSED,
    at,
    invoice_toml,
    metered,
    partner_with_member,
    phone,
    sent,
    subscribed,
)
from tests.support.service import TestService

# Nobody listens there: webhooks stay owed.
DEAF = "http://127.0.0.1:9/hook"
# Statements that the schema itself would refuse: foreign keys and triggers are off, as they are
# where somebody restores a table.
FREELY = "SET LOCAL session_replication_role = replica;"


def furnish(service: TestService, folder: Path) -> None:
    demo_world.build(service, folder)
    _books(service)
    _waiting(service)
    _answered_form(service)
    _files(service)
    _settled_reply(service)


def _books(service: TestService) -> None:
    """Charges of every kind and state, and invoices."""
    for account in (subscribed(service), metered(service, creditLimit="9.00")):
        for n in range(3):
            sent(account, n, phone(n % 2))
        sent(account, 4, REFUSED)
        sent(account, 5, FAILS)
        account.advance(seconds=5)
        sent(account, 6, phone(6))
    _, member = partner_with_member(service, "doctored", messages=9)
    sent(member, 1)
    sent(member, 2, REFUSED)
    metered(service, creditLimit="9.00")
    billed = service.account(invoice_toml() + invoice_toml("2026-0002", lines=LINES))
    monthly = subscribed(service, billingType="MONTHLY", monthlyPrice="9.00")
    for account in (billed, monthly):
        account.advance(days=35)


def _waiting(service: TestService) -> None:
    """A passcode, batches and messages that wait, and webhooks that are owed."""
    paused = passcodes.paused(service, "doctor-paused")
    passcodes.send(paused)
    assert paused.send(clientMessageId="wait-0001", to=phone(1), templateName="plain").is_success
    busy = service.account(webhookUrl=DEAF)
    sent(busy, 1)
    sent(busy, 2, FAILS)
    later = {"scheduledFor": at(days=3), "deadline": at(days=4)}
    items = [{"clientMessageId": f"later-{n:04}", "to": phone(n), "templateName": "plain"} | later
             for n in range(3)]  # fmt: skip
    batches.submit(busy, items)
    batches.cancel(busy, batches.submit(busy, [items[0] | {"clientMessageId": "gone-0001"}])
                   ["batchId"])  # fmt: skip


def _answered_form(service: TestService) -> None:
    account = service.account(forms.form_toml())
    forms.sent(account, clientMessageId="form-0001")
    forms.fill(account)


def _files(service: TestService) -> None:
    account = service.account()
    media.uploaded(account, media.png(), mimetype="image/png")


def _settled_reply(service: TestService) -> None:
    account = service.account(keepReadings=True)
    invitations.register(account)
    invitations.invite(account)
    invitations.reply(account, text="who is this?")
    invitations.settle(account, "no")


def _copied(kind: str) -> str:
    return f"""
        INSERT INTO webhooks (account_id, id, type, body, created_at, message_id, event_id, state)
        SELECT account_id, 'whk_ffffffffffff7fffbfffffffffffffff', type, body, created_at,
               message_id, event_id, 'waiting' FROM webhooks WHERE type = '{kind}'
         LIMIT 1"""


_SUM = """
    INSERT INTO charge_sums
    SELECT account_id, subscription_id, term, NULL, '{}', 0, {}, 0 FROM subscription_terms"""
_RUNNING = """
    INSERT INTO health_processes
    SELECT gen_random_uuid(), 'here', 1, 'worker', now() - interval '1 hour', now();"""
_PAST_END = "UPDATE messages SET deadline = now() - interval '9 minutes' WHERE status = 'scheduled'"
_OLD = "now() - interval '9 days'"
_NOWHERE = "'00000000-0000-7000-8000-000000000001'"

BREAKS: dict[str, tuple[str, ...]] = {
    "I1 keys in use": (
        "UPDATE idempotency_keys SET message_id = gen_random_uuid()",
        "UPDATE idempotency_keys SET client_message_id = client_message_id || '-other'",
    ),
    "I1 one message a key": (
        "UPDATE messages m SET client_message_id = k.client_message_id FROM idempotency_keys k"
        " WHERE m.account_id = k.account_id AND k.client_message_id = 'hello-001'",
    ),
    "I2 fault of a failure": (
        "UPDATE messages SET error = NULL WHERE status = 'failed'",
        """UPDATE messages SET error = '{"code": "X"}' WHERE status IN ('delivered', 'read')""",
    ),
    "I2 reason to wait": (
        "UPDATE messages SET reason = 'SEND_WINDOW' WHERE sent_at IS NOT NULL",
        "UPDATE messages SET reason = NULL WHERE status = 'deferred'",
        "UPDATE messages SET unknown_since = now() WHERE status = 'scheduled'",
    ),
    "I2 job of a message": (
        "DELETE FROM jobs WHERE kind = 'message.send'",
        "UPDATE messages SET status = 'sent' WHERE status = 'scheduled'",
        "UPDATE jobs SET dead_lettered_at = now() WHERE kind = 'message.send'",
    ),
    "I2 list of lost messages": ("DELETE FROM lost_messages",),
    "I3 end of waiting": (
        _PAST_END,
        f"UPDATE messages SET status = 'sending', unknown_since = {_OLD}"
        " WHERE status = 'scheduled'",
    ),
    "I3 late messages": (_RUNNING + _PAST_END,),
    "I4 order of statuses": (
        "UPDATE messages SET delivered_at = sent_at - interval '1 s'"
        " WHERE status IN ('delivered', 'read')",
        "UPDATE messages SET sent_at = NULL WHERE sent_at IS NOT NULL",
        "UPDATE messages SET status = 'sent' WHERE delivered_at IS NOT NULL",
    ),
    "I4 timeline": ("UPDATE messages SET timeline = '[]'",),
    "I5 sent in time": (
        "UPDATE messages SET deadline = created_at - interval '1 s' WHERE sent_at IS NOT NULL",
        "UPDATE messages SET scheduled_for = created_at + interval '1 h' WHERE sent_at IS NOT NULL",
    ),
    "I7 attempts of a message": (
        "UPDATE messages SET resends = 2",
        "UPDATE messages SET attempts = attempts || attempts WHERE attempts <> '[]'",
        "UPDATE messages SET generation = 0 WHERE attempts <> '[]'",
    ),
    "I7 attempts of a job": ("UPDATE jobs SET attempts = generation + 1",),
    "I8 opt-outs": (
        f"UPDATE messages SET recipient = '{demo_world.STOPPED}',"
        " id = 'ffffffff-ffff-7fff-bfff-ffffffffffff'"
        " WHERE client_message_id = 'hello-001'",
    ),
    "I9 sandbox apart from live": ("UPDATE numbers SET rate_halvings = 1",),
    "I10 used quota": (
        "UPDATE subscription_terms SET unique_used = unique_used - 1 WHERE unique_used > 0",
        "UPDATE subscription_terms SET followup_used = followup_used - 1 WHERE followup_used > 0",
        "DELETE FROM subscription_terms",
    ),
    "I10 quota": (
        "ALTER TABLE subscription_terms DROP CONSTRAINT subscription_terms_quota;"
        "UPDATE subscription_terms SET unique_quota = 0",
    ),
    "I11 reservation": (
        "DELETE FROM charges WHERE entry = 'RESERVE'",
        "UPDATE messages SET charge = 'FOLLOWUP' WHERE charge = 'UNIQUE'",
    ),
    "I11 charge without message": ("UPDATE messages SET charge = NULL",),
    "I11 refund of a message": (
        "UPDATE messages SET refunded_at = NULL",
        "UPDATE messages SET refunded_at = now() WHERE status = 'scheduled'",
    ),
    "I11 refund of a charge": (
        "DELETE FROM charges WHERE entry = 'REFUND'",
        "UPDATE charges SET entry = 'REFUND' WHERE entry = 'SETTLE'",
    ),
    "I12 settlement": ("DELETE FROM charges WHERE entry = 'SETTLE'",),
    "I12 terms of a resolution": (
        "UPDATE charges SET price_micro = 7 WHERE entry = 'REFUND'",
    ),
    "I13 unique numbers": (
        "DELETE FROM charged_numbers",
        "UPDATE charged_numbers SET message_id = account_id",
        _SUM.format("UNIQUE", 1),
    ),
    "I14 accrued": ("UPDATE subscription_terms SET accrued_micro = accrued_micro + 1",),
    "I14 charges of the days": (
        _SUM.format("FOLLOWUP", 1),
        "UPDATE usage_days SET charged = charged + 1",
        "UPDATE usage_days SET refunded = 0",
    ),
    "I15 end of a month": ("DELETE FROM jobs WHERE kind = 'billing.term'",),
    "I15 sums of an invoice": (
        "UPDATE invoices SET vat_minor = vat_minor + 1, total_minor = total_minor + 1",
        "UPDATE invoice_lines SET amount_minor = amount_minor + 1 WHERE position = 1",
        "DELETE FROM invoice_lines",
    ),
    "I15 due invoices": (
        "UPDATE invoices SET status = 'OVERDUE', due_at = now() + interval '99 days'",
        "DELETE FROM jobs WHERE kind = 'invoices.due'",
    ),
    "I15 numbers of invoices": ("UPDATE invoice_numbers SET last = last + 1",),
    "I15 invoice of a term": (
        "UPDATE subscription_terms SET invoice_number = 'none', closed_at = now()",
        "UPDATE subscription_terms SET closed_at = NULL WHERE invoice_number IS NOT NULL",
    ),
    "I16 ledger": (
        "UPDATE partner_ledger SET balance_after_minor = 7",
        "UPDATE partner_ledger SET seq = 9 WHERE seq = 1",
    ),
    "I16 debt and capacity": ("UPDATE partners SET debt_minor = debt_minor - 1",),
    "I16 transfers": (
        "DELETE FROM partner_transfers",
        "UPDATE partner_transfers SET amount_minor = amount_minor + 1",
    ),
    "I16 used capacity": ("UPDATE partners SET capacity_used = capacity_used + 1",),
    "I17 double entry": ("UPDATE partners SET debt_minor = debt_minor - 1",),
    "I18 total of a batch": (
        "UPDATE batches SET total = total - 1 WHERE total > 0",
    ),
    "I18 completed batch": (
        "UPDATE batches SET completed_at = now() WHERE completed_at IS NULL",
    ),
    "I18 end of a batch": (
        "DELETE FROM jobs; UPDATE messages SET status = 'sent' WHERE status = 'scheduled'",
    ),
    "I18 rows to come": (
        "UPDATE batches SET to_come = 3",
        "INSERT INTO batch_parts SELECT account_id, id, 1, ''::bytea FROM batches",
    ),
    "I18 completion event": (
        _copied("batch.completed"),
    ),
    "I19 cancelled batch": (
        "UPDATE batches SET cancelled_at = now() WHERE completed_at IS NULL",
    ),
    "I20 form sends": (
        "UPDATE form_sends SET phone = '972500000000'",
        "DELETE FROM form_sends",
    ),
    "I20 form figures": (
        "UPDATE form_counts SET sent = 0",
        "UPDATE form_tallies SET people = 0",
        "DELETE FROM form_tallies WHERE choice <> ''",
    ),
    "I20 answers to forms": (
        "UPDATE form_sends SET answered_at = NULL",
        "UPDATE form_answers SET version = version + 1",
    ),
    "I20 form events": (
        _copied("feedback.submitted"),
        "UPDATE form_sends SET answered_at = NULL",
    ),
    "I21 invitations": (
        "UPDATE invitations SET lost = NOT lost",
        "UPDATE invitations SET phone = '972500000000'",
        "DELETE FROM invitations",
    ),
    "I21 texts to a guest": (
        "UPDATE messages SET kind = 'prompt', client_message_id = 'same'",
    ),
    "I21 kept replies": ("UPDATE accounts SET keep_readings = false",),
    "I22 opens of a link": (
        "UPDATE link_days SET clicks = clicks + 1",
    ),
    "I22 times of a link": (
        "ALTER TABLE links DROP CONSTRAINT links_clicks_have_times;"
        "UPDATE links SET first_click_at = NULL",
    ),
    "I23 attempts of a webhook": (
        "UPDATE webhooks SET state = 'delivered' WHERE state = 'pending'",
        "UPDATE webhooks SET state = 'failed', failed_at = now() WHERE state = 'pending'",
        "UPDATE webhooks SET attempts = attempts || attempts WHERE attempts <> '[]'",
    ),
    "I23 time between attempts": (
        """UPDATE webhooks SET attempts = '[{"cycle": 1, "attempt": 1, "at":
           "2026-11-11T11:11:11.000Z"}, {"cycle": 1, "attempt": 2, "at":
           "2026-11-11T11:11:18.000Z"}]'""",
    ),
    "I24 owed webhooks": (
        "DELETE FROM jobs WHERE kind = 'webhook.deliver'",
        "UPDATE webhooks SET state = 'pending' WHERE state = 'waiting'",
    ),
    "I24 published statuses": (
        _copied("message.status"),
    ),
    "I25 body of a webhook": (
        "UPDATE webhooks SET body = convert_to(replace(convert_from(body, 'UTF8'), 'whk_', 'WHK_'),"
        " 'UTF8')",
        "UPDATE webhooks SET type = 'other'",
        "UPDATE accounts SET clock_ms = 0, environment = 'live'",
    ),
    "I26 deferred once": (_copied("message.deferred"),),
    "I27 next attempt": (
        "UPDATE jobs SET due_at = now() + interval '3 hours' WHERE kind = 'webhook.deliver'",
    ),
    "I28 passcode in a message": (
        """UPDATE messages SET content = content || '{"code": "123456"}' WHERE kind = 'otp'""",
    ),
    "I28 kept passcodes": (
        "UPDATE messages SET status = 'sent' WHERE kind = 'otp'",
        "UPDATE vault SET expires_at = expires_at + interval '1 day'",
    ),
    "I29 sealed columns": (
        "UPDATE signing_secrets SET sealed = 'whsec_0123456789012345678901234567890123456789'",
        "UPDATE api_keys SET sealed = '\\x02'",
    ),
    "I29 hashes": (
        "UPDATE api_keys SET key_hash = 'td_sandbox_' || id::text::bytea",
        "INSERT INTO people (id, email, password_hash, created_at)"
        " VALUES (gen_random_uuid(), 'dana@example.com', 'secret', now())",
    ),
    "I29 tokens in texts": (
        "UPDATE request_log SET body = 'td_live_' || repeat('x', 43)",
        "UPDATE audit_log SET subject = 'whsec_' || repeat('x', 40)",
    ),
    "I30 account of a message": (f"UPDATE messages SET account_id = {_NOWHERE}",),
    "I30 account of a webhook": (f"UPDATE webhooks SET account_id = {_NOWHERE}",),
    "I30 accounts": (
        f"UPDATE contacts SET account_id = {_NOWHERE} WHERE phone = '{phone(1)}'"
        "   AND account_id = (SELECT account_id FROM contacts"
        f"                     WHERE phone = '{phone(1)}' LIMIT 1)",
        f"UPDATE jobs SET account_id = {_NOWHERE}, unique_key = NULL",
    ),
    "I30 messages of webhooks": (
        "UPDATE webhooks SET message_id = gen_random_uuid() WHERE message_id IS NOT NULL",
    ),
    "I30 batches of messages": ("DELETE FROM batches",),
    "I30 events of messages": ("DELETE FROM events",),
    "I30 events of invitations": ("DELETE FROM events",),
    "I30 batches of batch_parts": (
        "INSERT INTO batch_parts SELECT id, gen_random_uuid(), 1, ''::bytea FROM accounts",
    ),
    "I30 messages of platform_ids": (
        "UPDATE platform_ids SET message_id = gen_random_uuid()",
    ),
    "I30 messages of lost_messages": (
        "UPDATE lost_messages SET message_id = gen_random_uuid()",
    ),
    "I30 form_versions of form_sends": ("UPDATE form_sends SET version = 99",),
    "I30 subscription_terms of charges": ("DELETE FROM subscription_terms",),
    "I30 platform id of a message": ("DELETE FROM platform_ids",),
    "I30 partners of accounts": ("UPDATE accounts SET partner = NULL",),
    "I30 callback URLs": (
        "UPDATE callback_urls SET url = 'https://example.net'",
        "DELETE FROM events",
    ),
    "I31 files at the platform": (
        "INSERT INTO platform_media SELECT id, gen_random_uuid(), '1', '2', now() FROM accounts",
    ),
    "I33 needed files": (
        "INSERT INTO media_uses SELECT id, gen_random_uuid(), gen_random_uuid() FROM accounts",
    ),
    "I34 storage": ("UPDATE media_storage SET bytes = bytes + 1", "DELETE FROM media_storage"),
    "I32 indexes": (
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'links_in_order'::regclass",
    ),
    "I32 constraints": ("ALTER TABLE links ADD CHECK (url <> '') NOT VALID",),
    "I32 triggers": ("ALTER TABLE links DISABLE TRIGGER links_keep_destination",),
    # This server allows none: a view stands in the place of the catalogue's.
    "I32 prepared transactions": (
        "CREATE VIEW pg_prepared_xacts AS SELECT 'lost' AS gid, current_database() AS database;"
        "SET LOCAL search_path = public, pg_catalog",
    ),
    "I32 schema": (
        "UPDATE schema_migrations SET sha256 = 'other'",
        "DELETE FROM schema_migrations",
    ),
    "I32 sequences": ("ALTER SEQUENCE number_changes_id_seq RESTART WITH 1",),
    # An index whose order has changed since it was built, as with a new version of a C library.
    "I32 corrupt indexes": (
        "CREATE EXTENSION amcheck;"
        "CREATE FUNCTION turned(bigint, bigint) RETURNS int LANGUAGE sql IMMUTABLE"
        "    AS 'SELECT btint8cmp($1, $2)';"
        "CREATE OPERATOR CLASS turned FOR TYPE bigint USING btree AS OPERATOR 1 <, OPERATOR 2 <=,"
        "    OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 turned(bigint, bigint);"
        "CREATE INDEX jobs_turned ON jobs (id turned);"
        "CREATE OR REPLACE FUNCTION turned(bigint, bigint) RETURNS int LANGUAGE sql IMMUTABLE"
        "    AS 'SELECT btint8cmp($2, $1)'",
    ),
}  # fmt: skip
