"""Messages as CSV: all that pass the filters, the newest first."""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from tidings import ids, times
from tidings.engine.db.pages import read_pages
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.spreadsheets import BYTE_ORDER_MARK, csv_text, text_cell

from ..model import Message
from . import search
from .filters import Filter

PAGE_ROWS = 1000  # messages that one transaction reads
NAMES = [
    "clientMessageId", "to", "kind", "status", "createdAt", "sentAt", "deliveredAt", "readAt",
    "sentFrom", "eventId", "batchId", "reason", "retryAt", "errorCode", "error", "messageId",
]  # fmt: skip


async def csv_bytes(
    db: Database, account: Account, wanted: Filter, text: str, page_rows: int = PAGE_ROWS
) -> AsyncIterator[bytes]:
    """`text` is what was searched for."""

    async def load(tx: Tx, before: UUID | None) -> tuple[Sequence[Message], UUID | None]:
        page = await search.load_page(tx, account, wanted, text, before, page_rows)
        return page.messages, page.before

    yield BYTE_ORDER_MARK + csv_text([NAMES]).encode()
    async for messages in read_pages(db, load):
        yield csv_text(csv_row(message) for message in messages).encode()


def csv_row(message: Message) -> list[str]:
    error = message.error
    cells = [
        message.client_message_id, message.to, message.kind, message.status,
        times.to_wire(message.created_at), times.to_wire_or_none(message.sent_at),
        times.to_wire_or_none(message.delivered_at), times.to_wire_or_none(message.read_at),
        message.number, message.event_id,
        None if message.batch_id is None else ids.batch_ref(message.batch_id),
        message.reason, times.to_wire_or_none(message.retry_at),
        None if error is None else error.code, None if error is None else error.explanation,
        message.platform_id,
    ]  # fmt: skip
    return [text_cell(cell or "") for cell in cells]
