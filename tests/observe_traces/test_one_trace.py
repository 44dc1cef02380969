"""One trace from the request to the webhooks, over the processes that take part."""

import pytest

from tests.observe_traces.conftest import Traced
from tests.support.collector import SeenSpan
from tests.support.platform import recipients
from tidings.ids import account_ref

JOURNEY = [
    "POST /api/v1/messages/text",
    "accept.wait",
    "message.accept",
    "message.dispatch",
    "platform.call",
    "message.outcome",
    "webhook.post",
    "message.callback",
    "webhook.post",
]


@pytest.fixture(scope="module")
def recipient() -> str:
    return next(recipients)


@pytest.fixture(scope="module")
def journey(traced: Traced, recipient: str) -> list[SeenSpan]:
    """Sent by the first process; the platform calls the second one back."""
    trace = traced.send("order-0001", recipient)
    traced.collector.wait_for_names(trace, "webhook.post")
    traced.call_back(traced.second, recipient)
    return traced.collector.wait_for_names(trace, *JOURNEY)


def test_a_send_is_one_trace_in_order(journey: list[SeenSpan]) -> None:
    assert [span.name for span in journey if span.name != "message.outcome"] == [
        name for name in JOURNEY if name != "message.outcome"
    ]
    assert len(journey) == len(JOURNEY)
    for span in journey:
        assert span.started <= span.ended


def test_every_span_has_its_place(journey: list[SeenSpan]) -> None:
    names = {span.id: span.name for span in journey}
    places = {(span.name, names.get(span.parent, span.parent)) for span in journey}
    assert places == {
        ("POST /api/v1/messages/text", ""),
        ("accept.wait", "POST /api/v1/messages/text"),
        ("message.accept", "POST /api/v1/messages/text"),
        ("message.dispatch", "message.accept"),
        ("platform.call", "message.dispatch"),
        ("message.outcome", "message.dispatch"),
        ("message.callback", "message.accept"),
        ("webhook.post", "message.accept"),
    }


def test_spans_say_what_happened_to_which_message(traced: Traced, journey: list[SeenSpan]) -> None:
    request, accept = journey[0], journey[2]
    assert request.kind == "SERVER"
    assert request.attributes["http.route"] == "/api/v1/messages/text"
    assert request.attributes["http.response.status_code"] == 200
    assert request.attributes["tidings.request.id"].startswith("req_")
    assert accept.attributes["tidings.account.id"] == account_ref(traced.account.id)
    assert accept.attributes["tidings.message.id"] == accept.trace
    assert accept.attributes["tidings.message.kind"] == "notification"
    [callback] = [span for span in journey if span.name == "message.callback"]
    assert callback.attributes["tidings.callback.status"] == "delivered"
    posts = [span for span in journey if span.name == "webhook.post"]
    assert [post.attributes["http.response.status_code"] for post in posts] == [200, 200]


def test_no_span_has_a_phone_number(
    traced: Traced, journey: list[SeenSpan], recipient: str
) -> None:
    raw = b"".join(request.body for request in traced.collector.requests)
    assert recipient.encode() not in raw
    assert traced.account.key.encode() not in raw


def test_the_callbacks_request_links_to_the_message(
    traced: Traced, journey: list[SeenSpan]
) -> None:
    request = traced.collector.wait_for_span("POST /platform/whatsapp/webhook")
    assert (journey[2].trace, journey[2].id) in request.links
    assert request.trace != journey[2].trace


def test_webhooks_carry_the_trace(traced: Traced, journey: list[SeenSpan]) -> None:
    posts = [span for span in journey if span.name == "webhook.post"]
    headers = [request.headers["traceparent"] for request in traced.receiver.requests]
    assert [f"00-{post.trace}-{post.id}-01" for post in posts] == headers[: len(posts)]


def test_spans_name_their_process(journey: list[SeenSpan]) -> None:
    assert {span.process["service.name"] for span in journey} == {"tidings"}


def test_the_callers_span_is_linked(traced: Traced) -> None:
    caller = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    trace = traced.send("order-0002", next(recipients), traceparent=caller)
    request = traced.collector.wait_for_names(trace, "POST /api/v1/messages/text")[0]
    assert request.links == [("a" * 32, "b" * 16)]


def test_a_request_that_sends_nothing_continues_its_callers_trace(traced: Traced) -> None:
    caller = {"traceparent": "00-" + "c" * 32 + "-" + "d" * 16 + "-01"}
    traced.account.post("/messages/text", {}, headers=caller)
    [span] = traced.collector.wait_for_names("c" * 32, "POST /api/v1/messages/text")
    assert (span.parent, span.failed) == ("d" * 16, False)
    assert span.attributes["tidings.error.code"] == "VALIDATION_ERROR"


def test_a_caller_that_does_not_record_is_not_continued(traced: Traced) -> None:
    for trace, flags in (("1" * 32, "00"), ("2" * 32, "01")):
        caller = {"traceparent": f"00-{trace}-{'3' * 16}-{flags}"}
        traced.account.post("/messages/text", {}, headers=caller)
    traced.collector.wait_for_names("2" * 32, "POST /api/v1/messages/text")
    assert traced.collector.trace("1" * 32) == []


def test_a_duplicate_links_to_the_original(traced: Traced) -> None:
    to = next(recipients)
    original = traced.send("order-0003", to)
    caller = {"traceparent": "00-" + "e" * 32 + "-" + "f" * 16 + "-01"}
    traced.send("order-0003", to, **caller)
    [span] = traced.collector.wait_for_names("e" * 32, "POST /api/v1/messages/text")
    assert [trace for trace, _ in span.links] == [original]
    names = [span.name for span in traced.collector.trace(original)]
    assert names.count("message.accept") == 1


def test_messages_of_a_batch_have_traces_that_link_to_the_request(traced: Traced) -> None:
    items = [
        {"clientMessageId": f"batch-{n:04}", "to": next(recipients), "templateName": "plain"}
        for n in range(3)
    ]
    answer = traced.account.post("/messages/bulk", {"messages": items})
    assert answer.status_code == 202, answer.text
    request = traced.collector.wait_for_span("POST /api/v1/messages/bulk")
    for n in range(3):
        trace = traced.message_id(f"batch-{n:04}")
        names = ["message.accept", "message.dispatch", "queue.wait", "platform.call"]
        spans = {one.name: one for one in traced.collector.wait_for_names(trace, *names)}
        accept = spans["message.accept"]
        assert (accept.parent, spans["queue.wait"].parent) == ("", accept.id)
        assert accept.links == [(request.trace, request.id)]
        assert accept.attributes["tidings.batch.id"].startswith("bat_")
