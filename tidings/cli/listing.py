"""Lists of the API on the command line: a table, `--json` or `--csv`, and as many pages as asked.

A noun's group is a `typer.Typer(cls=ListByDefault)` (`options.py`), so that `tidings messages
--status failed` is `tidings messages list --status failed`. Its command takes the options Limit,
Everything, AsJson, AsCsv, Key and Url, and hands them on:

    LISTING = Listing("messages", "/messages", {"id": "clientMessageId", "to": "to"}, none="None.")

    print_list(LISTING, {"status": status}, Asked(limit, everything, as_json, as_csv, key, url))
"""

import asyncio
import csv
import io
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import msgspec

from tidings import limits
from tidings.spreadsheets import text_cell

from . import client
from .output import Refused, json_text, print_table, remark, waiting, write_data
from .runner import reported_errors

BUSY = 429
RETRY_SECONDS = 1

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of the API and how it is shown."""

    noun: str  # the name of the list in JSON
    path: str  # such as /messages
    columns: Mapping[
        str, str
    ]  # of the table: heading (`>` aligns right) to field, dotted if nested
    none: str  # said where there is nothing
    exported: Sequence[str] = ()  # fields of CSV; else those of the table

    @property
    def fields(self) -> Sequence[str]:
        return self.exported or tuple(self.columns.values())


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options of a list command say."""

    limit: int
    everything: bool
    as_json: bool
    as_csv: bool
    key: str | None
    url: str

    @property
    def most(self) -> int:
        return sys.maxsize if self.everything else self.limit


def print_list(listing: Listing, filters: Mapping[str, object | None], asked: Asked) -> None:
    """Print what the filters let through; a filter that is None is not used."""
    if asked.as_json and asked.as_csv:
        raise Refused("Choose --json or --csv.")
    with reported_errors():
        asyncio.run(_print(listing, filters, asked))


async def _print(listing: Listing, filters: Mapping[str, object | None], asked: Asked) -> None:
    query = {name: str(value) for name, value in filters.items() if value is not None}
    async with client.session(asked.url, asked.key) as session:
        found = Pages(session, listing.path, query, asked.most)
        if asked.as_json:
            await _print_json(listing, found)
        elif asked.as_csv:
            await _print_csv(listing, found)
        else:
            await _print_table(listing, found)
    if found.has_more and not asked.as_json:
        remark("There are more: --limit N or --all.")


class Pages:
    """The pages of a list, one after the other, until there are enough items."""

    def __init__(
        self, session: aiohttp.ClientSession, path: str, query: Mapping[str, str], most: int
    ) -> None:
        self.session, self.path, self.query, self.left = session, path, query, most
        self.has_more = False  # after the last page that was read

    async def __aiter__(self) -> AsyncIterator[list[Item]]:
        cursor: str | None = None
        while self.left > 0:
            size = min(self.left, limits.LIST_LIMIT.high)
            start = {} if cursor is None else {"cursor": cursor}
            items, cursor = await self._read({**self.query, "limit": str(size), **start})
            self.has_more = cursor is not None
            self.left -= len(items)
            yield items
            if cursor is None:
                return

    async def _read(self, query: Mapping[str, str]) -> tuple[list[Item], str | None]:
        while True:
            async with self.session.get(self.path.lstrip("/"), params=query) as response:
                envelope = await client.read_envelope(response)
            if response.status != BUSY:
                break
            wait = response.headers.get("Retry-After", "")
            await asyncio.sleep(int(wait) if wait.isdecimal() else RETRY_SECONDS)
        if not envelope.get("success"):
            raise client.refusal(response.status, envelope.get("error", {}))
        return envelope["data"], envelope.get("nextCursor")


async def _print_table(listing: Listing, found: Pages) -> None:
    fields = tuple(listing.columns.values())
    rows: list[list[str]] = []
    with waiting("Reading", hidden=found.left <= limits.LIST_LIMIT.high) as show:
        async for page in found:
            rows += [[cell_text(value_of(one, name)) for name in fields] for one in page]
            show(f"Reading: {len(rows):,} {listing.noun} so far")
    print_table(list(listing.columns), rows, none=listing.none)


async def _print_json(listing: Listing, found: Pages) -> None:
    """One object, written as the pages come: a million items are never held at once."""
    write_data(f'{{"{listing.noun}": [')
    comma = ""
    async for page in found:
        for item in page:
            write_data(f"{comma}\n{json_text(item)}")
            comma = ","
    write_data("\n]}\n")


async def _print_csv(listing: Listing, found: Pages) -> None:
    write_data(_csv_text([listing.fields]))
    async for page in found:
        rows = [[csv_cell(value_of(item, name)) for name in listing.fields] for item in page]
        write_data(_csv_text(rows))


def value_of(item: Item, field: str) -> object:
    """The value of a field, `error.code` for a nested one; None where there is none."""
    value: object = item
    for name in field.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def cell_text(value: object) -> str:
    """A value as a cell: words for true and false, JSON for what has parts."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def csv_cell(value: object) -> str:
    """`cell_text`, with texts that no spreadsheet evaluates."""
    text = cell_text(value)
    return text if isinstance(value, int | float) else text_cell(text)


def _csv_text(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
