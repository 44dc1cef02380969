"""Links in the database: made together, opened at once by many, counted exactly."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import asyncpg
import pytest

from tests.support.clock import NOON, ManualClock
from tests.support.database import fresh_database, opened_database
from tidings.engine.db.connections import Unavailable
from tidings.engine.db.errors import CommitUnknown, Conflict
from tidings.engine.db.pool import Database
from tidings.engine.http.endpoint import Request
from tidings.features.accounts.configure import configure
from tidings.features.accounts.model import AccountSpec
from tidings.features.links import follow, lookup, pages, store
from tidings.features.links.api import get_redirect
from tidings.features.links.create import create, new_link
from tidings.features.links.follow import Follower
from tidings.features.links.model import ClickTotals
from tidings.secrets import Sealer

SEALER = Sealer(bytes(32))
URL = "https://example.com/tickets"
HOUR = timedelta(hours=1)


async def account(db, environment="live", **fields):
    spec = AccountSpec(name="acme", environment=environment, **fields)
    return (await db.transact(lambda tx: configure(tx, SEALER, spec))).id


async def make(db, account_id, **fields):
    link = new_link(account_id, URL, NOON, **fields)
    await db.transact(lambda tx: create(tx, [link]))
    return link


async def read(db, link):
    return await db.transact(lambda tx: store.find(tx, link.account_id, link.code))


# Making


async def test_many_links_are_made_in_one_statement(db: Database) -> None:
    owner = await account(db)
    links = [
        new_link(owner, f"{URL}/{n}", NOON, client_message_id=f"order-{n:04}", expires_at=NOON)
        for n in range(500)
    ]
    await db.transact(lambda tx: create(tx, links))
    await db.transact(lambda tx: create(tx, []))
    found = await db.transact(lambda tx: store.find_by_codes(tx, [one.code for one in links]))
    assert {one.code: one.url for one in found} == {one.code: one.url for one in links}
    assert {(one.clicks, one.first_click_at, one.active) for one in found} == {(0, None, True)}


async def test_a_taken_code_makes_the_transaction_run_afresh(db: Database) -> None:
    taken = await make(db, await account(db))
    other = replace(taken, url="https://example.com/other")
    with pytest.raises(Conflict):
        await db.transact(lambda tx: create(tx, [new_link(taken.account_id, URL, NOON), other]))
    assert await db.value("SELECT count(*) FROM links") == 1

    drawn = [other, new_link(taken.account_id, URL, NOON)]
    await db.transact(lambda tx: create(tx, [drawn.pop(0)]))
    assert await db.value("SELECT count(*) FROM links") == 2
    assert (await read(db, taken)).url == URL


@pytest.mark.parametrize(
    "change",
    [
        "url = 'https://evil.test/'",
        "code = 'aaaaaaaaaaaa'",
        "clicks = 1",
        "clicks = -1, first_click_at = now(), last_click_at = now()",
        "first_click_at = now()",
        "clicks = 1, first_click_at = now(), last_click_at = now() - interval '1 second'",
    ],
)
async def test_the_database_itself_refuses_a_link_that_lies(db: Database, change) -> None:
    await make(db, await account(db))
    with pytest.raises(asyncpg.CheckViolationError):
        await db.transact(lambda tx: tx.run(f"UPDATE links SET {change}"))


# Counting


async def test_first_and_last_hold_in_whatever_order_opens_are_written(db: Database) -> None:
    link = await make(db, await account(db))
    key = (link.account_id, link.code)
    for tally in (
        ClickTotals(2, NOON + HOUR, NOON + 2 * HOUR),
        ClickTotals(1, NOON, NOON),
        ClickTotals(3, NOON + HOUR, NOON + HOUR),
    ):
        await db.transact(lambda tx, tally=tally: store.add_clicks(tx, {key: tally}))
    found = await read(db, link)
    assert (found.clicks, found.first_click_at, found.last_click_at) == (
        6, NOON, NOON + 2 * HOUR,
    )  # fmt: skip


async def test_opens_are_also_counted_by_day_of_the_accounts_own_time(
    db: Database, clock: ManualClock
) -> None:
    link = await make(db, await account(db))
    follower = Follower(db, clock)
    found = await follower.find(link.code)
    midnight = NOON + 12 * HOUR
    for at in (NOON, midnight - HOUR, midnight, NOON - 48 * HOUR, midnight):
        await follower.count(found, at)
    await follower.idle()
    await follower.count(found, midnight)
    await follower.idle()
    today = NOON.date()
    days = await db.transact(
        lambda tx: lookup.load_days(tx, link.account_id, link.code, today - timedelta(days=1))
    )
    assert days == [(today, 2), (today + timedelta(days=1), 3)]
    assert (await read(db, link)).clicks == 6


async def test_two_processes_count_the_same_links_exactly(clock: ManualClock) -> None:
    one = partial(opened_database, fresh_database(), clock, size=4)
    async with one() as db, one() as other_db:
        owner = await account(db)
        links = [await make(db, owner) for _ in range(8)]
        followers = [Follower(db, clock), Follower(other_db, clock)]

        async def open_all(follower, order):
            for n in range(25):
                for link in order:
                    found = await follower.find(link.code)
                    await follower.count(found, clock.now() + timedelta(seconds=n))
                await asyncio.sleep(0)

        await asyncio.gather(open_all(followers[0], links), open_all(followers[1], links[::-1]))
        for follower in followers:
            await follower.idle()
        for link in links:
            found = await read(db, link)
            assert found.clicks == 50
            assert found.first_click_at == NOON
            assert found.last_click_at == NOON + timedelta(seconds=24)
            days = await db.transact(
                partial(lookup.load_days, account_id=owner, code=link.code, since=NOON.date())
            )
            assert days == [(NOON.date(), 50)]


async def test_a_reader_sees_the_opens_that_were_answered_before(
    db: Database, clock: ManualClock
) -> None:
    link = await make(db, await account(db))
    follower = Follower(db, clock)
    found = await follower.find(link.code)
    for clicks in range(1, 20):
        await follower.count(found, clock.now())
        await follower.settle(link.account_id, link.code)
        assert (await read(db, link)).clicks == clicks
    await follower.settle(link.account_id, "aaaaaaaaaaaa")


class Shaky:
    """A database that is away for the first few transactions."""

    def __init__(self, db, faults):
        self.db, self.faults = db, faults

    async def transact(self, work):
        if self.faults:
            raise self.faults.pop(0)
        return await self.db.transact(work)


async def test_opens_wait_for_a_database_that_is_away(db: Database, clock: ManualClock) -> None:
    link = await make(db, await account(db))
    shaky = Shaky(db, [])
    follower = Follower(shaky, clock)
    found = await follower.find(link.code)
    shaky.faults.append(Unavailable())
    with pytest.raises(Unavailable):
        await follower.find("aaaaaaaaaaaa")
    shaky.faults.append(asyncpg.CannotConnectNowError())
    for _ in range(5):
        await follower.count(found, clock.now())
    await follower.idle()
    assert (await read(db, link)).clicks == 5


async def test_a_guest_sees_an_error_page_while_the_database_is_away():
    clock = ManualClock()
    follower = Follower(Shaky(None, [Unavailable()]), clock)
    request = Request("GET", "req_1", {}, {"code": "aaaaaaaaaaaa"})
    answer = await get_redirect.handle(SimpleNamespace(follower=follower, clock=clock), request)
    assert answer is pages.UNAVAILABLE
    assert dict(answer.headers)[b"retry-after"] == b"1"


async def test_an_open_whose_commit_is_unknown_is_not_counted_twice(
    db: Database, clock: ManualClock
) -> None:
    link = await make(db, await account(db))
    shaky = Shaky(db, [])
    follower = Follower(shaky, clock)
    found = await follower.find(link.code)
    shaky.faults.append(CommitUnknown())
    await follower.count(found, clock.now())
    await follower.idle()
    assert (await read(db, link)).clicks == 0


# Remembering


async def test_a_live_link_is_remembered_for_a_few_seconds(
    db: Database, clock: ManualClock
) -> None:
    link = await make(db, await account(db), expires_at=NOON + HOUR)
    follower = Follower(Shaky(db, []), clock)
    first = await follower.find(link.code)
    assert (first.url, first.expires_at, first.switched_on) == (URL, NOON + HOUR, True)
    await account(db, active=False)
    assert await follower.find(link.code) is first
    clock.advance(seconds=follow.CACHE_TTL.total_seconds())
    assert (await follower.find(link.code)).switched_on is False


async def test_a_sandbox_link_is_not_as_its_clock_may_move(
    db: Database, clock: ManualClock
) -> None:
    link = await make(db, await account(db, "sandbox"))
    follower = Follower(db, clock)
    assert (await follower.find(link.code)).clock == timedelta(0)
    await db.transact(lambda tx: tx.run("UPDATE accounts SET clock_ms = 3600000"))
    assert (await follower.find(link.code)).clock == HOUR


async def test_an_unknown_code_is_not_remembered_as_unknown(
    db: Database, clock: ManualClock
) -> None:
    link = new_link(await account(db), URL, NOON)
    follower = Follower(db, clock)
    assert await follower.find(link.code) is None
    await db.transact(lambda tx: create(tx, [link]))
    assert (await follower.find(link.code)).url == URL


async def test_guessing_finds_nothing_and_is_slowed_down_for_that_address_alone(
    db: Database, clock: ManualClock
) -> None:
    link = await make(db, await account(db))
    follower = Follower(db, clock)
    guesses = [follower.find(new_link(link.account_id, URL, NOON).code) for _ in range(1000)]
    assert set(await asyncio.gather(*guesses)) == {None}
    waits = [follower.count_miss("192.0.2.7") for _ in range(100)]
    assert waits[:60] == [0] * 60
    assert all(wait == 1 for wait in waits[60:])
    assert follower.count_miss("192.0.2.8") == 0
    clock.advance(seconds=1)
    assert follower.count_miss("192.0.2.7") == 0
