"""Histograms that cost little where they are filled: plain numbers, without a lock or a file.

One event loop updates them, and they become samples only when somebody reads `/metrics`. Several
processes need values in shared files, and to write these costs more than ten times as much as to
count. So `SharedDistribution` writes every second what has gathered, and before the page is read: a
killed process loses at most the latencies of its last second. Counters are written at once.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Self

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from tidings.clock import Clock

Labels = tuple[str, ...]


class Distribution:
    """The number of observations in each bucket, by labels."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._buckets: dict[Labels, list[int]] = {}
        self._sums: dict[Labels, float] = {}

    def observe(self, value: float, labels: Labels = (), count: int = 1) -> None:
        """`count` observations of the same value."""
        buckets = self._buckets.get(labels) or self._add(labels)
        buckets[bisect_left(self._bounds, value)] += count
        self._sums[labels] += value * count

    def observe_all(self, values: Iterable[float], labels: Labels = ()) -> None:
        buckets, bounds = self._buckets.get(labels) or self._add(labels), self._bounds
        total = 0.0
        for value in values:
            buckets[bisect_left(bounds, value)] += 1
            total += value
        self._sums[labels] += total

    def _add(self, labels: Labels) -> list[int]:
        self._sums[labels] = 0.0
        buckets = self._buckets[labels] = [0] * (len(self._bounds) + 1)
        return buckets

    def flush(self) -> None:
        """Write what has gathered to where other processes can read it."""


class PlainDistribution(Distribution, Collector):
    """Of a single process."""

    def __init__(self, name: str, text: str, labels: Labels, bounds: Sequence[float]) -> None:
        super().__init__(bounds)
        self._name, self._text, self._labels = name, text, labels
        if not labels:
            self._add(())

    def collect(self) -> Iterator[Metric]:
        family = HistogramMetricFamily(self._name, self._text, labels=self._labels)
        bounds = [*map(floatToGoString, self._bounds), "+Inf"]
        for labels, buckets in self._buckets.items():
            totals = list(zip(bounds, accumulate(buckets), strict=True))
            family.add_metric(labels, totals, self._sums[labels])
        yield family


class _SharedHistogram(Histogram):
    def add(self, buckets: Sequence[int], total: float) -> None:
        for value, count in zip(self._buckets, buckets, strict=True):
            if count:
                value.inc(count)
        self._sum.inc(total)


class SharedDistribution(Distribution):
    """Of one of several processes: what was flushed survives the process."""

    def __init__(self, histogram: _SharedHistogram, bounds: Sequence[float]) -> None:
        super().__init__(bounds)
        self._histogram = histogram

    @classmethod
    def declare(
        cls,
        name: str,
        text: str,
        labels: Labels,
        bounds: Sequence[float],
        registry: CollectorRegistry,
    ) -> Self:
        made = _SharedHistogram(name, text, labels, buckets=bounds, registry=registry)
        return cls(made, bounds)

    def flush(self) -> None:
        gathered, self._buckets = self._buckets, {}
        sums, self._sums = self._sums, {}
        for labels, buckets in gathered.items():
            series = self._histogram.labels(*labels) if labels else self._histogram
            series.add(buckets, sums[labels])


class Timed:
    """Observe how long a block took, also where it raises: `with Timed(clock, distribution):`"""

    __slots__ = ("_clock", "_into", "_labels", "_started")

    def __init__(self, clock: Clock, into: Distribution, labels: Labels = ()) -> None:
        self._clock, self._into, self._labels = clock, into, labels

    def __enter__(self) -> None:
        self._started = self._clock.monotonic()

    def __exit__(self, *_: object) -> None:
        self._into.observe(self._clock.monotonic() - self._started, self._labels)
