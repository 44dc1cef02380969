"""Every kind of event we tell customers about (6.2). Pure."""

KINDS = frozenset(
    {
        "message.status",
        "message.deferred",
        "message.received",
        "guest.confirmed",
        "guest.declined",
        "guest.replied_invalid",
        "guest.unresolved",
        "guest.replied_late",
        "guest.message",
        "guest.opted_out",
        "guest.opted_in",
        "batch.progress",
        "batch.completed",
        "sender.health",
        "feedback.submitted",
    }
)
