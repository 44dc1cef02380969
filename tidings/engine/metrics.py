"""What the service counts, for Prometheus. A registry of our own, handed to whoever counts."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST

_LATENCY_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Traffic(Collector):
    """HTTP requests, by route and status. Plain numbers of one thread's loop: a lock and a look-up
    for each would cost more than the rest of a short request."""

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
        text = "Requests answered, by route and status."
        counts = CounterMetricFamily("tidings_http_requests", text, labels=["route", "status"])
        for (route, status), count in self._counts.items():
            counts.add_metric([route, str(status)], count)
        yield counts
        text = "From the headers of a request to the end of its answer."
        times = HistogramMetricFamily("tidings_http_request_seconds", text, labels=["route"])
        for route, buckets in self._buckets.items():
            bounds = [*(str(bound) for bound in _LATENCY_SECONDS), "+Inf"]
            totals = list(zip(bounds, accumulate(buckets), strict=True))
            times.add_metric([route], totals, self._seconds[route])
        yield times
        text = "Requests being answered."
        yield GaugeMetricFamily("tidings_http_requests_in_flight", text, value=self.in_flight)


class Metrics:
    """Other parts add theirs with `counter`, `gauge` and `histogram`, once, where they are made."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
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
            "jobs_oldest_due_seconds", "Age of the oldest job that is due, by pool.", "pool"
        )
        self.webhook_attempts = self.counter(
            "webhook_attempts", "Posts to customers, by outcome.", "outcome"
        )
        self.callbacks = self.counter(
            "callbacks", "What the platform told us, by what became of it.", "outcome"
        )
        self.webhook_accounts_failing = self.counter(
            "webhook_accounts_failing", "Accounts whose first event has run out of attempts."
        )
        self.webhook_lines_slowed = self.gauge(
            "webhook_lines_slowed", "Webhook destinations that keep failing and are slowed."
        )
        self.syncs = self.counter("syncs", "Live accounts read at the platform.", "outcome")
        self.messages = self.counter(
            "messages", "Messages that came to a status: sent, failed and so on.", "outcome"
        )

    def counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, namespace="tidings", registry=self.registry)

    def gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(name, text, labels, namespace="tidings", registry=self.registry)

    def histogram(
        self, name: str, text: str, *labels: str, buckets: tuple[float, ...] = _LATENCY_SECONDS
    ) -> Histogram:
        return Histogram(
            name, text, labels, namespace="tidings", registry=self.registry, buckets=buckets
        )

    def render(self) -> bytes:
        return generate_latest(self.registry)
