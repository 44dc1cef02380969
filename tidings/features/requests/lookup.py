"""The log of API calls by pages, and its end after some days."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.log_pages import FIRST_PAGE, LogCursor, LogPage, page_of
from tidings.engine.db.pages import repeat
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.ids import first_id

from . import store
from .model import LoggedCall

PAGE_ROWS = 50
ANY_STATUS = (0, 999)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    status: str = ""  # a whole one, or a class such as `4xx`
    path: str = ""  # part of it
    key: str = ""  # how the key begins, as the list of keys shows it


async def load_page(
    tx: Tx,
    account_id: UUID,
    chosen: Filter,
    cursor: LogCursor = FIRST_PAGE,
) -> LogPage[LoggedCall]:
    found = await store.load_page(
        tx,
        account_id,
        statuses=statuses_of(chosen),
        path=chosen.path,
        key=chosen.key,
        cursor=cursor,
        limit=PAGE_ROWS + 1,
    )
    searched = None
    if len(found) <= PAGE_ROWS:
        searched = await store.find_last_searched(tx, account_id, cursor)
    return page_of(found, cursor, PAGE_ROWS, searched)


async def find_call(tx: Tx, account_id: UUID, request_id: UUID) -> LoggedCall | None:
    return await store.find(tx, account_id, request_id)


async def purge(ctx: Context) -> int:
    """Delete calls beyond their days, a few thousand in a transaction; how many."""
    deleted = 0
    kept = timedelta(days=ctx.settings.request_log_days)
    for account in await ctx.db.transact(load_all_accounts):
        deleted += await repeat(ctx.db, partial(_purge, account.id, kept), limits.PURGE_PAGE_ROWS)
    return deleted


async def _purge(account_id: UUID, kept: timedelta, tx: Tx) -> int:
    oldest = first_id(tx.now - kept)
    return await store.delete_before(tx, account_id, oldest, limits.PURGE_PAGE_ROWS)


def statuses_of(chosen: Filter) -> tuple[int, int]:
    """The lowest and the highest; any, where the filter's text is no status."""
    text = chosen.status
    if text.isascii() and text.isdigit() and len(text) == 3:
        return int(text), int(text)
    if text[:1] in "12345" and text[1:] == "xx":
        return int(text[0]) * 100, int(text[0]) * 100 + 99
    return ANY_STATUS
