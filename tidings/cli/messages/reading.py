"""`tidings messages` and `tidings batches`: what became of them, by the API that customers use."""

import asyncio

from tidings.cli import client
from tidings.cli.listing import Listing
from tidings.cli.output import print_fields, print_json
from tidings.cli.runner import reported_errors

MESSAGES = Listing(
    "messages",
    "/messages",
    {
        "created": "createdAt",
        "id": "clientMessageId",
        "to": "to",
        "kind": "kind",
        "status": "status",
        "reason": "reason",
        "error": "error.code",
    },
    none="No messages.",
    exported=(
        "clientMessageId", "messageId", "to", "kind", "status", "reason", "retryAt", "scheduledFor",
        "sentFrom", "batchId", "eventId", "createdAt", "invitation.state", "error.code",
        "error.explanation", "error.action",
    ),
)  # fmt: skip
BATCHES = Listing(
    "batches",
    "/batches",
    {
        "created": "createdAt",
        "id": "batchId",
        "name": "batchName",
        "state": "state",
        "percent>": "percent",
        "total>": "total",
        "accepted>": "accepted",
        "rejected>": "rejected",
        "duplicates>": "duplicates",
    },
    none="No batches.",
    exported=(
        "batchId", "batchName", "createdAt", "state", "percent", "total", "accepted", "rejected",
        "duplicates", "counts.scheduled", "counts.queued", "counts.deferred", "counts.sending",
        "counts.sent", "counts.delivered", "counts.read", "counts.failed", "counts.expired",
        "counts.cancelled", "estimatedCompletionAt", "completedAt",
    ),
)  # fmt: skip


def show_one(path: str, *, key: str | None, url: str, as_json: bool) -> None:
    """Print all that the API says about one thing."""
    with reported_errors():
        data = asyncio.run(_load(path, key, url))
    if as_json:
        print_json(data)
    else:
        print_fields(data)


async def _load(path: str, key: str | None, url: str) -> dict[str, object]:
    async with client.session(url, key) as session:
        return await client.read_data(session.get(path.lstrip("/")))
