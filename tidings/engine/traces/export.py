"""Sends spans to the collector (OTLP over HTTP, protobuf), from a thread of its own.

The buffer is bounded: while the collector is slow or gone, new spans are dropped and counted, and
requests notice nothing. Closing waits for the thread only briefly.
"""

import logging
import os
import socket
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from threading import Event, Thread

import structlog
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags
from prometheus_client import Counter

from tidings import __version__

from .model import Kind, Span, SpanId

BUFFERED_MAX = 20_000
BATCH_MAX = 512
EVERY_SECONDS = 1.0
TIMEOUT_SECONDS = 5.0  # of one export, with its retries
CLOSE_SECONDS = 2.0

_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_KINDS = {kind: SpanKind(int(kind)) for kind in Kind}
_SCOPE = InstrumentationScope("tidings", __version__)

log = structlog.get_logger()


class Exporter:
    """`counter`: of spans, by outcome."""

    def __init__(self, url: str, counter: Counter, roles: Sequence[str]) -> None:
        # It would log every failure; an outage is one line of ours.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        self._client = OTLPSpanExporter(endpoint=_endpoint(url), timeout=TIMEOUT_SECONDS)
        self._resource = _resource(roles)
        self._url = url
        self._exported = counter.labels("exported")
        self._refused = counter.labels("dropped_export_failed")
        self._overflowed = counter.labels("dropped_buffer_full")
        self._spans: deque[Span] = deque()
        self._due = Event()
        self._is_closing = False
        self._is_lost = False
        self._thread = Thread(target=self._run, name="traces", daemon=True)
        self._thread.start()

    def put(self, span: Span) -> None:
        """On the event loop."""
        if len(self._spans) >= BUFFERED_MAX:
            self._overflowed.inc()
            return
        self._spans.append(span)
        if len(self._spans) == BATCH_MAX:
            self._due.set()

    def close(self) -> None:
        """Send what is left, if the collector takes it in time. The thread is a daemon: one that
        hangs in a call does not keep the process."""
        self._is_closing = True
        self._due.set()
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            self._client.shutdown()  # ends its retries

    def _run(self) -> None:
        while not self._is_closing:
            self._due.wait(EVERY_SECONDS)
            self._due.clear()
            self._export_all()
        self._export_all()
        self._refused.inc(len(self._spans))
        self._client.shutdown()

    def _export_all(self) -> None:
        while self._spans:
            count = min(BATCH_MAX, len(self._spans))
            batch = [self._spans.popleft() for _ in range(count)]
            is_exported = self._export(batch)
            (self._exported if is_exported else self._refused).inc(count)
            self._note(is_lost=not is_exported)
            if not is_exported:
                return  # the next attempt is after a pause, or never

    def _export(self, batch: list[Span]) -> bool:
        """Whether the collector took them. A span that cannot be converted must not end the thread,
        and with it all traces."""
        try:
            result = self._client.export([self._converted(span) for span in batch])
        except Exception:
            log.exception("spans.export_failed", spans=len(batch))
            return False
        return result is SpanExportResult.SUCCESS

    def _note(self, *, is_lost: bool) -> None:
        """One line when the collector stops taking spans, and one when it takes them again."""
        if is_lost and not self._is_lost:
            log.warning("collector.lost", address=self._url)
        elif self._is_lost and not is_lost:
            log.info("collector.recovered", address=self._url)
        self._is_lost = is_lost

    def _converted(self, span: Span) -> ReadableSpan:
        attributes = dict(span.attributes)
        if span.error is not None:
            attributes["error.type"] = span.error
        parent = None if span.parent is None else _context(SpanId(span.id.trace, span.parent))
        return ReadableSpan(
            name=span.name,
            context=_context(span.id),
            parent=parent,
            resource=self._resource,
            attributes=attributes,
            links=[Link(_context(link)) for link in span.links],
            kind=_KINDS[span.kind],
            instrumentation_scope=_SCOPE,
            status=Status(StatusCode.UNSET if span.error is None else StatusCode.ERROR),
            start_time=_nanoseconds(span.started_at),
            end_time=_nanoseconds(span.ended_at),
        )


def _endpoint(url: str) -> str:
    return url if url.endswith("/v1/traces") else f"{url}/v1/traces"


def _resource(roles: Sequence[str]) -> Resource:
    """OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win, as with any other program."""
    ours = Resource(
        {
            "service.name": "tidings",
            "service.version": __version__,
            "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
            "process.pid": os.getpid(),
            "tidings.roles": list(roles),
        }
    )
    return ours.merge(OTELResourceDetector().detect())


def _context(span: SpanId) -> SpanContext:
    return SpanContext(span.trace, span.span, is_remote=False, trace_flags=_SAMPLED)


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1000
