"""HTTP requests by route and status.

Plain numbers in a single process, since one event loop updates them: a lock and a lookup per
request would cost more than the rest of a short request.
"""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from .instruments import Instruments

_REQUESTS = ("http_requests", "Requests answered, by route and status.")
_SECONDS = ("http_request_seconds", "From the headers of a request to the end of its answer.")
_IN_FLIGHT = ("http_requests_in_flight", "Requests being answered.")


class Traffic(Collector):
    def __init__(self, instruments: Instruments) -> None:
        self.in_flight = 0
        self._counts: dict[tuple[str, int], int] = {}
        self._seconds = instruments.distribution(*_SECONDS, "route")
        instruments.registry.register(self)

    def record(self, route: str, status: int, seconds: float) -> None:
        self._counts[route, status] = self._counts.get((route, status), 0) + 1
        self._seconds.observe(seconds, (route,))

    def collect(self) -> Iterator[Metric]:
        name, text = _REQUESTS
        counts = CounterMetricFamily(f"tidings_{name}", text, labels=["route", "status"])
        for (route, status), count in self._counts.items():
            counts.add_metric([route, str(status)], count)
        yield counts
        name, text = _IN_FLIGHT
        yield GaugeMetricFamily(f"tidings_{name}", text, value=self.in_flight)


class SharedTraffic:
    """`Traffic` for one of several processes: its counters survive the process."""

    def __init__(self, instruments: Instruments) -> None:
        self._requests = instruments.counter(*_REQUESTS, "route", "status")
        self._seconds = instruments.distribution(*_SECONDS, "route")
        self._gauge = instruments.gauge(*_IN_FLIGHT, merged="livesum")
        self.in_flight = 0

    @property
    def in_flight(self) -> int:
        return self._in_flight

    @in_flight.setter
    def in_flight(self, number: int) -> None:
        self._in_flight = number
        self._gauge.set(number)

    def record(self, route: str, status: int, seconds: float) -> None:
        self._requests.labels(route, status).inc()
        self._seconds.observe(seconds, (route,))
