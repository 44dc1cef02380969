"""Whose request is begun next: in rounds over accounts, a few in each turn of the event loop.

Ninety connections of one account hand in ninety requests in one turn, and another's single request
would wait until all are checked and parsed. While several owners are about, a turn begins only a
few requests, one of each owner in its round; what the sockets and the database brought meanwhile is
attended to in between. An account that is alone is never held back: there is nobody to wait for.
"""

import asyncio
from collections.abc import Hashable

from tidings import limits
from tidings.engine.rounds import Rivals, Rounds


class Admission:
    """One of each shell. An owner is an account, or the address of a request without a key."""

    __slots__ = ("_is_turning", "_left", "_per_turn", "_rivals", "_waiting")

    def __init__(self, per_turn: int = limits.REQUESTS_BEGUN_PER_TURN) -> None:
        self._per_turn = self._left = per_turn
        self._rivals = Rivals()
        self._waiting: Rounds[asyncio.Future[None]] = Rounds()
        self._is_turning = False

    def ask(self, owner: Hashable) -> asyncio.Future[None] | None:
        """None: begin at once. Else begin when it is done."""
        self._rivals.see(owner)
        if not self._rivals.are_here:
            return None
        loop = asyncio.get_running_loop()
        if not self._is_turning:
            self._is_turning = True
            loop.call_soon(self._turn)
        if self._left and not self._waiting:
            self._left -= 1
            return None
        future = loop.create_future()
        self._waiting.put(owner, future)
        return future

    def _turn(self) -> None:
        """Once in every turn of the loop in which something was begun."""
        self._left = self._per_turn
        self._is_turning = bool(self._waiting)
        while self._waiting and self._left:
            future = self._waiting.pop()
            if not future.done():  # else its client has gone
                future.set_result(None)
                self._left -= 1
        if self._is_turning:
            asyncio.get_running_loop().call_soon(self._turn)
