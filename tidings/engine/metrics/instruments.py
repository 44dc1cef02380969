"""Makes the counters, gauges and distributions of one process, or those that several share."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics
from prometheus_client.core import Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from .distribution import Distribution, PlainDistribution, SharedDistribution

CONTENT_TYPE = CONTENT_TYPE_LATEST
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's own variable
NAMESPACE = "tidings"
# How the gauges of several processes are merged; "live": of those that run.
Merged = Literal["livesum", "livemin", "livemax", "livemostrecent"]

LATENCY_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

# Times of creation would double the number of series, and no alert or chart uses them.
disable_created_metrics()


class Instruments:
    """A registry, and what is declared in it. Each name once, when its user is constructed."""

    def __init__(self, *, shared: bool) -> None:
        self.registry = CollectorRegistry()
        self._is_shared = shared
        self._distributions: list[Distribution] = []

    def counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, namespace=NAMESPACE, registry=self.registry)

    def gauge(self, name: str, text: str, *labels: str, merged: Merged = "livemax") -> Gauge:
        return Gauge(
            name,
            text,
            labels,
            namespace=NAMESPACE,
            registry=self.registry,
            multiprocess_mode=merged,
        )

    def distribution(
        self, name: str, text: str, *labels: str, bounds: Sequence[float] = LATENCY_SECONDS
    ) -> Distribution:
        name = f"{NAMESPACE}_{name}"
        if self._is_shared:
            shared = SharedDistribution.declare(name, text, labels, bounds, self.registry)
            self._distributions.append(shared)
            return shared
        made = PlainDistribution(name, text, labels, bounds)
        self.registry.register(made)
        return made

    def flush(self) -> None:
        """Write what has gathered to where the supervisor reads it; nothing in a single process."""
        for one in self._distributions:
            one.flush()

    def render(self) -> bytes:
        return generate_latest(self.registry)


class _Shared(Collector):
    """What the library's own collector finds, without files that a process is just making: it fails
    on an empty one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        files = [str(file) for file in self._folder.glob("*.db") if file.stat().st_size]
        merged: Iterable[Metric] = MultiProcessCollector.merge(files)
        return merged


def render_shared(folder: Path, *collectors: Collector) -> bytes:
    """The counts of all processes that share this folder, and what these collectors add."""
    registry = CollectorRegistry()
    for collector in (_Shared(folder), *collectors):
        registry.register(collector)
    return generate_latest(registry)


def forget_gauges(folder: Path, slot: int) -> None:
    """The process of this slot has ended: what it measured last is true no more."""
    mark_process_dead(slot, str(folder))
