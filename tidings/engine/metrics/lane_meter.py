"""What a lane measures: the size of its batches, how long they take, and how long an item."""

from collections.abc import Iterable, Sized

from tidings.clock import Clock

from .metrics import Metrics


class LaneMeter:
    """Of one lane. Per batch, not per item, wherever that is possible."""

    def __init__(self, metrics: Metrics, clock: Clock, lane: str) -> None:
        self.now = clock.monotonic
        self._labels = (lane,)
        self._sizes = metrics.lane_batch_items
        self._batches = metrics.lane_batch_seconds
        self._items = metrics.lane_item_seconds

    def served(self, batch: Sized, entered: Iterable[float], started: float) -> None:
        """A batch has ended. `entered`: when each of its items came to the lane."""
        now = self.now()
        self._sizes.observe(len(batch), self._labels)
        self._batches.observe(now - started, self._labels)
        self._items.observe_all((now - at for at in entered), self._labels)
