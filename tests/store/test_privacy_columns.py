"""Every column that can hold words is known: it can hold something of a person, or it cannot.

A new column fails here until somebody has thought about it; docs/decisions/0029-privacy.md says
what happens to each kind.
"""

from tests.support import persons
from tests.support.service import TestService

# What an erasure changes or deletes.
ERASED = {
    "audit_log": "subject details",
    "charged_numbers": "phone",
    "contacts": "phone number opt_source",  # an opt-out keeps its number
    "conversations": "phone number",
    "erasures": "pseudonym sealed",
    "form_answers": "value",
    "form_sends": "phone",
    "idempotency_keys": "client_message_id",
    "inbound": "platform_id phone text raw",
    "inbound_media": "platform_id media_id filename",
    "invitations": "phone unclear reply_text",
    "jobs": "payload",
    "kept_readings": "phone text",
    "links": "url client_message_id",
    "media": "object_name sha256 filename",
    "messages": "client_message_id recipient recipient_given content fallback_content meta"
    " platform_id",
    "platform_ids": "platform_id",
    "platform_media": "platform_id",
    "request_log": "path body",
    "unique_recipients": "phone",
    "vault": "ciphertext",
    "webhooks": "body",
}
# What goes by itself: callbacks of no account; uploads, until they are sent or a day has passed.
PASSING = {
    "batch_drafts": "columns content",
    "batch_parts": "content",
    "callback_dead_letters": "body",
}
# People of the portal, who are no recipients: pages People and Audit log.
PORTAL = {
    "account_hand_edits": "edited_by",
    "accounts_version": "sending_paused_by",
    "audit_log": "actor address",
    "people": "email password_hash",
    "sessions": "address user_agent token_hash",
    "sign_in_attempts": "subject",
    "welcome_links": "email invited_by token_hash",
}
# Numbers that the customer entered as a setting of their own: changed there.
SETTINGS = {"accounts": "allowlist"}
# Settings, names of things, our own numbers, states, figures, secrets.
NOT_PERSONAL = {
    "account_hand_edits": "setting",
    "accounts": "billing_mode declared default_template environment name otp_template partner"
    " replies send_window webhook_url",
    "accounts_version": "seal_check sending_paused_reason",
    "api_keys": "key_hash last4 name prefix sealed",
    "audit_log": "action actor_kind",
    "batch_drafts": "name template_lang template_name",
    "batches": "event_id name",
    "callback_dead_letters": "reason",
    "callback_urls": "event_id url",
    "charge_sums": "kind",
    "charges": "entry kind",
    "event_counts": "answers counts event_id",
    "events": "callback_url event_id expired invalid_reply nudge sent_from",
    "form_answers": "form_id question_id type",
    "form_counts": "form_id",
    "form_flows": "flow_id form_id problem stage waba_id",
    "form_sends": "form_id",
    "form_tallies": "choice form_id question_id",
    "form_versions": "content form_id remark state",
    "forms": "declared_as form_id",
    "health_minutes": "name",
    "health_processes": "host roles",
    "inbound": "number type",
    "inbound_media": "mimetype number type",
    # The cursor is a key, for as long as the change runs; the error is the name of a condition.
    "data_changes": "cursor error name",
    "invitations": "answer event_id",
    "invoice_lines": "description number",
    "invoices": "currency kind number paid_by status",
    "jobs": "kind ordering_key partition_key pool subject subjects unique_key",
    "kept_readings": "answer event_id language read_as",
    "link_days": "code",
    "links": "code event_id",
    "lost_messages": "status",
    "media": "mimetype",
    "memberships": "role",
    "messages": "attempts charge error event_id from_policy kind notified_reasons number reason"
    " recipient_counter requested_number status timeline",
    "number_changes": "after before number what",
    "numbers": "access_token display_name fault number phone_number_id platform_portfolio_id"
    " portfolio_id quality refusal status verified_name waba_id",
    "organisations": "handle name",
    "partner_ledger": "kind note reference",
    "partner_transfers": "note reference status",
    "partners": "currency",
    "people": "language totp totp_pending",
    "platform_media": "phone_number_id",
    "recovery_codes": "code_hash",
    "request_log": "key method",
    "rolling_counters": "counter",
    "schema_migrations": "name programs_from sha256",
    "sign_in_attempts": "kind",
    "signing_secrets": "sealed",
    "subscription_terms": "invoice_number",
    "subscriptions": "billing_type currency package",
    "templates": "body buttons category footer header header_text language name names problem"
    " status",
    "unique_recipients": "counter",
    "usage_days": "kind",
    "vault": "key_id subject",
    "webhooks": "attempts event_id id state type url",
    "welcome_links": "role",
}


def test_every_column_that_can_hold_words_is_classified(service: TestService) -> None:
    known = {
        f"{table}.{name}"
        for one in (ERASED, PASSING, PORTAL, SETTINGS, NOT_PERSONAL)
        for table, names in one.items()
        for name in names.split()
    }
    columns = {f"{table}.{name}" for table, name, _ in persons.text_columns(service)}
    assert known - columns == set(), "these are gone"
    assert columns - known == set(), "can these hold a number, a name or a text of a person?"
