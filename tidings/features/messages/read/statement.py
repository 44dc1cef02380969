"""The statement of an account: every charge and its state, message by message."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from uuid import UUID

import msgspec

from tidings import ids, times
from tidings.context import Context
from tidings.engine.db.pages import read_pages
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.billing.model import ChargeEntry, ChargeRecord
from tidings.features.billing.subscriptions.lookup import load_charges
from tidings.money import Rate, rate_to_wire
from tidings.spreadsheets import csv_text, text_cell

from . import lookup_store
from .responses import ChargeShape

PAGE_ROWS = 1000  # lines that one transaction reads
NAMES = [field.encode_name for field in msgspec.structs.fields(ChargeShape)]
STATES: dict[ChargeEntry, Literal["RESERVED", "SETTLED", "REFUNDED"]] = {
    ChargeEntry.RESERVE: "RESERVED",
    ChargeEntry.SETTLE: "SETTLED",
    ChargeEntry.REFUND: "REFUNDED",
}


class StatementLine(msgspec.Struct, frozen=True):
    charge: ChargeRecord
    client_message_id: str | None
    to: str | None


class Period(msgspec.Struct, frozen=True):
    """From a day to a day, both included; UTC, by the account's clock."""

    first: date | None = None
    last: date | None = None

    @property
    def since(self) -> datetime | None:
        return None if self.first is None else datetime.combine(self.first, time(), UTC)

    @property
    def until(self) -> datetime | None:
        if self.last is None:
            return None
        return datetime.combine(self.last, time(), UTC) + timedelta(days=1)

    def first_id(self, account: Account) -> UUID | None:
        """Ids contain real time; the account's clock is ahead of it by at most its offset."""
        return None if self.since is None else ids.first_id(self.since - account.clock)

    @property
    def last_id(self) -> UUID | None:
        return None if self.until is None else ids.first_id(self.until)


async def load_lines(
    tx: Tx, account: Account, period: Period, before: UUID | None, size: int
) -> list[StatementLine]:
    """Newest first; `before` is the message of the last line of the previous page."""
    charges = await load_charges(
        tx,
        account.id,
        since=period.since,
        until=period.until,
        within=(period.first_id(account), min_id(before, period.last_id)),
        size=size,
    )
    found = [charge.message_id for charge in charges]
    named = await lookup_store.find_named(tx, account.id, found) if found else {}
    return [StatementLine(one, *named.get(one.message_id, (None, None))) for one in charges]


def min_id(one: UUID | None, other: UUID | None) -> UUID | None:
    return min((found for found in (one, other) if found is not None), default=None)


def shown(line: StatementLine) -> ChargeShape:
    charge = line.charge
    resolved = charge.resolved_at
    return ChargeShape(
        client_message_id=line.client_message_id,
        to=line.to,
        kind=charge.kind.value,
        package=charge.package,
        price=rate_to_wire(Rate(charge.price_micro, charge.currency or "XXX")),
        currency=charge.currency,
        state=STATES[charge.entry],
        charged_at=times.to_wire(charge.charged_at),
        resolved_at=None if resolved is None else times.to_wire(resolved),
    )


def pages(db: Database, account: Account, period: Period) -> AsyncIterator[Sequence[StatementLine]]:
    async def load(tx: Tx, before: UUID | None) -> tuple[list[StatementLine], UUID | None]:
        lines = await load_lines(tx, account, period, before, PAGE_ROWS)
        return lines, lines[-1].charge.message_id if len(lines) == PAGE_ROWS else None

    return read_pages(db, load)


async def csv_bytes(ctx: Context, account: Account, period: Period) -> AsyncIterator[bytes]:
    """The whole statement as CSV (RFC 4180), with a first line of names."""
    yield csv_text([NAMES]).encode()
    async for lines in pages(ctx.db, account, period):
        yield csv_text(csv_row(line) for line in lines).encode()


def csv_row(line: StatementLine) -> list[str]:
    values = msgspec.structs.astuple(shown(line))
    return ["" if value is None else text_cell(str(value)) for value in values]
