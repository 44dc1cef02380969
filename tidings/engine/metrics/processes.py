"""`process_*` of every process (CPU time, memory, descriptors, start), and the running version.

Read from /proc at the time of a scrape, by whoever serves the page: a single process for itself,
the supervisor for all of its processes and itself.
"""

import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

SUPERVISOR = "supervisor"
_LABELS = ["process", "roles"]


@dataclass(frozen=True, slots=True)
class ProcessInfo:
    name: str  # "1" to "N", or SUPERVISOR
    roles: str
    pid: int | None  # None: it is not running
    restarts: int = 0
    answers: bool = True


class Processes(Collector):
    def __init__(self, version: str, find: Callable[[], Iterable[ProcessInfo]]) -> None:
        self._version = version
        self._find = find

    def collect(self) -> Iterator[Metric]:
        labels = {"version": self._version, "python": platform.python_version()}
        build = GaugeMetricFamily(
            "tidings_build_info", "The running version; always 1.", labels=list(labels)
        )
        build.add_metric(list(labels.values()), 1)
        yield build
        up = GaugeMetricFamily(
            "tidings_process_up", "Whether a process runs and answers.", labels=_LABELS
        )
        restarts = CounterMetricFamily(
            "tidings_process_restarts", "Restarts by the supervisor.", labels=_LABELS
        )
        families: dict[str, Metric] = {}
        for process in self._find():
            is_up = process.pid is not None and process.answers
            up.add_metric([process.name, process.roles], is_up)
            restarts.add_metric([process.name, process.roles], process.restarts)
            _add(families, process)
        yield from (up, restarts, *families.values())


def _add(families: dict[str, Metric], process: ProcessInfo) -> None:
    """The library's own samples of a process, with our labels."""
    if process.pid is None:
        return
    pid = process.pid
    labels = {"process": process.name, "roles": process.roles}
    for family in ProcessCollector(pid=lambda: pid, registry=None).collect():
        merged = families.setdefault(
            family.name, Metric(family.name, family.documentation, family.type)
        )
        for sample in family.samples:
            merged.add_sample(sample.name, labels, sample.value)
