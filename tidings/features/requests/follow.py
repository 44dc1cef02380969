"""The log of API calls as it grows.

A call is logged when it ends, under an id that says when it began. So a slow call, and one of
another process, may be logged behind newer ones: every look goes back a little, and only what has
not been seen yet is news.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.ids import first_id, time_of

from . import lookup, store
from .lookup import Filter
from .model import LoggedCall

OVERLAP = timedelta(seconds=3)  # between the flushes of two processes, with room to spare
SLOW = timedelta(seconds=1)  # calls that take longer are looked for further back
SLOWEST = timedelta(minutes=2)
CALLS_MAX = 1000  # of one look; more a second nobody can read


class Follower:
    """Follows the calls of one account that a filter lets through."""

    def __init__(self, account_id: UUID, chosen: Filter) -> None:
        self._account_id, self._chosen = account_id, chosen
        self._seen: set[UUID] = set()
        self._looked_at: datetime | None = None

    async def start(self, tx: Tx) -> None:
        """From here on, what is logged now is not news."""
        await self.load_news(tx)

    def skip(self, calls: Iterable[LoggedCall]) -> None:
        """They have been shown."""
        self._seen.update(call.id for call in calls)

    async def load_news(self, tx: Tx) -> list[LoggedCall]:
        """What was logged since the last look, in the order in which the calls began."""
        last = self._looked_at or tx.now
        found = await store.load_recent(
            tx,
            self._account_id,
            statuses=lookup.statuses_of(self._chosen),
            path=self._chosen.path,
            since=first_id(last - OVERLAP),
            slow_since=first_id(last - SLOWEST),
            slow_ms=SLOW // timedelta(milliseconds=1),
            limit=CALLS_MAX,
        )
        news = [call for call in reversed(found) if call.id not in self._seen]
        self._looked_at = tx.now
        self.skip(news)
        self._seen = {one for one in self._seen if time_of(one) > last - SLOWEST - OVERLAP}
        return news
