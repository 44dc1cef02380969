"""`tidings sending`: all sending is paused and resumed, once, with its audit entry."""

from collections.abc import Iterator

import pytest

from tests.support.commands import commands
from tests.support.database import fresh_database
from tests.support.service import TestService


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    with TestService(fresh_database(), tmp_path_factory.mktemp("data")) as running:
        yield running


def test_it_is_paused_and_resumed_once(service: TestService) -> None:
    tidings = commands(service)
    assert tidings("sending", "status", "--json").json()["paused"] is False
    assert "is now paused" in tidings("sending", "pause", "--reason", "Flood").good()
    assert "was already paused" in tidings("sending", "pause").good()
    status = tidings("sending", "status", "--json").json()
    assert (status["paused"], status["reason"]) == (True, "Flood")
    assert tidings("sending", "status").good().rstrip().endswith(": Flood")
    assert "goes on" in tidings("sending", "resume").good()
    assert "was not paused" in tidings("sending", "resume").good()
    entries = service.sql(
        "SELECT action, actor_kind, details::text FROM audit_log WHERE subject = 'sending'"
        " ORDER BY id"
    )
    assert [tuple(entry.values()) for entry in entries] == [
        ("sending.paused", "command", '{"reason": "Flood"}'),
        ("sending.resumed", "command", "{}"),
    ]


def test_a_reason_is_short(service: TestService) -> None:
    commands(service)("sending", "pause", "--reason", "x" * 301).refused("at most 300")
