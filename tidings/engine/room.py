"""A bounded good (bytes in memory, streams) that accounts and addresses share as they use it.

Nobody has a fixed part. A claim is granted while what its owner has, with it, is no more than
`part` times what is still free: an owner that is alone gets half of all (part 1) or three quarters
(part 3), several get less each, and something is always left for one that comes anew. What is
granted can only be what is really in use: to announce a claim takes nothing.

`spare` is for the oldest holder alone. Holders that grow while others hold what they need would
wait for one another for ever; the oldest always gets to its end, then the next.
"""

import asyncio
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import timedelta

ACCOUNT_PART = 1
ADDRESS_PART = 3  # larger: many accounts may come from one address


@dataclass(frozen=True, slots=True)
class Owner:
    """An account or an address, and its part of what is free."""

    key: Hashable
    part: int


def account_owner(account_id: Hashable) -> Owner:
    return Owner(account_id, ACCOUNT_PART)


def address_owner(address: str, part: int = ADDRESS_PART) -> Owner:
    return Owner(address, part)


class Hold:
    """What one request has of a room. Every one is closed."""

    __slots__ = ("_room", "amount", "owners")

    def __init__(self, room: "Room", owners: tuple[Owner, ...]) -> None:
        self._room = room
        self.owners = owners
        self.amount = 0

    async def grow(self, amount: int, wait: timedelta) -> bool:
        """Take so much more; False when it was not to be had in that time."""
        return await self._room.grow(self, amount, wait.total_seconds())

    def close(self) -> None:
        self._room.close(self)


class Room:
    def __init__(self, size: int, *, spare: int = 0) -> None:
        self._size = size
        self._spare = spare
        self._used = 0
        self._by_owner: Counter[Hashable] = Counter()
        self._holds: dict[Hold, None] = {}  # the oldest first
        self._waiting: dict[asyncio.Future[None], tuple[Hold, int]] = {}

    @property
    def used(self) -> int:
        return self._used

    def open(self, *owners: Owner) -> Hold:
        """A hold of nothing yet."""
        hold = Hold(self, owners)
        self._holds[hold] = None
        return hold

    async def grow(self, hold: Hold, amount: int, seconds: float) -> bool:
        if self._fits(hold, amount):
            self._take(hold, amount)
            return True
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[future] = (hold, amount)
        try:
            async with asyncio.timeout(seconds):
                await future
        except TimeoutError:
            return False
        finally:
            self._waiting.pop(future, None)
        return True

    def close(self, hold: Hold) -> None:
        del self._holds[hold]
        self._used -= hold.amount
        self._by_owner.subtract({owner.key: hold.amount for owner in hold.owners})
        for owner in hold.owners:
            if not self._by_owner[owner.key]:
                del self._by_owner[owner.key]
        self._grant()

    def _grant(self) -> None:
        for future, (hold, amount) in list(self._waiting.items()):
            if not future.done() and self._fits(hold, amount):
                self._take(hold, amount)
                future.set_result(None)
                del self._waiting[future]

    def _fits(self, hold: Hold, amount: int) -> bool:
        if hold is next(iter(self._holds)) and self._used + amount <= self._size + self._spare:
            return True
        free = self._size - self._used
        return amount <= free and all(
            self._by_owner[owner.key] + amount <= owner.part * free for owner in hold.owners
        )

    def _take(self, hold: Hold, amount: int) -> None:
        hold.amount += amount
        self._used += amount
        self._by_owner.update({owner.key: amount for owner in hold.owners})
