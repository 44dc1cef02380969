"""What a span is, and its ids. Pure.

The id of a message (a uuid7, 128 bits) is the id of its trace, and its last 64 bits are the id of
the span that all later spans of the message have as their parent. So every process, and the same
process after a restart, continues the trace with nothing stored or passed on.
"""

import re
from datetime import datetime
from enum import IntEnum
from uuid import UUID

import msgspec

Value = str | int | bool

_SPAN_BITS = (1 << 64) - 1
_GOLDEN = 0x9E37_79B9_7F4A_7C15  # multiplying by it spreads neighbouring ids (Knuth, 6.4)
_TRACEPARENT = re.compile(rb"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


class Kind(IntEnum):
    """The values of opentelemetry.trace.SpanKind."""

    INTERNAL = 0
    SERVER = 1
    CLIENT = 2
    PRODUCER = 3
    CONSUMER = 4


class SpanId(msgspec.Struct, frozen=True):
    """A span and the trace that it belongs to."""

    trace: int
    span: int

    @property
    def traceparent(self) -> str:
        """The header for whom we call; only recorded spans are passed on."""
        return f"00-{self.trace:032x}-{self.span:016x}-01"


class Span(msgspec.Struct, frozen=True):
    """A span that has ended."""

    name: str
    kind: Kind
    id: SpanId
    parent: int | None
    started_at: datetime
    ended_at: datetime
    attributes: dict[str, Value]
    error: str | None = None  # its code; None: it did not fail
    links: tuple[SpanId, ...] = ()


def message_span(message_id: UUID) -> SpanId:
    """`message.accept`, the parent of all later spans of a message. Not zero: the last 64 bits of a
    uuid begin with its variant."""
    return SpanId(message_id.int, message_id.int & _SPAN_BITS)


def request_span(message_id: UUID) -> SpanId:
    """The request that sent a single message: the parent of `message.accept`."""
    return SpanId(message_id.int, (message_id.int & _SPAN_BITS) ^ 1)


def is_sampled(trace: int, percent: int) -> bool:
    """By the trace id, so that every process decides the same. Ids of one millisecond are made by
    counting up, hence the hash."""
    return (trace * _GOLDEN & _SPAN_BITS) * 100 < percent << 64


def parse_traceparent(header: bytes | None) -> tuple[SpanId, bool] | None:
    """The caller's span and whether it is recorded; None where the header is absent or invalid."""
    found = _TRACEPARENT.fullmatch(header) if header else None
    if found is None or found[1] == b"ff" or (found[1] == b"00" and found[5]):
        return None
    trace, span = int(found[2], 16), int(found[3], 16)
    return (SpanId(trace, span), bool(int(found[4], 16) & 1)) if trace and span else None
