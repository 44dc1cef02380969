"""A batch from a CSV file, in steps: upload, choose columns, check, send.

Between the steps the cells are kept here, compressed, for a day. The draft's id becomes the
batch's: however often a form is sent, it makes one batch.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import ids, limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.messages.accept import dry_run
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.features.templates.passcodes import CATEGORY

from . import draft_store, responses, sheet_rows
from .csv_file import Sheet, read_sheet
from .draft_store import StoredDraft
from .parse import ParsedBatch
from .responses import BulkResult
from .sheet_rows import CheckedRows, Columns, Mistake, Slip
from .submit import preview

_FREE_HEADERS = (None, "TEXT")  # others need a file
_COMPRESSION = 1  # fast


@dataclass(frozen=True, slots=True)
class Draft:
    id: UUID
    name: str
    template: Template
    sheet: Sheet
    columns: Columns | None  # None until they were chosen


@dataclass(frozen=True, slots=True)
class Check:
    """What "Send" would do. `result` is that of a dry run of the rows without mistakes."""

    rows: CheckedRows  # those that would be accepted, and every mistake
    result: BulkResult
    finishes_at: datetime | None


async def load_sendable(tx: Tx, account_id: UUID) -> list[Template]:
    """Templates whose every variable is a text."""
    by_name = (await load_templates(tx, [account_id]))[account_id]
    versions = [version for named in by_name.values() for version in named]
    fitting = [
        one
        for one in versions
        if one.usable and one.category != CATEGORY and one.header in _FREE_HEADERS
    ]
    return sorted(fitting, key=lambda one: (one.name, one.language))


async def upload(
    ctx: Context,
    account: Account,
    template: Template,
    name: str,
    read: Callable[[], Awaitable[bytes]],
) -> UUID:
    """Keep a file's cells; FileRefused where it cannot be read. A file that waits for its turn is
    not in memory."""
    async with ctx.uploads.acquire(account.id):
        sheet = await ctx.time_slicer.run(read_sheet(await read()))
        packed = msgspec.msgpack.encode(sheet)
        content = await asyncio.to_thread(zlib.compress, packed, _COMPRESSION)
    draft = StoredDraft(
        ids.new_id(),
        name[: limits.BATCH_NAME_CHARS_MAX],
        template.name,
        template.language,
        None,
        content,
    )

    async def keep(tx: Tx) -> None:
        await draft_store.insert(tx, account.id, draft)
        await draft_store.keep_newest(tx, account.id, limits.UPLOADS_KEPT_MAX)

    await ctx.db.transact(keep)
    return draft.id


async def load(tx: Tx, account_id: UUID, draft_id: UUID) -> Draft:
    """NOT_FOUND where it was sent, is too old or another account's."""
    stored = await draft_store.find(tx, account_id, draft_id)
    if stored is None:
        raise ApiError(Code.NOT_FOUND)
    wanted = (stored.template_name, stored.template_lang)
    for template in await load_sendable(tx, account_id):
        if (template.name, template.language) == wanted:
            return _read(stored, template)
    raise ApiError(Code.NOT_FOUND)  # its template cannot be sent any more


def _read(stored: StoredDraft, template: Template) -> Draft:
    sheet = msgspec.msgpack.decode(zlib.decompress(stored.content), type=Sheet)
    columns = None if stored.columns is None else msgspec.json.decode(stored.columns, type=Columns)
    return Draft(stored.id, stored.name, template, sheet, columns)


async def choose_columns(tx: Tx, account_id: UUID, draft_id: UUID, columns: Columns) -> None:
    text = msgspec.json.encode(columns).decode()
    await draft_store.set_columns(tx, account_id, draft_id, text)


async def check(ctx: Context, account: Account, draft: Draft, columns: Columns) -> Check:
    """Every mistake, those that only a dry run finds too; nothing is stored, charged or sent."""
    async with ctx.batch_reads.acquire(account.id):
        rows = await ctx.time_slicer.run(
            sheet_rows.check(account.id, draft.id, draft.sheet, columns, draft.template)
        )
        parsed = ParsedBatch(draft.id, dict(rows.requests))
        outcome = await preview(ctx, account, parsed, name=draft.name, event_id=None)
        result = responses.preview(outcome, await dry_run.cost(ctx, outcome.accepted))
    _leave_out(rows, draft.sheet, columns, result)
    return Check(rows, result, outcome.batch.estimated_at)


def _leave_out(rows: CheckedRows, sheet: Sheet, columns: Columns, result: BulkResult) -> None:
    """Rows that the dry run refused, or whose id was used before, become mistakes."""
    for refused in result.rejected:
        request = rows.requests.pop(refused.index)
        words = refused.message.removeprefix(f"messages[{refused.index}].")
        column = sheet_rows.label(sheet.heading, columns.number)
        rows.mistakes.append(Mistake(refused.index, column, request.to, Slip.REFUSED, words))
    used = {item.client_message_id for item in result.duplicates}
    for row in [row for row, one in rows.requests.items() if one.client_message_id in used]:
        request = rows.requests.pop(row)
        column = "" if columns.id is None else sheet_rows.label(sheet.heading, columns.id)
        rows.mistakes.append(Mistake(row, column, request.client_message_id, Slip.ID_USED))
    rows.mistakes.sort(key=lambda mistake: mistake.row)


async def purge(tx: Tx) -> int:
    return await draft_store.delete_before(tx, tx.now - limits.UPLOAD_KEPT)
