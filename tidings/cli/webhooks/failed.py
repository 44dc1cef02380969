"""`tidings webhooks failed`: the list of GET /webhooks/failed."""

from tidings.cli.listing import Listing

FAILED = Listing(
    "failed",
    "/webhooks/failed",
    {"failed": "failedAt", "id": "webhookId", "type": "type", "url": "url"},
    none="No event has failed.",
    exported=("webhookId", "type", "url", "createdAt", "failedAt", "attempts"),
)
