"""The guests of an event as CSV: a row for each guest, the newest invitation first."""

from collections.abc import AsyncIterator
from uuid import UUID

from tidings import times
from tidings.engine.db.pages import read_pages
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.spreadsheets import BYTE_ORDER_MARK, csv_text, text_cell

from . import guests
from .model import Guest, GuestState

HEAD = (
    "to", "clientMessageId", "state", "answer", "guests", "matchConfidence", "text", "answeredAt",
    "expiresAt",
)  # fmt: skip
PAGE_ROWS = 500  # guests that one transaction reads


async def csv_bytes(
    db: Database, account: Account, event_id: str, state: GuestState | None
) -> AsyncIterator[bytes]:
    """The guests of this state, or all."""

    async def load(tx: Tx, before: UUID | None) -> tuple[list[Guest], UUID | None]:
        page = await guests.load_page(
            tx, account, event_id, state=state, before=before, size=PAGE_ROWS
        )
        return page.guests, page.following

    yield BYTE_ORDER_MARK + csv_text([HEAD]).encode()
    async for found in read_pages(db, load):
        yield csv_text(_row(guest) for guest in found).encode()


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
