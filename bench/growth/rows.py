"""The rows of a large installation: which tables, how many a message, and what differs in each.

A row is a copy of one that the service itself wrote, with these columns changed: so new columns
need no word here. `n.i` numbers the messages, oldest first; `n.k` the rows of one message; `n.at`
is its time and `n.account` its account. What they say is realistic enough for a planner: times
spread over `DAYS`, an account that has a tenth of everything, keys in the order of time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

DAYS = 90
EVENT = "wedding"


def _id(mark: str = "'000'") -> str:
    """uuid7: the time in milliseconds, a mark, and the number that makes it unique."""
    return (
        f"(lpad(to_hex((extract(epoch FROM n.at) * 1000)::bigint), 12, '0') || '7' || {mark}"
        " || '8000' || lpad(to_hex(n.i), 12, '0'))::uuid"
    )


ID, ROW_ID, WAITING_ID = _id(), _id("'00' || n.k"), _id("'fff'")
PHONE = "'97252' || lpad((n.i % greatest($2::int / 10, 1))::text, 7, '0')"


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of a table's row for the newest `share` of all messages, `each` for every one."""

    table: str
    share: float
    changed: Mapping[str, str] = field(default_factory=dict)
    each: int = 1
    every: int = 1  # of so many messages one
    pattern: str = "true"  # which row is copied
    where: str = "true"  # for which messages
    waiting: bool = False


# One in fifty has failed. The newest tenth is the first message of a number, and charged as such.
FAILED = "n.i % 50 = 0"
STATUS = f"CASE WHEN {FAILED} THEN 'failed' ELSE 'delivered' END"
KIND = "CASE WHEN n.i > $2 * 0.9 THEN 'UNIQUE' ELSE 'FOLLOWUP' END"
PLATFORM_ID = "'wamid.' || lpad(n.i::text, 9, '0') || md5(n.i::text)"
WEBHOOK_ID = f"'whk_' || replace({ROW_ID}::text, '-', '')"

# A webhook's JSON with its own id, account and status; the other fields stay those of the copy.
BODY = f"""convert_to(replace(replace(replace(convert_from(p.body, 'UTF8'), p.id, {WEBHOOK_ID}),
    replace(p.account_id::text, '-', ''), replace(n.account::text, '-', '')),
    '"status":"sent"', CASE WHEN n.k = 0 THEN '"status":"sent"' ELSE '"status":"delivered"' END),
    'UTF8')"""
ATTEMPTS = "jsonb_build_array(jsonb_build_object('cycle', p.cycle, 'attempt', 1, 'status', 200))"

FINISHED = (
    Copies("messages", 1, {
        "id": ID, "client_message_id": "'bulk-' || n.i", "recipient": PHONE, "status": STATUS,
        "created_at": "n.at", "sent_at": "n.at", "batch_id": "NULL", "charge": KIND,
        "delivered_at": f"CASE WHEN NOT {FAILED} THEN n.at END",
        "refunded_at": f"CASE WHEN {FAILED} THEN n.at END",
        "error": f"""CASE WHEN {FAILED} THEN '{{"code": "NOT_ON_WHATSAPP"}}'::jsonb END""",
        "timeline": f"p.timeline || jsonb_build_object('at', n.at, 'status', {STATUS})",
        "times_out_at": "n.at + interval '1 day'", "platform_id": PLATFORM_ID,
        "kind": "CASE WHEN n.i > $2 * 0.98 THEN 'invitation' ELSE 'notification' END",
        "event_id": f"CASE WHEN n.i > $2 * 0.98 THEN '{EVENT}' END",
        "expires_at": "CASE WHEN n.i > $2 * 0.98 THEN n.at + interval '30 days' END",
    }, pattern="status = 'sent'"),
    Copies("charges", 1, {
        "message_id": ID, "at": "n.at", "price_micro": "0", "kind": KIND,
        "entry": "CASE WHEN n.k = 0 THEN 'RESERVE' WHEN n.i % 50 > 0 THEN 'SETTLE'"
                 " ELSE 'REFUND' END",
    }, each=2),
    Copies("platform_ids", 1, {"message_id": ID, "platform_id": PLATFORM_ID}),
    Copies("webhooks", 0.2, {
        "id": WEBHOOK_ID, "created_at": "n.at",
        "message_id": ID, "state": "'delivered'", "failed_at": "NULL", "due_at": "NULL",
        "lease_until": "NULL", "event_id": "NULL", "url": "NULL", "attempts": ATTEMPTS,
        "body": BODY,
    }, each=2, pattern="type = 'message.status'"),
    Copies("idempotency_keys", 2 / DAYS, {
        "client_message_id": "'bulk-' || n.i", "message_id": ID, "used_at": "n.at",
    }),
    Copies("lost_messages", 1, {"message_id": ID, "status": "'failed'"}, every=50),
    Copies("contacts", 0.1, {
        "phone": PHONE, "delivered_at": "n.at",
        "opted_out_at": "CASE WHEN n.i % 100 = 0 THEN n.at END",
        "opt_source": "CASE WHEN n.i % 100 = 0 THEN 'reply' END",
    }),
    Copies("charged_numbers", 0.1, {"phone": PHONE, "message_id": ID}, where=f"NOT ({FAILED})"),
    Copies("conversations", 0.01, {"phone": PHONE, "last_inbound_at": "n.at"}),
    Copies("unique_recipients", 1 / DAYS, {
        "counter": "'number:972555000001'", "phone": PHONE, "counted_at": "n.at", "holders": "1",
    }),
    Copies("inbound", 0.05, {"platform_id": "'wamid.in' || n.i", "phone": PHONE, "at": "n.at"}),
    Copies("request_log", 0.05, {"id": ID}),
    Copies("audit_log", 0.01, {"id": ID, "at": "n.at"}, pattern="account_id IS NOT NULL"),
    Copies("links", 0.01, {
        "code": "'bulk' || lpad(n.i::text, 9, '0')", "created_at": "n.at", "clicks": "0",
        "first_click_at": "NULL", "last_click_at": "NULL",
    }),
    Copies("invitations", 0.02, {
        "message_id": ID, "phone": PHONE, "sent_at": "n.at", "unclear": "NULL",
        "answer": "CASE WHEN n.i % 3 > 0 THEN 'yes' END",
        "guests": "CASE WHEN n.i % 3 > 0 THEN n.i % 5 END",
        "answered_at": "CASE WHEN n.i % 3 > 0 THEN n.at END",
        "unresolved": "false", "late": "false", "lost": FAILED,
    }),
)  # fmt: skip

# Half of them are due; the others fall due within a month.
DUE = """$4::timestamptz
    + (CASE WHEN n.i % 2 = 0 THEN -1.0 ELSE 43200.0 END) * n.i / $2 * interval '1 min'"""
WAITING = (
    Copies("messages", 1, {
        "id": WAITING_ID, "client_message_id": "'waiting-bulk-' || n.i", "recipient": PHONE,
        "created_at": "n.at", "scheduled_for": DUE, "times_out_at": f"{DUE} + interval '30 days'",
    }, pattern="status = 'scheduled'", waiting=True),
    Copies("charges", 1, {"message_id": WAITING_ID, "at": "n.at"},
           pattern="NOT resolves AND kind = 'FOLLOWUP'", waiting=True),
    Copies("jobs", 1, {"subject": f"replace({WAITING_ID}::text, '-', '')", "due_at": DUE},
           pattern="kind = 'message.send'", waiting=True),
)  # fmt: skip
GROWING = frozenset(copies.table for copies in (*FINISHED, *WAITING))

# What follows from these rows: the events of the invitations, and the sums of the charges.
RESULTS = (
    """
    INSERT INTO events (account_id, event_id, event_date, callback_url, invalid_reply, nudge,
                        expired, created_at, updated_at)
    SELECT i.account_id, event_id, e.event_date, e.callback_url, e.invalid_reply, e.nudge,
           e.expired, e.created_at, e.updated_at
      FROM (SELECT DISTINCT account_id, event_id FROM invitations) i JOIN events e USING (event_id)
        ON CONFLICT (account_id, event_id) DO NOTHING
    """,
    """
    INSERT INTO callback_urls SELECT account_id, event_id, callback_url FROM events
        ON CONFLICT (account_id, event_id) DO NOTHING
    """,
    """
    INSERT INTO usage_days
           (account_id, day, subscription_id, term, kind, price_micro, charged, refunded)
    SELECT account_id, (at AT TIME ZONE 'UTC')::date, subscription_id, term, kind, price_micro,
           count(*) FILTER (WHERE entry = 'RESERVE'), count(*) FILTER (WHERE entry = 'REFUND')
      FROM charges WHERE subscription_id > 0 GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (account_id, day, subscription_id, term, kind, price_micro)
        DO UPDATE SET charged = excluded.charged, refunded = excluded.refunded
    """,
    """
    INSERT INTO subscription_terms (account_id, subscription_id, term, starts_at, unique_quota,
                                    followup_quota, unique_used, followup_used, may_exceed)
    SELECT u.account_id, u.subscription_id, u.term, s.starts_at, s.unique_quota, s.followup_quota,
           coalesce(sum(u.charged - u.refunded) FILTER (WHERE u.kind = 'UNIQUE'), 0),
           coalesce(sum(u.charged - u.refunded) FILTER (WHERE u.kind = 'FOLLOWUP'), 0), true
      FROM usage_days u JOIN subscriptions s
        ON s.account_id = u.account_id AND s.id = u.subscription_id
     GROUP BY u.account_id, u.subscription_id, u.term, s.starts_at, s.unique_quota,
              s.followup_quota
        ON CONFLICT (account_id, subscription_id, term) DO UPDATE
       SET unique_used = excluded.unique_used, followup_used = excluded.followup_used,
           may_exceed = true
    """,
)
