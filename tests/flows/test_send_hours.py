"""The hours an account may send in, black box: by its zone's clock, and none is lost."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.support.capacity import (
    DAY,
    MINUTE,
    PASSCODES,
    advance_to,
    cid,
    copies,
    deferrals,
    now,
    number_toml,
    passcode,
    require_within_rate,
    send,
    sent_at,
    timestamp,
)
from tests.support.service import TestAccount, TestService

JERUSALEM = ZoneInfo("Asia/Jerusalem")


def hours(opens: str, closes: str, zone: str = "Asia/Jerusalem") -> dict[str, Any]:
    return {"sendWindow": {"from": opens, "to": closes, "timezone": zone}}


def move_to(account: TestAccount, at: time, zone: ZoneInfo = JERUSALEM) -> datetime:
    """Some day from now, at this hour of the zone's wall clock."""
    here = now(account).astimezone(zone)
    target = datetime.combine(here.date() + timedelta(days=2), at, zone)
    account.advance(seconds=int((target - here).total_seconds()) + 1)
    return target


@pytest.mark.parametrize(
    ("opens", "closes", "at", "next_open"),
    [
        ("08:00", "21:00", time(7, 59), time(8)),
        ("08:00", "21:00", time(21), time(8)),
        ("08:00", "21:00", time(23, 30), time(8)),
        ("08:00", "21:00", time(8), None),
        ("08:00", "21:00", time(20, 59), None),
        ("20:00", "02:00", time(2), time(20)),
        ("20:00", "02:00", time(19, 30), time(20)),
        ("20:00", "02:00", time(20), None),
        ("20:00", "02:00", time(0, 30), None),
        ("20:00", "02:00", time(1, 59), None),
        ("00:00", "06:00", time(12), time(0)),
    ],
)
def test_outside_its_hours_an_account_waits_for_them(
    service: TestService, opens: str, closes: str, at: time, next_open: time | None
) -> None:
    account = service.account(PASSCODES, **hours(opens, closes))
    asked = move_to(account, at)
    data = send(account, 0)
    if next_open is None:
        assert data["status"] == "sent"
        return
    assert (data["status"], data["reason"]) == ("deferred", "SEND_WINDOW")
    due = timestamp(data["retryAt"])
    assert due.astimezone(JERUSALEM).time() == next_open
    assert timedelta(0) < due - asked <= DAY
    assert passcode(account, 5)["status"] == "sent", "passcodes know no hours"
    advance_to(account, due - MINUTE)
    assert account.status(cid(0))["status"] == "deferred"
    advance_to(account, due)
    assert sent_at(account, 0) >= due
    assert (copies(account, 0), deferrals(account, 0)) == (1, ["SEND_WINDOW"])


def test_hours_are_those_of_the_zone(service: TestService) -> None:
    zone = ZoneInfo("America/Los_Angeles")
    account = service.account(**hours("08:00", "21:00", "America/Los_Angeles"))
    move_to(account, time(7), zone)
    due = timestamp(send(account, 0)["retryAt"])
    assert due.astimezone(zone).time() == time(8)
    assert due.astimezone(UTC).hour in (15, 16)


def test_a_scheduled_message_meets_closed_hours_when_its_time_comes(service: TestService) -> None:
    account = service.account(**hours("08:00", "21:00"))
    at = move_to(account, time(12))
    night = at.replace(hour=23)
    data = send(account, 0, scheduledFor=night.isoformat())
    assert data["status"] == "scheduled"
    advance_to(account, night)
    status = account.status(cid(0))
    assert (status["status"], status["reason"]) == ("deferred", "SEND_WINDOW")
    assert timestamp(status["retryAt"]).astimezone(JERUSALEM).time() == time(8)
    advance_to(account, timestamp(status["retryAt"]))
    assert (copies(account, 0), deferrals(account, 0)) == (1, ["SEND_WINDOW"])


def test_what_waited_for_the_morning_keeps_the_rate_and_the_limit(service: TestService) -> None:
    toml = number_toml(perSecond=2, dailyLimit=10)
    account = service.account(toml, **hours("08:00", "21:00"))
    move_to(account, time(3))
    waiting = [send(account, index) for index in range(14)]
    assert {data["reason"] for data in waiting} == {"SEND_WINDOW"}
    opens = timestamp(waiting[0]["retryAt"])
    advance_to(account, opens + timedelta(seconds=30))
    states = [account.status(cid(index)) for index in range(14)]
    gone = [index for index in range(14) if states[index]["status"] != "deferred"]
    assert len(gone) == 10
    times = [sent_at(account, index) for index in gone]
    require_within_rate(times, 2)
    assert min(times) >= opens
    held = [status for status in states if status["status"] == "deferred"]
    assert {status["reason"] for status in held} == {"NUMBER_LIMIT"}
    for index in set(range(14)) - set(gone):
        assert deferrals(account, index) == ["SEND_WINDOW", "NUMBER_LIMIT"]
    account.advance(hours=25)
    assert all(copies(account, index) == 1 for index in range(14))


def test_a_deadline_before_the_hours_open_expires(service: TestService) -> None:
    account = service.account(**hours("08:00", "21:00"))
    at = move_to(account, time(3))
    send(account, 0, deadline=(at + timedelta(hours=1)).isoformat())
    account.advance(hours=6)
    assert account.status(cid(0))["status"] == "expired"
    assert copies(account, 0) == 0
