"""A budget shared by owners: something is always left for another."""

import asyncio
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from tidings.engine.budget import Allocation, Budget, account_owner, address_owner

AT_ONCE = timedelta(seconds=0)
LONG = timedelta(seconds=30)


async def fill(budget: Budget, *names: str, each: int = 1) -> list[Allocation]:
    """As many allocations as are granted at once to an account at an address."""
    allocations = []
    while True:
        allocation = budget.open(account_owner(names[0]), address_owner(names[1]))
        if not await allocation.grow(each, AT_ONCE):
            allocation.close()
            return allocations
        allocations.append(allocation)


async def test_an_account_alone_gets_half_and_the_next_half_of_the_rest():
    budget = Budget(32)
    assert [len(await fill(budget, name, f"address of {name}")) for name in "abcd"] == [16, 8, 4, 2]


async def test_accounts_of_one_address_together_leave_a_quarter():
    budget = Budget(32)
    together = [len(await fill(budget, name, "one address")) for name in "abcdefgh"]
    assert sum(together) == 24
    assert len(await fill(budget, "another", "other address")) == 4


async def test_what_is_released_goes_to_who_waits():
    budget = Budget(2)
    (first,) = await fill(budget, "a", "address")
    waiting = asyncio.create_task(budget.open(account_owner("a")).grow(1, LONG))
    await asyncio.sleep(0)
    assert not waiting.done()
    first.close()
    assert await waiting


async def test_who_leaves_while_waiting_takes_nothing():
    budget = Budget(2)
    (first,) = await fill(budget, "a", "address")
    allocation = budget.open(account_owner("a"))
    waiting = asyncio.create_task(allocation.grow(1, LONG))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    allocation.close()
    first.close()
    assert budget.used == 0


async def test_allocations_that_grow_never_deadlock():
    """Eight that each need 20 of 40: the oldest may use the reserve, then the next."""

    async def need(budget: Budget, account: int, ended: list[int]) -> None:
        allocation = budget.open(account_owner(account))
        for _ in range(20):
            assert await allocation.grow(1, LONG)
            await asyncio.sleep(0)
        assert budget.used <= 40
        ended.append(account)
        allocation.close()

    budget, ended = Budget(20, reserve=20), []
    await asyncio.gather(*(need(budget, n, ended) for n in range(8)))
    assert sorted(ended) == list(range(8))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(1, 9)), max_size=40))
async def test_no_more_is_taken_than_there_is_and_all_is_released(asked):
    budget = Budget(20, reserve=9)
    allocations = []
    for account, address, amount in asked:
        allocations.append(budget.open(account_owner(account), address_owner(f"at {address}")))
        await allocations[-1].grow(amount, AT_ONCE)
        assert budget.used <= 29
    for allocation in allocations:
        allocation.close()
    assert budget.used == 0 and not budget._by_owner
    assert not budget._allocations and not budget._waiting
