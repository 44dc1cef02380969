"""Long lists in pages, each in a transaction of its own, so that no lock is held for long."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx

Row = TypeVar("Row")
Key = TypeVar("Key")

LoadPage = Callable[[Tx, Key | None], Awaitable[tuple[Sequence[Row], Key | None]]]


async def read_pages(db: Database, load: LoadPage[Key, Row]) -> AsyncIterator[Sequence[Row]]:
    """All pages with rows. `load` takes the key where a page begins (None: the first), and returns
    its rows and the key of the next page (None: there is none)."""
    key: Key | None = None
    while True:
        rows, key = await db.transact(_page_at(load, key))
        if rows:
            yield rows
        if key is None:
            return


def _page_at(
    load: LoadPage[Key, Row], key: Key | None
) -> Callable[[Tx], Awaitable[tuple[Sequence[Row], Key | None]]]:
    return lambda tx: load(tx, key)


async def repeat(db: Database, step: Callable[[Tx], Awaitable[int]], page_rows: int) -> int:
    """Run `step`, which changes at most `page_rows` rows, until it finds fewer; how many in all."""
    total = 0
    while True:
        done = await db.transact(step)
        total += done
        if done < page_rows:
            return total
