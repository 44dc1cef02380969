"""Histograms that cost little where they are filled: plain numbers in a single process.

One event loop updates them, so they need no lock, and they become samples only when somebody reads
`/metrics`. Several processes need values that survive a killed process: `SharedDistribution`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Protocol

from prometheus_client import Histogram
from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from tidings.clock import Clock

Labels = tuple[str, ...]


class Distribution(Protocol):
    def observe(self, value: float, labels: Labels = (), count: int = 1) -> None:
        """`count` observations of the same value."""

    def observe_all(self, values: Iterable[float], labels: Labels = ()) -> None: ...


class PlainDistribution(Collector):
    """Of a single process."""

    def __init__(self, name: str, text: str, labels: Labels, bounds: Sequence[float]) -> None:
        self._name, self._text, self._labels = name, text, labels
        self._bounds = bounds
        self._buckets: dict[Labels, list[int]] = {}
        self._sums: dict[Labels, float] = {}
        if not labels:
            self._add(())

    def observe(self, value: float, labels: Labels = (), count: int = 1) -> None:
        buckets = self._buckets.get(labels) or self._add(labels)
        buckets[bisect_left(self._bounds, value)] += count
        self._sums[labels] += value * count

    def observe_all(self, values: Iterable[float], labels: Labels = ()) -> None:
        for value in values:
            self.observe(value, labels)

    def _add(self, labels: Labels) -> list[int]:
        self._sums[labels] = 0.0
        buckets = self._buckets[labels] = [0] * (len(self._bounds) + 1)
        return buckets

    def collect(self) -> Iterator[Metric]:
        family = HistogramMetricFamily(self._name, self._text, labels=self._labels)
        bounds = [*map(floatToGoString, self._bounds), "+Inf"]
        for labels, buckets in self._buckets.items():
            totals = list(zip(bounds, accumulate(buckets), strict=True))
            family.add_metric(labels, totals, self._sums[labels])
        yield family


class _SharedHistogram(Histogram):
    def add(self, counts: Counter[int], total: float) -> None:
        """`counts`: by the number of the bucket. One write for each, however many observations."""
        for number, count in counts.items():
            self._buckets[number].inc(count)
        self._sum.inc(total)

    def bucket(self, value: float) -> int:
        return bisect_left(self._upper_bounds, value)


class SharedDistribution:
    """Of one of several processes: its values survive the process."""

    def __init__(self, histogram: _SharedHistogram) -> None:
        self._histogram = histogram
        self._series: dict[Labels, _SharedHistogram] = {}

    @classmethod
    def declare(
        cls, name: str, text: str, labels: Labels, **options: object
    ) -> "SharedDistribution":
        return cls(_SharedHistogram(name, text, labels, **options))  # type: ignore[arg-type]

    def observe(self, value: float, labels: Labels = (), count: int = 1) -> None:
        series = self._find(labels)
        series.add(Counter({series.bucket(value): count}), value * count)

    def observe_all(self, values: Iterable[float], labels: Labels = ()) -> None:
        series, seen = self._find(labels), list(values)
        if seen:
            series.add(Counter(map(series.bucket, seen)), sum(seen))

    def _find(self, labels: Labels) -> _SharedHistogram:
        found = self._series.get(labels)
        if found is None:
            found = self._series[labels] = (
                self._histogram.labels(*labels) if labels else self._histogram
            )
        return found


@contextmanager
def timed(clock: Clock, into: Distribution, labels: Labels = ()) -> Iterator[None]:
    """Observe how long the block took, also where it raises."""
    started = clock.monotonic()
    try:
        yield
    finally:
        into.observe(clock.monotonic() - started, labels)
