"""`tidings send`: one message from the command line, by the API that customers use."""

import asyncio
import json

from rich.console import Console

from tidings.ids import new_id

from . import client
from .running import mendable


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
    body: dict[str, object] = {
        "clientMessageId": client_message_id or f"cli-{new_id().hex}",
        "to": to,
        "templateName": template,
        "templateParams": params or None,
        "message": message,
    }
    given = {name: value for name, value in body.items() if value is not None}
    with mendable():
        data = asyncio.run(_send(url, key, given, dry_run))
    if as_json:
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _show(data)


async def _send(
    url: str, key: str | None, body: dict[str, object], dry_run: bool
) -> dict[str, object]:
    async with client.session(url, key) as session:
        if dry_run:
            session.headers["X-Dry-Run"] = "true"
        return await client.post(session, "/messages/text", body)


def _show(data: dict[str, object]) -> None:
    console = Console()
    for name, value in data.items():
        console.print(f"[bold]{name}[/] {value}", highlight=False)
