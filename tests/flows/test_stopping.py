"""A service that was asked to stop: it answers what it has, and leaves the queue to others."""

from pathlib import Path

from tests.support.database import fresh_database
from tests.support.service import GUEST, TestService
from tests.support.waiting import eventually
from tidings.features.messages.send.dispatch import SEND


def sends(service: TestService) -> float:
    registry = service.ctx.metrics.registry
    return registry.get_sample_value("tidings_jobs_total", {"kind": SEND}) or 0


def test_a_service_that_stops_claims_nothing_more(tmp_path: Path) -> None:
    """While the last requests are answered, its jobs end: one time limit holds for both."""
    dsn = fresh_database()
    with TestService(dsn, tmp_path) as stopping:
        account = stopping.account()

        async def begin() -> None:
            stopping.service.begin_stop()

        stopping.call(begin)
        hello = {"to": GUEST, "templateName": "hello", "templateParams": ["Dana"]}
        items = [{**hello, "clientMessageId": f"stopping-{n}"} for n in range(3)]
        answer = account.post("/messages/bulk", {"messages": items})
        assert len(answer.json()["data"]["accepted"]) == 3, answer.text
        with TestService(dsn, tmp_path) as other:
            eventually(lambda: sends(other) == 3)
        assert sends(stopping) == 0
