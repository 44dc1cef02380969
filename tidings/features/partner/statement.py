"""The statement of a partner: its ledger over a time, as CSV and as a PDF."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from importlib.resources import files
from typing import Any

import msgspec

from tidings.context import Context
from tidings.engine import documents
from tidings.engine.db.pages import read_pages
from tidings.engine.db.tx import Tx
from tidings.engine.documents import amount, day, directed, with_currency
from tidings.features.accounts.model import Account
from tidings.money import Money
from tidings.spreadsheets import csv_text, text_cell

from . import responses, store
from .model import LedgerEntry, LedgerEntryKind, Span

PAGE_ROWS = 1000  # entries that one transaction reads
PRINTED_MAX = 3000  # entries of a PDF; CSV has them all

NAMES = [field.encode_name for field in msgspec.structs.fields(responses.LedgerEntry)]
WORDS = {
    LedgerEntryKind.TOPUP: "Top-up",
    LedgerEntryKind.TRANSFER_REPORTED: "Transfer reported",
    LedgerEntryKind.TRANSFER_CONFIRMED: "Transfer received",
    LedgerEntryKind.TRANSFER_REJECTED: "Transfer rejected",
    LedgerEntryKind.ADJUSTMENT: "Adjustment",
}


async def csv_bytes(ctx: Context, account: Account, span: Span) -> AsyncIterator[bytes]:
    """The newest first, as in GET /partner/ledger."""

    async def load(tx: Tx, before: int | None) -> tuple[list[LedgerEntry], int | None]:
        entries = await store.load_page(tx, account.id, before, PAGE_ROWS, span)
        return entries, entries[-1].seq if len(entries) == PAGE_ROWS else None

    yield csv_text([NAMES]).encode()
    async for entries in read_pages(ctx.db, load):
        yield csv_text(_csv_row(entry) for entry in entries).encode()


def _csv_row(entry: LedgerEntry) -> list[str]:
    values = msgspec.structs.astuple(responses.entry(entry))
    return ["" if value is None else _cell(value) for value in values]


def _cell(value: object) -> str:
    """A number below zero is no formula."""
    text = str(value)
    return text if text.lstrip("-").replace(".", "", 1).isdigit() else text_cell(text)


async def make_pdf(ctx: Context, account: Account, span: Span) -> bytes:
    """Loaded in one transaction, typeset with none open."""
    found, closing = await ctx.db.transact(lambda tx: load_printed(tx, account, span))
    now = account.now(ctx.clock.now())
    data = _data(account, ctx.settings.issuer, found, closing, span, now)
    return await ctx.documents.make(
        account.id, partial(documents.typeset, _template(), data, at=now)
    )


async def load_printed(tx: Tx, account: Account, span: Span) -> tuple[list[LedgerEntry], Money]:
    """The newest entries first, and what was owed at the end, also where there is no entry."""
    assert account.partner is not None, f"{account.name} is no partner"
    found = await store.load_page(tx, account.id, None, PRINTED_MAX + 1, span)
    last = found[:1] or await store.load_page(tx, account.id, None, 1, (None, span[1]))
    return found, last[0].balance_after if last else Money(0, account.partner.currency)


@cache
def _template() -> bytes:
    return files(__package__).joinpath("statement.typ").read_bytes()


def _data(
    account: Account,
    issuer: str,
    found: Sequence[LedgerEntry],
    closing: Money,
    span: Span,
    now: datetime,
) -> dict[str, Any]:
    """The oldest first, between the balance before and the one after, as banks do it."""
    entries = list(reversed(found[:PRINTED_MAX]))
    opening = entries[0].balance_after - entries[0].effect if entries else closing
    since, until = span
    last = now if until is None else min(until - timedelta(seconds=1), now)
    return {
        "title": f"Statement of {account.name}",
        "issuer": documents.issuer_parts(issuer),
        "customer": directed(account.name),
        "facts": [
            {"label": "From", "value": "The beginning" if since is None else day(since)},
            {"label": "To", "value": day(last)},
            {"label": "Owed", "value": with_currency(closing)},
        ],
        "opening": amount(opening),
        "closing": amount(closing),
        "entries": [_printed(entry) for entry in entries],
        "note": _note(len(found) > PRINTED_MAX, closing),
        "footer": f"Statement of {day(now)}, all amounts in {closing.currency}",
    }


def _printed(entry: LedgerEntry) -> dict[str, Any]:
    shown = amount(entry.effect) if entry.effect.minor else f"({amount(entry.amount)})"
    return {
        "at": day(entry.at),
        "kind": WORDS[entry.kind],
        "detail": directed(", ".join(part for part in (entry.reference, entry.note) if part)),
        "messages": "" if entry.messages is None else f"{entry.messages:,}",
        "amount": shown if entry.amount.minor else amount(entry.amount),
        "balance": amount(entry.balance_after),
    }


def _note(is_cut: bool, closing: Money) -> str:
    memo = "Amounts in brackets were reported or rejected and change nothing."
    credit = " A balance below zero is credit." if closing.minor < 0 else ""
    cut = f" Only the newest {PRINTED_MAX:,} entries are printed." if is_cut else ""
    return memo + credit + cut
