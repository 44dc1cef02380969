"""Start to trace: the only place that loads the exporter, and with it opentelemetry."""

from collections.abc import Sequence

from prometheus_client import Counter

from tidings.clock import Clock

from .tracer import Tracer


class NotInstalled(Exception):
    """The libraries of `tidings[traces]` are missing."""


def require_installed() -> None:
    try:
        from . import export  # noqa: F401 - only loads it
    except ImportError as reason:
        raise NotInstalled(str(reason)) from None


def start(
    url: str, *, percent: int, clock: Clock, counter: Counter, roles: Sequence[str]
) -> Tracer:
    """`counter`: of spans, by outcome."""
    require_installed()
    from .export import Exporter

    exporter = Exporter(url, counter, roles)
    return Tracer(clock, exporter.put, percent, exporter.close)
