"""Makes spans after the fact, from the times at which something began and ended.

A process that does not trace has no `Tracer`: whoever would record a span checks for None first.
Nothing here waits: `put` takes a span into a bounded buffer, or counts it as dropped.
"""

import secrets
from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from uuid import UUID

from tidings.clock import Clock

from .model import (
    Kind,
    Span,
    SpanId,
    Value,
    is_sampled,
    message_span,
    parse_traceparent,
    request_span,
)

ACCOUNT = "tidings.account.id"
MESSAGE = "tidings.message.id"
LINKS_MAX = 100  # of one request; a callback may be about more messages


class RequestTrace:
    """The request that the current task answers."""

    __slots__ = ("caller", "is_sampled", "links", "message_id", "span", "started_at")

    def __init__(self, span: SpanId, caller: SpanId | None, started_at: datetime) -> None:
        self.span = span
        self.caller = caller
        self.started_at = started_at
        self.is_sampled = True
        self.message_id: UUID | None = None  # the one that it sent: its span belongs to that trace
        self.links: list[SpanId] = []  # other messages that it is about

    def add_link(self, message_id: UUID) -> None:
        if len(self.links) < LINKS_MAX:
            self.links.append(message_span(message_id))


REQUEST: ContextVar[RequestTrace | None] = ContextVar("traced_request", default=None)


class Tracer:
    """`put`: takes a span for export. `percent`: of all traces that are recorded. `close` exports
    what is left; it may wait, so not on the event loop."""

    def __init__(
        self,
        clock: Clock,
        put: Callable[[Span], None],
        percent: int = 100,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self._clock = clock
        self._put = put
        self._percent = percent
        self.close = close

    def now(self) -> datetime:
        return self._clock.now()

    def records(self, span: SpanId) -> bool:
        """Whether the trace of this span is recorded: every process decides the same."""
        return is_sampled(span.trace, self._percent)

    def new_span(self, trace: int | None = None) -> SpanId:
        """An id for a span of this trace, or of a new one."""
        trace = trace or int.from_bytes(secrets.token_bytes(16)) or 1
        return SpanId(trace, int.from_bytes(secrets.token_bytes(8)) or 1)

    def put(
        self,
        name: str,
        started_at: datetime,
        span: SpanId,
        *,
        parent: SpanId | None,
        kind: Kind = Kind.INTERNAL,
        ended_at: datetime | None = None,
        attributes: dict[str, Value] | None = None,
        error: str | None = None,
        links: tuple[SpanId, ...] = (),
    ) -> None:
        """A span that ends now, unless `ended_at` says when. The clock may have been set back: a
        span does not end before it started."""
        ended_at = max(started_at, ended_at or self._clock.now())
        above = None if parent is None else parent.span
        self._put(
            Span(name, kind, span, above, started_at, ended_at, attributes or {}, error, links)
        )

    # Requests

    def begin_request(self, traceparent: bytes | None) -> RequestTrace:
        """A request continues its caller's trace, unless it sends a message. Callers are strangers:
        what they record is recorded here only as far as `percent` goes."""
        caller, is_recorded = parse_traceparent(traceparent) or (None, False)
        span = self.new_span(None if caller is None else caller.trace)
        request = RequestTrace(span, caller, self._clock.now())
        request.is_sampled = (is_recorded or caller is None) and self.records(span)
        REQUEST.set(request)
        return request

    def end_request(
        self, request: RequestTrace, name: str, attributes: dict[str, Value], error: str | None
    ) -> None:
        links = request.links
        if request.message_id is None:
            span, parent, is_recorded = request.span, request.caller, request.is_sampled
        else:
            span, parent = request_span(request.message_id), None
            is_recorded = self.records(span)
            links = [*links, request.caller] if request.caller else links
            attributes[MESSAGE] = request.message_id.hex
        if is_recorded:
            self.put(
                name,
                request.started_at,
                span,
                parent=parent,
                kind=Kind.SERVER,
                attributes=attributes,
                error=error,
                links=tuple(links),
            )
