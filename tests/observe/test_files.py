"""The alerts and the dashboard in deploy/: valid, tested, explained."""

import re
from typing import Any

import msgspec

from tests.support.observed import DEPLOY, ROOT, needs_prometheus, panels, promtool
from tidings.platforms import failures

PROMETHEUS = DEPLOY / "prometheus"
ALERTS = PROMETHEUS / "alerts.yml"
ROWS = ["Traffic", "Messages", "Queue", "Webhooks", "Platform", "Database", "Processes"]


def alerts() -> list[dict[str, Any]]:
    groups = msgspec.yaml.decode(ALERTS.read_bytes())["groups"]
    return [rule for group in groups for rule in group["rules"]]


@needs_prometheus
def test_prometheus_accepts_the_configuration_and_the_rules() -> None:
    promtool("check", "config", PROMETHEUS / "prometheus.yml")
    promtool("check", "rules", ALERTS)


@needs_prometheus
def test_the_alerts_fire_when_they_should_and_only_then() -> None:
    promtool("test", "rules", PROMETHEUS / "alerts_test.yml")


def test_every_alert_has_a_test_in_which_it_fires() -> None:
    tested = (PROMETHEUS / "alerts_test.yml").read_text()
    for alert in alerts():
        assert f'alertname="{alert["alert"]}"' in tested, alert["alert"]


def test_every_alert_leads_to_its_section_and_is_listed() -> None:
    runbooks = (ROOT / "docs/operating/troubleshoot.md").read_text()
    page = (ROOT / "docs/operating/observe.md").read_text()
    sections = re.findall(r"^### (Tidings\w+)$", runbooks, re.MULTILINE)
    assert sections == [alert["alert"] for alert in alerts()]
    for alert in alerts():
        name, said = alert["alert"], alert["annotations"]
        assert said["runbook_url"] == f"docs/operating/troubleshoot.md#{name.lower()}"
        assert said["summary"] and said["description"]
        assert alert["labels"]["severity"] in ("critical", "warning")
        assert f"[`{name}`](troubleshoot.md#{name.lower()})" in page


def test_the_alert_on_faults_names_every_code_that_somebody_must_correct() -> None:
    [alert] = [one for one in alerts() if one["alert"] == "TidingsPlatformAccountFault"]
    [codes] = re.findall(r'code=~"([^"]*)"', alert["expr"])
    assert set(codes.split("|")) == {one.code for one in failures.account_faults()}


def test_the_runbooks_name_metrics_that_there_are() -> None:
    page = (ROOT / "docs/operating/observe.md").read_text()
    listed = set(re.findall(r"^\| `((?:tidings|process)_\w+)` \|", page, re.MULTILINE))
    runbooks = (ROOT / "docs/operating/troubleshoot.md").read_text()
    named = re.findall(r"`((?:tidings|process)_[a-z_]+)", runbooks)
    assert {name.removesuffix("_count") for name in named} <= listed


def test_the_dashboard_has_its_rows_and_no_panel_twice() -> None:
    shown = panels()
    assert [panel["title"] for panel in shown if panel["type"] == "row"] == ROWS
    ids = [panel["id"] for panel in shown]
    assert len(ids) == len(set(ids))
    for panel in shown:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        assert panel["type"] == "row" or panel["targets"]
