"""Platform callbacks, put into the ingest lane."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import msgspec

from tests.support.service import GUEST, NUMBER, TestAccount
from tidings.platforms.failures import explain
from tidings.platforms.port import Callback, InboundMessage, StatusKind, StatusUpdate
from tidings.platforms.sandbox.guest_messages import platform_id


def now(account: TestAccount) -> datetime:
    """The account's own time."""
    return datetime.fromisoformat(account.get("/sandbox/v1/clock").json()["data"]["now"])


def said(
    account: TestAccount,
    text: str | None = None,
    *,
    id_: str,
    type_: str = "text",
    ago: timedelta = timedelta(0),
    **fields: Any,
) -> InboundMessage:
    """A guest's message, written `ago`."""
    raw = {"id": id_, "type": type_, "from": GUEST, type_: {"body": text}}
    found = {"from_": GUEST, "at": now(account) - ago, "raw": msgspec.json.encode(raw)}
    return InboundMessage(
        platform_id=platform_id(id_), sender=NUMBER, type=type_, text=text, **found | fields
    )


def status(
    account: TestAccount, message_id: str, kind: StatusKind, *, code: int = 131026
) -> StatusUpdate:
    failure = explain(code) if kind is StatusKind.FAILED else None
    return StatusUpdate(message_id, None, kind, now(account), GUEST, failure)


def ingest(account: TestAccount, *callbacks: Callback) -> None:
    """All at once, as the lane takes those of one call."""
    lane = account.service.ctx.lanes.ingest

    async def put_all() -> None:
        await asyncio.gather(*(lane.put((account.id, one)) for one in callbacks))

    account.service.call(put_all)
