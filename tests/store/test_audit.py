"""The audit log: what is recorded, and its pages."""

from typing import Any
from uuid import UUID

import pytest

from tidings.engine.db.log_pages import LogCursor, LogPage
from tidings.engine.db.order import Order
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.audit import lookup
from tidings.features.audit.lookup import Filter, load_page
from tidings.features.audit.model import Recorded
from tidings.features.audit.record import Actor, Entry, record
from tidings.ids import new_id

pytestmark = pytest.mark.anyio
DANA = Actor("person", "dana@example.com", "192.0.2.1")
OURS, OURSELVES, THEIRS = new_id(), new_id(), new_id()


async def write(db: Database, count: int, account_id: UUID | None, **fields: UUID) -> None:
    async def work(tx: Tx) -> None:
        for number in range(count):
            entry = Entry(
                actor=DANA,
                action="key.issued",
                subject=f"key {number}",
                account_id=account_id,
                details={"n": number},
                **fields,
            )
            await record(tx, entry)

    await db.transact(work)


async def page(db: Database, chosen: Filter, **place: Any) -> LogPage[Recorded]:
    return await db.transact(lambda tx: load_page(tx, chosen, LogCursor(**place)))


async def test_an_entry_is_read_as_it_was_recorded(db: Database) -> None:
    await write(db, 1, OURS)
    [entry] = (await page(db, Filter(account_id=OURS))).entries
    assert (entry.actor, entry.action, entry.subject) == (DANA, "key.issued", "key 0")
    assert entry.details == {"n": 0}


async def test_pages_go_back_and_forth_over_account_and_organisation(db: Database) -> None:
    await write(db, lookup.PAGE_ROWS, OURS)
    await write(db, 3, None, organisation_id=OURSELVES)
    await write(db, 5, THEIRS)
    whose = Filter(account_id=OURS, organisation_id=OURSELVES)
    first = await page(db, whose)
    assert len(first.entries) == lookup.PAGE_ROWS
    assert first.newer is None
    assert [entry.account_id for entry in first.entries[:4]] == [None, None, None, OURS]
    second = await page(db, whose, before=first.older)
    assert [entry.subject for entry in second.entries] == ["key 2", "key 1", "key 0"]
    assert second.older is None
    back = await page(db, whose, after=second.newer)
    assert back.entries == first.entries
    assert back.newer is None
    oldest_page = await page(db, whose, order=Order.OLDEST_FIRST)
    newest_page = await page(db, whose, after=oldest_page.newer, order=Order.OLDEST_FIRST)
    in_order = [*oldest_page.entries, *newest_page.entries]
    assert in_order == [*first.entries, *second.entries][::-1]
    assert (oldest_page.older, newest_page.newer) == (None, None)
    again = await page(db, whose, before=newest_page.older, order=Order.OLDEST_FIRST)
    assert again == oldest_page
    everybody = await page(db, Filter())
    assert everybody.entries[0].account_id == THEIRS


async def test_entries_are_filtered_by_actor_and_kind_of_action(db: Database) -> None:
    await write(db, 1, OURS)
    for chosen, count in [
        (Filter(account_id=OURS, action="key."), 1),
        (Filter(account_id=OURS, action="webhook."), 0),
        (Filter(account_id=OURS, actor="dana@example.com"), 1),
        (Filter(account_id=OURS, actor="dana"), 0),
    ]:
        assert len((await page(db, chosen)).entries) == count, chosen
