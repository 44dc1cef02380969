"""Prometheus metrics, in a registry of our own that is passed to the code that counts.

Several processes (`Metrics.of_slot`) use prometheus_client's multiprocess mode: the values are in
memory-mapped files in the folder that SHARED_FOLDER names, and survive a killed process. A file
belongs to a slot, not to a process, so a restarted process continues its predecessor's counters.
`render_shared` merges the files.
"""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Literal, Self

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's own variable
Merged = Literal["sum", "max", "mostrecent"]  # how the gauges of several processes are merged

_LATENCY_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_REQUESTS = ("http_requests", "Requests answered, by route and status.")
_SECONDS = ("http_request_seconds", "From the headers of a request to the end of its answer.")
_IN_FLIGHT = ("http_requests_in_flight", "Requests being answered.")


class Traffic(Collector):
    """HTTP requests by route and status. Plain numbers, since one event loop updates them: a lock
    and a lookup per request would cost more than the rest of a short request."""

    def __init__(self) -> None:
        self.in_flight = 0
        self._counts: dict[tuple[str, int], int] = {}
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def record(self, route: str, status: int, seconds: float) -> None:
        self._counts[route, status] = self._counts.get((route, status), 0) + 1
        buckets = self._buckets.get(route)
        if buckets is None:
            buckets = self._buckets[route] = [0] * (len(_LATENCY_SECONDS) + 1)
            self._seconds[route] = 0.0
        buckets[bisect_left(_LATENCY_SECONDS, seconds)] += 1
        self._seconds[route] += seconds

    def collect(self) -> Iterator[Metric]:
        name, text = _REQUESTS
        counts = CounterMetricFamily(f"tidings_{name}", text, labels=["route", "status"])
        for (route, status), count in self._counts.items():
            counts.add_metric([route, str(status)], count)
        yield counts
        name, text = _SECONDS
        times = HistogramMetricFamily(f"tidings_{name}", text, labels=["route"])
        for route, buckets in self._buckets.items():
            bounds = [*(str(bound) for bound in _LATENCY_SECONDS), "+Inf"]
            totals = list(zip(bounds, accumulate(buckets), strict=True))
            times.add_metric([route], totals, self._seconds[route])
        yield times
        name, text = _IN_FLIGHT
        yield GaugeMetricFamily(f"tidings_{name}", text, value=self.in_flight)


class SharedTraffic:
    """`Traffic` for one of several processes: its counters survive the process."""

    def __init__(self, metrics: "Metrics") -> None:
        self._requests = metrics.counter(*_REQUESTS, "route", "status")
        self._seconds = metrics.histogram(*_SECONDS, "route")
        self._gauge = metrics.gauge(*_IN_FLIGHT, merged="sum")
        self.in_flight = 0  # discards the value of the previous process

    @property
    def in_flight(self) -> int:
        return self._in_flight

    @in_flight.setter
    def in_flight(self, number: int) -> None:
        self._in_flight = number
        self._gauge.set(number)

    def record(self, route: str, status: int, seconds: float) -> None:
        self._requests.labels(route, status).inc()
        self._seconds.labels(route).observe(seconds)


class Metrics:
    """Other modules add metrics with `counter`, `gauge` and `histogram`, once, when constructed."""

    def __init__(self, *, shared: bool = False) -> None:
        self.registry = CollectorRegistry()
        self.traffic: Traffic | SharedTraffic
        if shared:
            self.traffic = SharedTraffic(self)
        else:
            self.traffic = Traffic()
            self.registry.register(self.traffic)
        self.refused_bodies = self.counter(
            "http_bodies_refused", "Bodies not taken, by reason.", "reason"
        )
        self.rate_blind = self.counter(
            "rate_blind", "Requests let in because the limiter did not answer in time."
        )
        self.job_failures = self.counter("job_failures", "Jobs whose handler raised.", "kind")
        self.jobs_due_age = self.gauge(
            "jobs_oldest_due_seconds",
            "Age of the oldest job that is due, by pool.",
            "pool",
            merged="mostrecent",  # each process sees the whole queue
        )
        self.webhook_attempts = self.counter(
            "webhook_attempts", "Posts to customers, by outcome.", "outcome"
        )
        self.callbacks = self.counter("callbacks", "Platform callbacks, by outcome.", "outcome")
        self.callbacks_forwarded = self.counter(
            "callbacks_forwarded",
            "Statuses offered to the process that sent their messages, by outcome.",
            "outcome",
        )
        self.webhook_accounts_failing = self.counter(
            "webhook_accounts_failing", "Accounts whose first event has run out of attempts."
        )
        self.webhook_destinations_throttled = self.gauge(
            "webhook_destinations_throttled",
            "Webhook destinations that keep failing and are slowed.",
        )
        self.syncs = self.counter("syncs", "Live accounts read at the platform.", "outcome")
        self.messages = self.counter(
            "messages", "Messages that came to a status: sent, failed and so on.", "outcome"
        )

    @classmethod
    def of_slot(cls, number: int) -> Self:
        """For one of several processes. The library's storage is selected by a global variable."""
        values.ValueClass = values.MultiProcessValue(lambda: number)
        return cls(shared=True)

    def counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, namespace="tidings", registry=self.registry)

    def gauge(self, name: str, text: str, *labels: str, merged: Merged = "max") -> Gauge:
        return Gauge(
            name,
            text,
            labels,
            namespace="tidings",
            registry=self.registry,
            multiprocess_mode=merged,
        )

    def histogram(
        self, name: str, text: str, *labels: str, buckets: tuple[float, ...] = _LATENCY_SECONDS
    ) -> Histogram:
        return Histogram(
            name, text, labels, namespace="tidings", registry=self.registry, buckets=buckets
        )

    def render(self) -> bytes:
        return generate_latest(self.registry)


def render_shared(folder: Path) -> bytes:
    """The counts of all processes that share this folder."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder))
    return generate_latest(registry)
