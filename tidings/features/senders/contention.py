"""Numbers that several transactions write at the same time.

Accepting reads numbers without a lock; its write is refused if one has changed since. Repeating the
work each time would cost more than waiting, so a refused write marks its numbers, and the next
transactions of this process lock them before they read. Correctness does not depend on it.
"""

from collections.abc import Collection, Iterable
from uuid import UUID

from tidings.engine.db.errors import Conflict

NumberKey = tuple[UUID, str]  # account, number

LOCKED_NEXT = 32  # transactions that lock a number after a refused write


class ContendedNumbers:
    """One per process (`Tx.of_process`)."""

    def __init__(self) -> None:
        self._left: dict[UUID, dict[str, int]] = {}

    def conflict(self, keys: Iterable[NumberKey], problem: str) -> Conflict:
        """Mark the numbers of a refused write; the error to raise."""
        for account_id, number in keys:
            self._left.setdefault(account_id, {})[number] = LOCKED_NEXT
        return Conflict(problem)

    def take(self, account_ids: Collection[UUID]) -> list[NumberKey]:
        """The numbers of these accounts that this transaction locks first."""
        if not self._left:
            return []
        found = [
            (account_id, number)
            for account_id in account_ids
            for number in self._left.get(account_id, ())
        ]
        for account_id, number in found:
            self._spend(account_id, number)
        return found

    def _spend(self, account_id: UUID, number: str) -> None:
        left = self._left[account_id]
        left[number] -= 1
        if not left[number]:
            del left[number]
        if not left:
            del self._left[account_id]
