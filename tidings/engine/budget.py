"""A budget of a bounded resource (bytes in memory, streams), shared fairly by owners.

There are no fixed quotas. Dynamic thresholds (Choudhury and Hahne): an owner may hold at most
`alpha` times what is still free. A single owner gets half of the budget (alpha 1) or three quarters
(alpha 3), several get less each, and something is always left for a new owner. Only what is in use
is allocated: declaring a size reserves nothing.

`reserve` is for the oldest allocation only. Allocations that grow while others hold what they need
would deadlock; the oldest can always finish, then the next.
"""

import asyncio
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import timedelta

ACCOUNT_ALPHA = 1
ADDRESS_ALPHA = 3  # larger: many accounts may share one address


@dataclass(frozen=True, slots=True)
class Owner:
    """An account or a client address. It may hold at most `alpha` times what is free."""

    key: Hashable
    alpha: int


def account_owner(account_id: Hashable) -> Owner:
    return Owner(account_id, ACCOUNT_ALPHA)


def address_owner(address: str, alpha: int = ADDRESS_ALPHA) -> Owner:
    return Owner(address, alpha)


class Allocation:
    """The part of a budget that one request holds. Must be closed."""

    __slots__ = ("_budget", "amount", "owners")

    def __init__(self, budget: "Budget", owners: tuple[Owner, ...]) -> None:
        self._budget = budget
        self.owners = owners
        self.amount = 0

    async def grow(self, amount: int, wait: timedelta) -> bool:
        """Allocate `amount` more; False if it did not become free in time."""
        return await self._budget.grow(self, amount, wait.total_seconds())

    def close(self) -> None:
        self._budget.close(self)


class Budget:
    def __init__(self, size: int, *, reserve: int = 0) -> None:
        self._size = size
        self._reserve = reserve
        self._used = 0
        self._by_owner: Counter[Hashable] = Counter()
        self._allocations: dict[Allocation, None] = {}  # oldest first
        self._waiting: dict[asyncio.Future[None], tuple[Allocation, int]] = {}

    @property
    def used(self) -> int:
        return self._used

    def open(self, *owners: Owner) -> Allocation:
        """An empty allocation."""
        allocation = Allocation(self, owners)
        self._allocations[allocation] = None
        return allocation

    async def grow(self, allocation: Allocation, amount: int, seconds: float) -> bool:
        if self._fits(allocation, amount):
            self._take(allocation, amount)
            return True
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[future] = (allocation, amount)
        try:
            async with asyncio.timeout(seconds):
                await future
        except TimeoutError:
            return False
        finally:
            self._waiting.pop(future, None)
        return True

    def close(self, allocation: Allocation) -> None:
        del self._allocations[allocation]
        self._used -= allocation.amount
        self._by_owner.subtract({owner.key: allocation.amount for owner in allocation.owners})
        for owner in allocation.owners:
            if not self._by_owner[owner.key]:
                del self._by_owner[owner.key]
        self._grant()

    def _grant(self) -> None:
        for future, (allocation, amount) in list(self._waiting.items()):
            if not future.done() and self._fits(allocation, amount):
                self._take(allocation, amount)
                future.set_result(None)
                del self._waiting[future]

    def _fits(self, allocation: Allocation, amount: int) -> bool:
        if (
            allocation is next(iter(self._allocations))
            and self._used + amount <= self._size + self._reserve
        ):
            return True
        free = self._size - self._used
        return amount <= free and all(
            self._by_owner[owner.key] + amount <= owner.alpha * free for owner in allocation.owners
        )

    def _take(self, allocation: Allocation, amount: int) -> None:
        allocation.amount += amount
        self._used += amount
        self._by_owner.update({owner.key: amount for owner in allocation.owners})
