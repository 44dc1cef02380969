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
    waiting: bool = False


FINISHED = (
    Copies("messages", 1, {
        "id": ID, "client_message_id": "'bulk-' || n.i", "recipient": PHONE,
        "status": "CASE WHEN n.i % 50 = 0 THEN 'failed' ELSE 'delivered' END",
        "created_at": "n.at", "sent_at": "n.at", "delivered_at": "n.at", "batch_id": "NULL",
        "times_out_at": "n.at + interval '1 day'", "platform_id": "'wamid.bulk' || n.i",
        "kind": "CASE WHEN n.i > $2 * 0.98 THEN 'invitation' ELSE 'notification' END",
        "event_id": f"CASE WHEN n.i > $2 * 0.98 THEN '{EVENT}' END",
    }, pattern="status = 'sent'"),
    Copies("charges", 1, {
        "message_id": ID, "at": "n.at", "price_micro": "0",
        "entry": "CASE WHEN n.k = 0 THEN 'RESERVE' WHEN n.i % 50 > 0 THEN 'SETTLE'"
                 " ELSE 'REFUND' END",
    }, each=2),
    Copies("platform_ids", 1, {
        "message_id": ID, "platform_id": "'wamid.' || lpad(n.i::text, 9, '0') || md5(n.i::text)",
    }),
    Copies("webhooks", 0.2, {
        "id": f"'whk_' || replace({ROW_ID}::text, '-', '')", "created_at": "n.at",
        "message_id": ID, "state": "'delivered'", "failed_at": "NULL", "due_at": "NULL",
        "lease_until": "NULL", "event_id": "NULL", "url": "NULL",
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
    Copies("charged_numbers", 0.1, {"phone": PHONE, "message_id": ID}),
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
        "unresolved": "false", "late": "false", "lost": "false",
    }),
)  # fmt: skip

# Half of them are due; the others fall due within a month.
DUE = "now() + (CASE WHEN n.i % 2 = 0 THEN -1.0 ELSE 43200.0 END) * n.i / $2 * interval '1 min'"
WAITING = (
    Copies("messages", 1, {
        "id": WAITING_ID, "client_message_id": "'waiting-bulk-' || n.i", "recipient": PHONE,
        "created_at": "n.at", "scheduled_for": DUE, "times_out_at": f"{DUE} + interval '30 days'",
    }, pattern="status = 'scheduled'", waiting=True),
    Copies("charges", 1, {"message_id": WAITING_ID, "at": "n.at"}, pattern="NOT resolves",
           waiting=True),
    Copies("jobs", 1, {"subject": f"replace({WAITING_ID}::text, '-', '')", "due_at": DUE},
           pattern="kind = 'message.send'", waiting=True),
)  # fmt: skip
GROWING = frozenset(copies.table for copies in (*FINISHED, *WAITING))
