"""`tidings billing export`: an account's charges and refunds, for its accountant."""

from collections.abc import Sequence
from datetime import date

import msgspec

from tidings import times
from tidings.cli.database import load_account, opened
from tidings.cli.output import Refused, write_data
from tidings.cli.runner import load_settings, run
from tidings.features.messages.read import statement
from tidings.features.messages.read.statement import Period, StatementLine
from tidings.settings import Settings
from tidings.spreadsheets import csv_text


def export_charges(account: str, first: str | None, last: str | None, *, as_json: bool) -> None:
    """Every charge and refund on stdout: CSV, or one JSON object per line."""
    period = Period(_day(first, "--from"), _day(last, "--to"))
    run(_export(load_settings(), account, period, as_json=as_json))


def _day(text: str | None, option: str) -> date | None:
    try:
        return None if text is None else times.parse_date(text)
    except ValueError as reason:
        raise Refused(f"{option} {reason}.") from None


async def _export(settings: Settings, name: str, period: Period, *, as_json: bool) -> None:
    async with opened(settings) as db:
        account = await db.transact(lambda tx: load_account(tx, name))
        if not as_json:
            write_data(csv_text([statement.NAMES]))
        async for page in statement.pages(db, account, period):
            write_data(_json_lines(page) if as_json else _csv(page))


def _csv(page: Sequence[StatementLine]) -> str:
    return csv_text(statement.csv_row(line) for line in page)


def _json_lines(page: Sequence[StatementLine]) -> str:
    encoded = (msgspec.json.encode(statement.shown(line)).decode() for line in page)
    return "".join(f"{one}\n" for one in encoded)
