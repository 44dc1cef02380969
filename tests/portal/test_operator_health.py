"""Health: queues, charts of the last hour, processes."""

from tests.support.operators import operator_of
from tests.support.portal import text_of
from tests.support.service import TestAccount
from tidings.features.operation.health_record import HealthRecorder


def test_it_shows_queues_charts_and_processes(account: TestAccount) -> None:
    service = account.service
    recorder = HealthRecorder(service.ctx, frozenset({"api", "worker"}))
    for index in range(3):
        account.send(clientMessageId=f"beat-{index:05}", to="972501234567", templateName="plain")
    service.call(recorder.tick)
    page = operator_of(service).get("/operator/health")
    assert page.h1 == "Health"
    assert {row[0] for row in page.rows(0)} == set(service.ctx.pools)
    titles = [text_of(one) for one in page.soup.select("figure .chart-title")]
    assert titles[:2] == ["Requests a minute", "Latency of requests"] and len(titles) == 6
    assert "api, worker" in page.main and "running" in page.main
    service.call(recorder.end)
