"""Which spans are made, and what they say of their times."""

from datetime import timedelta

from tests.support.clock import ManualClock
from tidings.engine.traces.model import Span, message_span
from tidings.engine.traces.tracer import LINKS_MAX, Tracer
from tidings.ids import new_id


def test_a_share_of_requests_is_recorded() -> None:
    spans: list[Span] = []
    tracer = Tracer(ManualClock(), spans.append, percent=10)
    for _ in range(2_000):
        tracer.end_request(tracer.begin_request(None), "GET /x", {}, None)
    assert 100 < len(spans) < 350


def test_callers_that_record_everything_do_not_raise_the_share() -> None:
    spans: list[Span] = []
    tracer = Tracer(ManualClock(), spans.append, percent=10)
    for _ in range(2_000):
        caller = tracer.new_span().traceparent.encode()
        tracer.end_request(tracer.begin_request(caller), "GET /x", {}, None)
    assert 100 < len(spans) < 350


def test_the_request_of_a_message_is_recorded_if_the_message_is() -> None:
    spans: list[Span] = []
    tracer = Tracer(ManualClock(), spans.append, percent=50)
    sent = [new_id() for _ in range(200)]
    for message_id in sent:
        request = tracer.begin_request(None)
        request.message_id = message_id
        tracer.end_request(request, "POST /x", {}, None)
    recorded = [one.int for one in sent if tracer.records(message_span(one))]
    assert [span.id.trace for span in spans] == recorded


def test_a_span_does_not_end_before_it_started() -> None:
    spans: list[Span] = []
    clock = ManualClock()
    tracer = Tracer(clock, spans.append)
    ahead = clock.now() + timedelta(seconds=5)  # another machine's clock
    tracer.put("x", ahead, tracer.new_span(), parent=None)
    assert spans[0].ended_at == spans[0].started_at == ahead


def test_a_request_links_to_so_many_messages_and_no_more() -> None:
    request = Tracer(ManualClock(), lambda _: None).begin_request(None)
    for _ in range(LINKS_MAX + 5):
        request.add_link(new_id())
    assert len(request.links) == LINKS_MAX
