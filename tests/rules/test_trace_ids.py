"""The ids of spans, and the header that names a caller's."""

import pytest

from tidings.engine.traces.model import (
    SpanId,
    is_sampled,
    message_span,
    parse_traceparent,
    request_span,
)
from tidings.ids import new_id

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CALLER = SpanId(int(TRACE, 16), int(SPAN, 16))


def test_the_id_of_a_message_is_that_of_its_trace() -> None:
    message_id = new_id()
    accept, request = message_span(message_id), request_span(message_id)
    assert f"{accept.trace:032x}" == f"{request.trace:032x}" == message_id.hex
    assert accept.span != request.span
    assert accept.traceparent == f"00-{message_id.hex}-{message_id.hex[16:]}-01"


@pytest.mark.parametrize(
    ("header", "read"),
    [
        (f"00-{TRACE}-{SPAN}-01", (CALLER, True)),
        (f"00-{TRACE}-{SPAN}-00", (CALLER, False)),
        (f"00-{TRACE}-{SPAN}-03", (CALLER, True)),
        (f"01-{TRACE}-{SPAN}-01-later", (CALLER, True)),  # a later version may have more
        (f"00-{TRACE}-{SPAN}-01-later", None),
        (f"ff-{TRACE}-{SPAN}-01", None),
        (f"00-{'0' * 32}-{SPAN}-01", None),
        (f"00-{TRACE}-{'0' * 16}-01", None),
        (f"00-{TRACE.upper()}-{SPAN}-01", None),
        (f"00-{TRACE}-{SPAN}", None),
        ("", None),
    ],
)
def test_a_callers_span_is_read(header: str, read: tuple[SpanId, bool] | None) -> None:
    assert parse_traceparent(header.encode()) == read


def test_a_share_of_messages_is_traced() -> None:
    ids = [new_id().int for _ in range(20_000)]
    assert all(is_sampled(one, 100) for one in ids)
    assert 1_500 < sum(is_sampled(one, 10) for one in ids) < 2_500
