"""The guests of an event as CSV: a row for each guest, the newest invitation first."""

from collections.abc import AsyncIterator
from functools import partial
from uuid import UUID

from tidings import times
from tidings.engine.db.pool import Database
from tidings.features.accounts.model import Account
from tidings.spreadsheets import BYTE_ORDER_MARK, csv_text, text_cell

from . import guests
from .model import Guest, GuestState

HEAD = (
    "to",
    "clientMessageId",
    "state",
    "answer",
    "guests",
    "matchConfidence",
    "text",
    "answeredAt",
    "expiresAt",
)
PAGE = 500  # guests that one transaction reads


async def csv_bytes(
    db: Database, account: Account, event_id: str, state: GuestState | None
) -> AsyncIterator[bytes]:
    """All of this state, or all, as a file."""
    yield BYTE_ORDER_MARK + csv_text([HEAD]).encode()
    before: UUID | None = None
    while True:
        page = await db.transact(
            partial(
                guests.load_page,
                account=account,
                event_id=event_id,
                state=state,
                before=before,
                size=PAGE,
            )
        )
        if page.guests:
            yield csv_text(_row(guest) for guest in page.guests).encode()
        before = page.following
        if before is None:
            return


def _row(guest: Guest) -> list[str | int | float]:
    return [
        guest.to,
        text_cell(guest.client_message_id),
        guest.state.value,
        guest.answer or "",
        "" if guest.guests is None else guest.guests,
        "" if guest.confidence is None else round(guest.confidence, 2),
        text_cell(guest.text or ""),
        times.to_wire_or_none(guest.answered_at) or "",
        times.to_wire(guest.expires_at),
    ]
