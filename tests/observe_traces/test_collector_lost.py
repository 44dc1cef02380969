"""A collector that is gone or slow costs spans, and nothing else."""

from pathlib import Path
from typing import cast

from tests.support.collector import Collector
from tests.support.database import fresh_database
from tests.support.receiver import hang
from tests.support.service import GUEST, TestService
from tests.support.waiting import eventually
from tidings.clock import SystemClock
from tidings.engine.metrics import Metrics
from tidings.engine.traces import export
from tidings.engine.traces.model import Kind
from tidings.engine.traces.start import start
from tidings.engine.traces.tracer import Tracer

NOBODY = "http://127.0.0.1:9"


def outcomes(metrics: Metrics) -> dict[str, float]:
    [family] = [f for f in metrics.registry.collect() if f.name == "tidings_trace_spans"]
    totals = [sample for sample in family.samples if sample.name.endswith("_total")]
    return {sample.labels["outcome"]: sample.value for sample in totals if sample.value}


def tracing(url: str, metrics: Metrics) -> Tracer:
    clock, counter = SystemClock(), metrics.trace_spans
    return start(url, percent=100, clock=clock, counter=counter, roles=["api"])


def test_messages_are_sent_while_nobody_takes_the_spans(tmp_path: Path) -> None:
    settings = {"TIDINGS_OTLP_URL": NOBODY}
    with TestService(fresh_database(), tmp_path, settings=settings) as service:
        account = service.account()
        answer = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
        assert answer.json()["data"]["status"] == "sent"
    eventually(lambda: outcomes(service.ctx.metrics).get("dropped_export_failed"))
    assert "exported" not in outcomes(service.ctx.metrics)


def test_a_collector_that_never_answers_does_not_keep_the_service(tmp_path: Path) -> None:
    with Collector() as collector:
        collector.answer(hang())
        service = TestService(fresh_database(), tmp_path, settings=collector.settings)
        with service:
            account = service.account()
            account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
            collector.wait_for(1)
            answer = account.send(clientMessageId="order-0002", to=GUEST, templateName="plain")
            assert answer.json()["data"]["status"] == "sent"


def test_the_buffer_is_bounded_and_what_it_cannot_take_is_counted() -> None:
    metrics, too_many = Metrics(), 7
    with Collector() as collector:
        collector.answer(hang())
        tracer = tracing(collector.base, metrics)
        now = tracer.now()
        tracer.put("first", now, tracer.new_span(), parent=None)
        collector.wait_for(1)  # the thread is busy from now on
        for _ in range(export.BUFFERED_MAX + too_many):
            tracer.put("more", now, tracer.new_span(), parent=None)
        assert outcomes(metrics)["dropped_buffer_full"] == too_many
        tracer.close()


def test_a_span_that_cannot_be_sent_does_not_end_the_export() -> None:
    metrics = Metrics()
    with Collector() as collector:
        tracer = tracing(collector.base, metrics)
        now, no_kind = tracer.now(), cast(Kind, 99)
        tracer.put("bug", now, tracer.new_span(), parent=None, kind=no_kind)
        eventually(lambda: outcomes(metrics).get("dropped_export_failed") == 1)
        tracer.put("taken", now, tracer.new_span(), parent=None)
        eventually(lambda: outcomes(metrics).get("exported") == 1)
        tracer.close()


def test_it_is_told_again_once_it_takes_spans() -> None:
    metrics = Metrics()
    with Collector() as collector:
        collector.answer(400)
        tracer = tracing(f"{collector.base}/v1/traces", metrics)
        tracer.put("lost", tracer.now(), tracer.new_span(), parent=None)
        eventually(lambda: outcomes(metrics).get("dropped_export_failed") == 1)
        collector.answer(200)
        tracer.put("taken", tracer.now(), tracer.new_span(), parent=None)
        eventually(lambda: outcomes(metrics).get("exported") == 1)
        tracer.close()
    assert {request.path for request in collector.requests} == {"/v1/traces"}
