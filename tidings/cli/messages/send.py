"""`tidings send`: one message from the command line, by the API that customers use."""

import asyncio

import typer

from tidings.cli import client
from tidings.cli.output import print_fields, print_json
from tidings.cli.runner import reported_errors
from tidings.ids import new_id

FAILED = "failed"  # the message's status


def send_message(
    to: str,
    *,
    template: str | None,
    params: list[str],
    message: str | None,
    client_message_id: str | None,
    url: str,
    key: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Send, print the response, and exit 1 where the message failed."""
    fields: dict[str, object] = {
        "clientMessageId": client_message_id or f"cli-{new_id().hex}",
        "to": to,
        "templateName": template,
        "templateParams": params or None,
        "message": message,
    }
    body = {name: value for name, value in fields.items() if value is not None}
    with reported_errors():
        data = asyncio.run(_send(url, key, body, dry_run=dry_run))
    if as_json:
        print_json(data)
    else:
        print_fields(data)
    if data.get("status") == FAILED:
        raise typer.Exit(1)


async def _send(
    url: str, key: str | None, body: dict[str, object], *, dry_run: bool
) -> dict[str, object]:
    async with client.session(url, key) as session:
        if dry_run:
            session.headers["X-Dry-Run"] = "true"
        return await client.post(session, "/messages/text", body)
