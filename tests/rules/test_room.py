"""A bounded good shared by use: something is always left for another."""

import asyncio
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.room import Hold, Room, account_owner, address_owner

AT_ONCE = timedelta(seconds=0)
LONG = timedelta(seconds=30)


async def fill(room: Room, *names: str, each: int = 1) -> list[Hold]:
    """As many holds as are granted at once to an account at an address."""
    holds = []
    while True:
        hold = room.open(account_owner(names[0]), address_owner(names[1]))
        if not await hold.grow(each, AT_ONCE):
            hold.close()
            return holds
        holds.append(hold)


async def test_an_account_alone_gets_half_and_the_next_half_of_the_rest():
    room = Room(32)
    assert [len(await fill(room, name, f"address of {name}")) for name in "abcd"] == [16, 8, 4, 2]


async def test_accounts_of_one_address_together_leave_a_quarter():
    room = Room(32)
    together = [len(await fill(room, name, "one address")) for name in "abcdefgh"]
    assert sum(together) == 24
    assert len(await fill(room, "another", "other address")) == 4


async def test_what_is_given_back_goes_to_who_waits():
    room = Room(2)
    (first,) = await fill(room, "a", "address")
    waiting = asyncio.create_task(room.open(account_owner("a")).grow(1, LONG))
    await asyncio.sleep(0)
    assert not waiting.done()
    first.close()
    assert await waiting


async def test_who_leaves_while_waiting_takes_nothing():
    room = Room(2)
    (first,) = await fill(room, "a", "address")
    hold = room.open(account_owner("a"))
    waiting = asyncio.create_task(hold.grow(1, LONG))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    hold.close()
    first.close()
    assert room.used == 0


async def test_holders_that_grow_never_wait_for_one_another_for_ever():
    """Eight that each need 20 of 40: the oldest has what is spare, then the next."""

    async def need(room: Room, account: int, ended: list[int]) -> None:
        hold = room.open(account_owner(account))
        for _ in range(20):
            assert await hold.grow(1, LONG)
            await asyncio.sleep(0)
        assert room.used <= 40
        ended.append(account)
        hold.close()

    room, ended = Room(20, spare=20), []
    await asyncio.gather(*(need(room, n, ended) for n in range(8)))
    assert sorted(ended) == list(range(8))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(1, 9)), max_size=40))
async def test_no_more_is_taken_than_there_is_and_all_comes_back(asked):
    room = Room(20, spare=9)
    holds = []
    for account, address, amount in asked:
        holds.append(room.open(account_owner(account), address_owner(f"at {address}")))
        await holds[-1].grow(amount, AT_ONCE)
        assert room.used <= 29
    for hold in holds:
        hold.close()
    assert room.used == 0 and not room._by_owner and not room._holds and not room._waiting
