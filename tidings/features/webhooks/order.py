"""The order of a message's webhooks in this process: each is first posted after the first attempts
of the earlier ones have been recorded.

Which webhooks of a message are still to be attempted is read from the database (`store.py`). Here
is known which of those this process is posting, so that a later one waits for them in memory. What
another process posts is unknown here: the webhook goes back to the queue for a moment.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Generic, TypeVar

REMEMBERED_MAX = 20_000  # webhooks whose first attempt was recorded lately

T = TypeVar("T")


@dataclass(slots=True)
class Order(Generic[T]):
    """`T` is what waits. It is handed back when nothing before it is left."""

    _in_flight: dict[str, list[T]] = field(default_factory=dict)  # who waits for each webhook
    _attempted: dict[str, None] = field(default_factory=dict)  # a set that keeps its order
    _waits_for: dict[T, set[str]] = field(default_factory=dict)

    def enter(self, webhook_id: str) -> None:
        """It is about to be posted by this process."""
        self._in_flight.setdefault(webhook_id, [])

    def is_known(self, webhook_ids: Collection[str]) -> bool:
        """Whether this process is posting, or has attempted, all of these."""
        return all(one in self._in_flight or one in self._attempted for one in webhook_ids)

    def must_wait(self, later: T, earlier: Collection[str]) -> bool:
        """False: all earlier ones have been attempted. Otherwise `attempted` returns `later` when
        that is so, which never happens if one is not known here."""
        waits_for = {one for one in earlier if one not in self._attempted}
        if waits_for:
            self._waits_for[later] = waits_for
            for one in waits_for & self._in_flight.keys():
                self._in_flight[one].append(later)
        return bool(waits_for)

    def attempted(self, webhook_id: str) -> list[T]:
        """Its first attempt has been recorded: who need not wait any longer, in order."""
        self._attempted[webhook_id] = None
        if len(self._attempted) > REMEMBERED_MAX:
            del self._attempted[next(iter(self._attempted))]
        freed: list[T] = []
        for later in self._in_flight.pop(webhook_id, []):
            waits_for = self._waits_for.get(later)
            if waits_for is None:
                continue
            waits_for.discard(webhook_id)
            if not waits_for:
                del self._waits_for[later]
                freed.append(later)
        return freed

    def left(self, webhook_id: str) -> None:
        """It was not attempted: who waits for it gives up by itself (`give_up`)."""
        self._in_flight.pop(webhook_id, None)

    def give_up(self, later: T) -> None:
        """It waits no longer."""
        self._waits_for.pop(later, None)
