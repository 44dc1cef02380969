"""The account that a command names, and the ways a command answers: a table, or JSON."""

from collections.abc import Iterable, Sequence

import msgspec
from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table

from tidings.engine.db.tx import Tx
from tidings.features.accounts.directory import find_account
from tidings.features.accounts.model import Account

from .refusal import Refused


async def load_account(tx: Tx, name: str) -> Account:
    account = await find_account(tx, name)
    if account is None:
        raise Refused(f'There is no account "{name}"; tidings accounts list shows them.')
    return account


def print_json(answer: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(answer), indent=2).decode())


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, none: str) -> None:
    """Headings that end in `>` are of columns set to the right. `none` is said of no rows."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in headings:
        side: JustifyMethod = "right" if heading.endswith(">") else "left"
        table.add_column(heading.rstrip(">"), justify=side, overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    Console().print(table if table.row_count else none)
