"""The words for states of messages, guests, invoices and the rest, for translation."""


def _(text: str) -> str:
    return text


WORDS = {
    # messages
    "scheduled": _("scheduled"), "queued": _("queued"), "deferred": _("deferred"),
    "sending": _("sending"), "sent": _("sent"), "delivered": _("delivered"), "read": _("read"),
    "failed": _("failed"), "expired": _("expired"), "cancelled": _("cancelled"),
    # batches, webhooks
    "running": _("running"), "completed": _("completed"), "waiting": _("waiting"),
    "pending": _("pending"), "received": _("received"),
    # guests
    "invited": _("invited"), "confirmed": _("confirmed"), "declined": _("declined"),
    "unclear": _("unclear"), "unresolved": _("unresolved"), "opted_out": _("opted out"),
    "late": _("late"), "yes": _("yes"), "no": _("no"),
    # forms
    "draft": _("draft"), "submitted": _("submitted"), "approved": _("approved"),
    "published": _("published"), "superseded": _("superseded"), "retired": _("retired"),
    # invoices, transfers, subscriptions
    "OPEN": _("open"), "OVERDUE": _("overdue"), "PAID": _("paid"), "VOID": _("void"),
    "REPORTED": _("reported"), "CONFIRMED": _("confirmed"), "REJECTED": _("rejected"),
    "ACTIVE": _("active"), "EXPIRED": _("expired"), "CANCELLED": _("cancelled"),
    # charges
    "RESERVED": _("reserved"), "SETTLED": _("settled"), "REFUNDED": _("refunded"),
    # numbers, templates, accounts
    "CONNECTED": _("connected"), "DISCONNECTED": _("disconnected"), "FLAGGED": _("flagged"),
    "RESTRICTED": _("restricted"), "BANNED": _("banned"), "UNKNOWN": _("unknown"),
    "BLOCKED": _("blocked"), "MISSING": _("missing"), "LINKED": _("linked"),
    "GREEN": _("high"), "YELLOW": _("medium"), "RED": _("low"), "APPROVED": _("approved"),
    "PENDING": _("pending"), "PAUSED": _("paused"), "DISABLED": _("disabled"),
    "active": _("active"), "disabled": _("disabled"), "paused": _("paused"),
    "sandbox": _("sandbox"), "live": _("live"),
    # roles
    "owner": _("owner"), "developer": _("developer"), "sender": _("sender"),
    "billing": _("billing"), "viewer": _("viewer"), "operator": _("operator"),
}  # fmt: skip
