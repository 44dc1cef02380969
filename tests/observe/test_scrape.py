"""What a real server with two processes exposes, and whether alerts and dashboard ask for that."""

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.observe.test_files import alerts
from tests.support.observed import (
    MESSAGES,
    ROOT,
    Observed,
    Query,
    names,
    needs_prometheus,
    observed_service,
    panel_queries,
    promtool,
    running_prometheus,
    samples,
    total,
)
from tests.support.service import TestService
from tests.support.waiting import eventually
from tidings import operations
from tidings.features.messages.send.dispatch import _OUTCOMES
from tidings.platforms.failure_table import TABLE, UNKNOWN_ERROR

NAME = re.compile(r"\b(tidings_\w+|process_\w+|up)\b(?:\{(.*?)\})?", re.DOTALL)
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
GROUPED = re.compile(r"\bby \(([^)]*)\)")
ADDED = {"job", "instance"}  # by Prometheus
# Values that a label may have, and has only when something fails.
FAILING = {
    "status": {"5..", "500", "503"},
    "outcome": set(_OUTCOMES.values()),
    "code": {row[0] for rows in TABLE.values() for row in rows.values()}
    | {UNKNOWN_ERROR[0], "PLATFORM_UNREACHABLE"},
}


@pytest.fixture(scope="module")
def observed() -> Iterator[Observed]:
    with observed_service() as running:
        running.make_traffic()
        yield running


Labels = dict[str, dict[str, set[str]]]  # the values of the labels of each metric


@pytest.fixture(scope="module")
def scraped(observed: Observed) -> Labels:
    found: Labels = {"up": {}}
    for name, labels, _ in samples(observed.scrape()):
        of_name = found.setdefault(name, {})
        for label, value in labels.items():
            of_name.setdefault(label, set()).add(value)
    return found


def alert_queries() -> list[Query]:
    return [Query(alert["alert"], alert["expr"]) for alert in alerts()]


def is_up(observed: Observed, process: str) -> bool:
    """One that takes longer than two seconds to answer counts as down, for that scrape."""
    return total(observed.scrape(), "tidings_process_up", process=process) == 1


def test_every_process_is_counted(observed: Observed) -> None:
    page = observed.scrape()
    assert total(page, "tidings_messages_accepted_total", environment="live") >= MESSAGES
    assert total(page, "tidings_messages_total", status="read", kind="notification") >= MESSAGES
    assert total(page, "tidings_dispatch_seconds_count", outcome="accepted") >= MESSAGES
    assert total(page, "tidings_lane_batch_items_sum", lane="accept") >= MESSAGES
    assert total(page, "tidings_callback_seconds_count") > 0
    assert total(page, "tidings_webhook_delay_seconds_count") >= 3 * MESSAGES
    errors = {"source": "dispatch", "platform_code": "131026"}
    assert total(page, "tidings_platform_errors_total", **errors) >= 1
    assert total(page, "tidings_database_up") == 1
    assert total(page, "tidings_database_connections", pool="main") >= 2
    for process in ("1", "2", "supervisor"):
        eventually(lambda one=process: is_up(observed, one))
        assert total(page, "process_resident_memory_bytes", process=process) > 0
        assert total(page, "process_cpu_seconds_total", process=process) > 0


@needs_prometheus
def test_prometheus_finds_nothing_to_lint(observed: Observed) -> None:
    assert promtool("check", "metrics", text=observed.scrape()) == ""


def test_the_page_lists_every_metric(observed: Observed, service: TestService) -> None:
    page = (ROOT / "docs/operating/observe.md").read_text()
    listed = set(re.findall(r"^\| `((?:tidings|process)_\w+)` \|", page, re.MULTILINE))
    single = service.call(lambda: operations.get_metrics.handle(service.ctx, None))
    assert names(single.body.decode()) == listed
    assert names(observed.scrape()) <= listed


@pytest.mark.parametrize(
    "query", alert_queries() + panel_queries(), ids=lambda query: query.where.replace(" ", "-")
)
def test_alerts_and_panels_ask_for_what_there_is(scraped: Labels, query: Query) -> None:
    used = {name for name, _ in NAME.findall(query.text)}
    assert used and used <= scraped.keys()
    for name, matchers in NAME.findall(query.text):
        for label, operator, value in MATCHER.findall(matchers):
            assert label in scraped[name] or label in ADDED, f"{name} has no {label}"
            if operator in ("=", "=~") and label not in ADDED:
                known = scraped[name][label] | FAILING.get(label, set())
                assert set(value.split("|")) <= known, f"{name} has no {label} {value}"
    grouped = {one.strip() for found in GROUPED.findall(query.text) for one in found.split(",")}
    assert grouped <= ADDED.union(*(scraped[name] for name in used))


@needs_prometheus
def test_a_real_prometheus_answers_every_panel(observed: Observed, tmp_path: Path) -> None:
    with running_prometheus(observed.address, tmp_path) as prometheus:
        scraped = "sum_over_time(up[1h])"
        eventually(lambda: value(prometheus.query(scraped)) >= 1, 60)
        observed.make_traffic()  # after the first scrape: a rate needs a change between two
        for query in panel_queries():
            if not query.text.endswith("> 0"):  # shown only where something fails
                eventually(lambda text=query.text: is_answered(prometheus.query(text)), 60)
        eventually(lambda: all(rule["health"] == "ok" for rule in prometheus.rules()), 60)
        assert len(prometheus.rules()) == len(alerts())
        firing = [rule["name"] for rule in prometheus.rules() if rule["state"] == "firing"]
        assert not firing


def value(result: list[dict[str, list[float]]]) -> float:
    return float(result[0]["value"][1]) if result else 0.0


def is_answered(result: list[dict[str, list[float]]]) -> bool:
    return any(not math.isnan(float(series["value"][1])) for series in result)
