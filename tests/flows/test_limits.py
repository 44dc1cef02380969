"""What holds messages back, black box: rates, rolling days, hours; and that all go exactly once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.support.service import NUMBER, TEMPLATES, TestAccount, TestService, account_toml

SECOND, THIRD = "972555000002", "972555000003"
DAY = timedelta(hours=24)
MINUTE = timedelta(minutes=1)
JITTER = 0.3  # seconds that one platform's answer may take longer than another's
SLACK = timedelta(seconds=1)  # between the place that is taken and the platform's answer
PASSCODES = (
    TEMPLATES
    + """
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
"""
)


def number_toml(number: str = NUMBER, **fields: Any) -> str:
    lines = ["[[accounts.numbers]]", f'number = "{number}"']
    lines += [
        f"{name} = {value}" if isinstance(value, int) else f'{name} = "{value}"'
        for name, value in fields.items()
    ]
    return "\n".join(lines) + "\n"


def guest(index: int) -> str:
    return f"97250{index:04}77"  # no magic


def cid(index: int) -> str:
    return f"limit-{index:04}"


def send(account: TestAccount, index: int, **more: Any) -> dict[str, Any]:
    body = {"clientMessageId": cid(index), "to": guest(index), "templateName": "plain"} | more
    answer = account.send(**body)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert (answer.status_code == 200) == (data["status"] == "sent"), answer.text
    return data


def passcode(account: TestAccount, index: int) -> dict[str, Any]:
    body = {"clientMessageId": f"login-{index:04}", "to": guest(index), "code": "482913"}
    answer = account.post("/messages/otp", body)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def limits(account: TestAccount) -> dict[str, Any]:
    data: dict[str, Any] = account.get("/limits").json()["data"]
    return data


def now(account: TestAccount) -> datetime:
    return moment(account.get("/sandbox/v1/clock").json()["data"]["now"])


def moment(text: str | None) -> datetime:
    assert text is not None
    return datetime.fromisoformat(text)


def advance_to(account: TestAccount, when: datetime) -> None:
    """One second past it: clocks move in whole seconds."""
    account.advance(seconds=int((when - now(account)).total_seconds()) + 2)


def deferrals(account: TestAccount, index: int) -> list[str]:
    events = [event["data"] for event in account.events("message.deferred")]
    return [data["reason"] for data in events if data["clientMessageId"] == cid(index)]


def sent_at(account: TestAccount, index: int) -> datetime:
    steps = {step["status"]: step["at"] for step in account.status(cid(index))["timeline"]}
    return moment(steps.get("sent"))


def copies(account: TestAccount, index: int) -> int:
    shown = account.get(f"/sandbox/v1/phones/{guest(index)}").json()["data"]["messages"]
    return sum(message["clientMessageId"] == cid(index) for message in shown)


def waiting(account: TestAccount, count: int) -> list[int]:
    found = [account.status(cid(index))["status"] for index in range(count)]
    return [index for index, status in enumerate(found) if status == "deferred"]


def require_within_rate(times: list[datetime], rate: int) -> None:
    """At most one second's worth at once, and from then on no more than the rate."""
    times = sorted(times)
    for start in range(len(times)):
        for end in range(start, len(times)):
            seconds = (times[end] - times[start]).total_seconds()
            most = rate * (seconds + JITTER + 1) + 1
            assert end - start + 1 <= most, f"{end - start + 1} in {seconds} s at {rate} a second"


# Messages a second


def test_a_burst_beyond_a_second_waits_its_turn_and_all_go_once(service: TestService) -> None:
    account = service.account(number_toml(perSecond=5))
    with ThreadPoolExecutor(8) as pool:
        answers = dict(enumerate(pool.map(lambda index: send(account, index), range(40))))
    waiting = {i: data for i, data in answers.items() if data["status"] == "deferred"}
    assert 5 <= len(answers) - len(waiting) <= 20, "a second's worth, and what time has passed"
    assert {data["reason"] for data in waiting.values()} == {"NUMBER_LIMIT"}
    turns = sorted(moment(data["retryAt"]) for data in waiting.values())
    assert turns[0] > now(account) - timedelta(seconds=2)
    gaps = [(after - before).total_seconds() for before, after in pairwise(turns)]
    assert all(abs(gap - 0.2) < 0.002 for gap in gaps), gaps
    account.advance(seconds=12)
    times = []
    for index in range(40):
        times.append(sent_at(account, index))
        assert copies(account, index) == 1
        assert deferrals(account, index) == (["NUMBER_LIMIT"] if index in waiting else [])
    require_within_rate(times, 5)
    assert max(times) <= turns[-1] + timedelta(seconds=2), "and none later than it was told"


def test_a_message_that_waits_its_turn_says_why_and_until_when(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1))
    data = [send(account, index) for index in range(4)][-1]
    assert (data["status"], data["reason"]) == ("deferred", "NUMBER_LIMIT")
    assert (data["messageId"], data["sentAt"], data["sentFrom"]) == (None, None, NUMBER)
    status = account.status(cid(3))
    assert (status["status"], status["reason"]) == ("deferred", "NUMBER_LIMIT")
    assert status["retryAt"] == data["retryAt"]
    assert [(step["status"], step.get("reason")) for step in status["timeline"]] == [
        ("queued", None), ("deferred", "NUMBER_LIMIT"),
    ]  # fmt: skip
    (told,) = [
        event["data"]
        for event in account.events("message.deferred")
        if event["data"]["clientMessageId"] == cid(3)
    ]
    assert (told["reason"], told["retryAt"], told["to"]) == (
        "NUMBER_LIMIT", data["retryAt"], guest(3),
    )  # fmt: skip
    repeat = account.send(clientMessageId=cid(3), to=guest(3), templateName="plain")
    assert repeat.status_code == 202
    assert repeat.json()["data"] == data | {"duplicate": True}
    account.advance(seconds=5)
    assert copies(account, 3) == 1
    assert sent_at(account, 3) >= moment(data["retryAt"]) - timedelta(seconds=1)


def test_two_numbers_send_twice_as_much(service: TestService) -> None:
    rates = number_toml(perSecond=1) + number_toml(SECOND, perSecond=1)
    account = service.account(rates)
    data = [send(account, index) for index in range(8)]
    senders = [one["sentFrom"] for one in data if one["status"] == "sent"]
    assert senders[:4] == [NUMBER, SECOND, NUMBER, SECOND]  # whose turn comes first
    assert data[-1]["reason"] == "NUMBER_LIMIT"
    account.advance(seconds=10)
    assert all(copies(account, index) == 1 for index in range(8))


def test_a_rate_is_each_numbers_own(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1) + number_toml(SECOND, perSecond=50))
    data = [send(account, index, sentFrom=SECOND, fromPolicy="strict") for index in range(20)]
    assert {one["status"] for one in data} == {"sent"}


def test_a_guest_of_a_busy_number_waits_for_it(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1) + number_toml(SECOND, perSecond=50))
    send(account, 0)
    busy = [send(account, index, to=guest(0)) for index in range(1, 5)]
    assert {one["sentFrom"] for one in busy} == {NUMBER}
    assert busy[-1]["reason"] == "NUMBER_LIMIT"


def test_prefer_does_not_wait_where_another_can_send(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1) + number_toml(SECOND, perSecond=50))
    data = [send(account, index, sentFrom=NUMBER) for index in range(4)]
    assert data[-1]["status"] == "sent"
    assert (data[-1]["sentFrom"], data[-1]["fallbackUsed"]) == (SECOND, True)
    strict = [send(account, index, sentFrom=NUMBER, fromPolicy="strict") for index in range(10, 13)]
    assert (strict[-1]["sentFrom"], strict[-1]["reason"]) == (NUMBER, "NUMBER_LIMIT")


def test_passcodes_go_first(service: TestService) -> None:
    account = service.account(number_toml(perSecond=4) + PASSCODES)
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda index: send(account, index), range(30)))
    assert texts[-1]["status"] == "deferred"
    assert passcode(account, 50)["status"] == "sent"
    account.advance(seconds=20)
    assert all(copies(account, index) == 1 for index in range(30))


# New people in 24 hours


def test_only_so_many_new_people_in_24_hours(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=2))
    first, second = send(account, 0), send(account, 1)
    third = send(account, 2)
    assert (third["status"], third["reason"]) == ("deferred", "NUMBER_LIMIT")
    due = moment(third["retryAt"])
    assert moment(first["sentAt"]) + DAY - timedelta(seconds=1) <= due
    assert due <= moment(second["sentAt"]) + DAY + MINUTE
    assert account.status(cid(2))["retryAt"] == third["retryAt"]
    advance_to(account, due - timedelta(minutes=2))
    assert account.status(cid(2))["status"] == "deferred"
    advance_to(account, due)
    assert copies(account, 2) == 1
    assert sent_at(account, 2) >= due - timedelta(seconds=1)
    assert deferrals(account, 2) == ["NUMBER_LIMIT"]


def test_people_are_counted_and_not_messages(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1))
    for index in range(5):
        assert send(account, index, to=guest(0))["status"] == "sent"
    assert send(account, 9)["reason"] == "NUMBER_LIMIT"
    assert limits(account)["numbers"][0]["used"] == 1


def test_a_person_counts_anew_after_24_hours(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1))
    send(account, 0)
    account.advance(hours=24, minutes=2)
    assert limits(account)["numbers"][0]["used"] == 0
    send(account, 1)
    assert send(account, 2, to=guest(0))["reason"] == "NUMBER_LIMIT"


def test_inside_a_conversation_nobody_is_counted(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1))
    send(account, 0)
    assert send(account, 1)["reason"] == "NUMBER_LIMIT"
    account.reply(guest(7), "Hello?")
    assert send(account, 2, to=guest(7))["status"] == "sent"
    assert send(account, 3, to=guest(7), message="Hi", templateName="plain")["status"] == "sent"
    assert limits(account)["numbers"][0]["used"] == 1
    account.advance(hours=24, minutes=2)  # message 1 has gone by now, and the window closed
    assert send(account, 4, to=guest(7))["reason"] == "NUMBER_LIMIT"


def test_numbers_of_one_portfolio_share_their_places(service: TestService) -> None:
    shared = {"portfolioId": "p1", "dailyLimit": 3}
    account = service.account(number_toml(**shared) + number_toml(SECOND, **shared))
    senders = [NUMBER, SECOND, NUMBER]
    for index, number in enumerate(senders):
        data = send(account, index, sentFrom=number, fromPolicy="strict")
        assert (data["status"], data["sentFrom"]) == ("sent", number)
    for index, number in ((3, NUMBER), (4, SECOND)):
        data = send(account, index, sentFrom=number)
        assert (data["reason"], data["sentFrom"]) == ("NUMBER_LIMIT", number)
    assert [number["remaining"] for number in limits(account)["numbers"]] == [0, 0]
    assert send(account, 5, to=guest(0), sentFrom=SECOND)["status"] == "sent", "counted already"
    total = limits(account)["total"]
    assert (total["dailyLimit"], total["remaining"]) == (3, 0)


def test_a_number_of_another_portfolio_stands_in(service: TestService) -> None:
    toml = number_toml(portfolioId="p1", dailyLimit=1)
    account = service.account(toml + number_toml(SECOND, portfolioId="p2", dailyLimit=1))
    assert [send(account, index)["sentFrom"] for index in range(2)] == [NUMBER, SECOND]
    assert send(account, 2)["reason"] == "NUMBER_LIMIT"
    assert [number["used"] for number in limits(account)["numbers"]] == [1, 1]


def test_a_limit_of_nothing_says_no_time(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=0))
    data = send(account, 0)
    assert (data["reason"], data["retryAt"]) == ("NUMBER_LIMIT", None)
    account.advance(hours=3)
    assert account.status(cid(0))["status"] == "deferred"


def test_a_message_that_expires_gives_its_place_back(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1), dailyLimit=2)
    send(account, 0)
    soon = (now(account) + timedelta(hours=1)).isoformat()
    waits = send(account, 1, deadline=soon)
    assert waits["reason"] == "NUMBER_LIMIT"
    assert (limits(account)["account"]["used"], limits(account)["account"]["remaining"]) == (2, 0)
    account.advance(hours=2)
    assert account.status(cid(1))["status"] == "expired"
    assert limits(account)["account"]["used"] == 1
    assert moment(send(account, 2)["retryAt"]) < moment(waits["retryAt"]) + MINUTE


# Messages of the account in 24 hours


def test_only_so_many_messages_of_the_account_in_24_hours(service: TestService) -> None:
    account = service.account(PASSCODES, dailyLimit=3)
    first = send(account, 0)
    for index in (1, 2):
        assert send(account, index, to=guest(0))["status"] == "sent"
    assert limits(account)["account"] | {"requestsPerMinute": 0} == {
        "dailyLimit": 3, "used": 3, "remaining": 0, "requestsPerMinute": 0,
    }  # fmt: skip
    waits = send(account, 3)
    assert (waits["status"], waits["reason"]) == ("deferred", "ACCOUNT_LIMIT")
    due = moment(waits["retryAt"])
    assert timedelta(0) <= due - moment(first["sentAt"]) - DAY + timedelta(seconds=1) <= MINUTE * 2
    assert passcode(account, 9)["status"] == "sent", "passcodes wait for no limit"
    advance_to(account, due)
    assert copies(account, 3) == 1
    assert deferrals(account, 3) == ["ACCOUNT_LIMIT"]
    own = limits(account)["account"]
    assert own["used"] + own["remaining"] == 3 and own["remaining"] >= 1


def test_forty_messages_keep_their_limits_in_every_24_hours(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=7), dailyLimit=10)
    for index in range(40):
        send(account, index, to=guest(index % 25))
    account.advance(days=6)
    times = sorted(sent_at(account, index) for index in range(40))
    for first, eleventh in zip(times, times[10:], strict=False):
        assert eleventh - first >= DAY - SLACK, "eleven within 24 hours"
    firsts: dict[str, list[datetime]] = {}
    for index in range(40):
        firsts.setdefault(guest(index % 25), []).append(sent_at(account, index))
    people = sorted(min(moments) for moments in firsts.values())
    for first, eighth in zip(people, people[7:], strict=False):
        assert eighth - first >= DAY - SLACK, "eight new people within 24 hours"


def test_the_limits_are_told_as_they_are(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=5, perSecond=20), dailyLimit=4)
    for index in range(3):
        send(account, index, to=guest(index % 2))
    shown = limits(account)
    (number,) = shown["numbers"]
    assert (number["dailyLimit"], number["used"], number["remaining"]) == (5, 2, 3)
    assert (number["perSecond"], number["number"]) == (20, NUMBER)
    assert (shown["account"]["used"], shown["account"]["remaining"]) == (3, 1)
    assert abs(moment(shown["resetsAt"]) - sent_at(account, 0) - DAY) < MINUTE
    advance_to(account, moment(shown["resetsAt"]) + MINUTE)
    shown = limits(account)
    assert (shown["account"]["used"], shown["resetsAt"]) == (0, None)


def test_a_raised_limit_lets_those_go_that_waited_for_it(service: TestService) -> None:
    def toml(most: int) -> str:
        return account_toml(number_toml(dailyLimit=most), name="raised-limit", dailyLimit=most + 1)

    account = TestAccount(service, service.apply(toml(1))[0])
    for index in range(4):
        send(account, index, to=guest(index // 2))  # two messages to each of two people
    assert waiting(account, 4) == [2, 3]
    service.apply(toml(9))
    account.advance(minutes=1)
    assert waiting(account, 4) == []
    shown = limits(account)
    assert (shown["account"]["used"], shown["numbers"][0]["used"]) == (4, 2)
    account.advance(hours=24, minutes=2)
    shown = limits(account)
    assert (shown["account"]["used"], shown["numbers"][0]["used"]) == (0, 0), "no place is left"


def test_a_limit_raised_a_little_lets_only_some_go(service: TestService) -> None:
    account = service.account(dailyLimit=2, name="raised-a-little")
    for index in range(10):
        send(account, index)
    assert waiting(account, 10) == list(range(2, 10))
    service.apply(account_toml(dailyLimit=6, name="raised-a-little"))
    account.advance(minutes=1)
    assert 0 < 10 - len(waiting(account, 10)) - 2 <= 4
    account.advance(days=6)
    times = sorted(sent_at(account, index) for index in range(10))
    for first, seventh in zip(times, times[6:], strict=False):
        assert seventh - first >= DAY - SLACK, "seven within 24 hours"


def test_a_place_that_passes_while_something_else_holds_a_message_is_taken_anew(
    service: TestService,
) -> None:
    account = service.account(dailyLimit=2, name="place-passed")
    for index in range(4):
        send(account, index)
    service.apply(account_toml(dailyLimit=2, name="place-passed", paused=True))
    account.advance(hours=40)
    service.apply(account_toml(dailyLimit=2, name="place-passed"))
    account.advance(minutes=5)
    assert [copies(account, index) for index in range(4)] == [1, 1, 1, 1]
    account.advance(hours=9)  # 49 hours after the first, but 9 after the last
    assert limits(account)["account"]["remaining"] == 0
    assert send(account, 4)["reason"] == "ACCOUNT_LIMIT"


def test_a_message_that_goes_by_another_number_counts_there(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1) + number_toml(SECOND, dailyLimit=1))
    assert [send(account, index)["sentFrom"] for index in range(3)] == [NUMBER, SECOND, NUMBER]
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    account.advance(hours=24, minutes=3)
    assert account.status(cid(2))["sentFrom"] == SECOND
    assert [number["used"] for number in limits(account)["numbers"]] == [0, 1]
    data = send(account, 3)
    assert (data["reason"], data["sentFrom"]) == ("NUMBER_LIMIT", SECOND)


def test_a_pause_does_not_change_the_reason_that_comes_after_it(service: TestService) -> None:
    account = service.account(dailyLimit=1, name="paused-limit")
    send(account, 0)
    waits = send(account, 1)
    service.apply(account_toml(dailyLimit=1, name="paused-limit", paused=True))
    account.advance(minutes=10)
    assert account.status(cid(1))["reason"] == "SENDING_PAUSED"
    service.apply(account_toml(dailyLimit=1, name="paused-limit"))
    account.advance(minutes=10)
    status = account.status(cid(1))
    assert (status["reason"], status["retryAt"]) == ("ACCOUNT_LIMIT", waits["retryAt"])
    assert deferrals(account, 1) == ["ACCOUNT_LIMIT", "SENDING_PAUSED"]


# Hours

JERUSALEM = ZoneInfo("Asia/Jerusalem")


def hours(opens: str, closes: str, zone: str = "Asia/Jerusalem") -> dict[str, Any]:
    return {"sendWindow": {"from": opens, "to": closes, "timezone": zone}}


def move_to(account: TestAccount, at: time, zone: ZoneInfo = JERUSALEM) -> datetime:
    """Some day from now, at this hour of the zone's wall clock."""
    here = now(account).astimezone(zone)
    wanted = datetime.combine(here.date() + timedelta(days=2), at, zone)
    account.advance(seconds=int((wanted - here).total_seconds()) + 1)
    return wanted


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
    due = moment(data["retryAt"])
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
    due = moment(send(account, 0)["retryAt"])
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
    assert moment(status["retryAt"]).astimezone(JERUSALEM).time() == time(8)
    advance_to(account, moment(status["retryAt"]))
    assert (copies(account, 0), deferrals(account, 0)) == (1, ["SEND_WINDOW"])


def test_what_waited_for_the_morning_keeps_the_rate_and_the_limit(service: TestService) -> None:
    toml = number_toml(perSecond=2, dailyLimit=10)
    account = service.account(toml, **hours("08:00", "21:00"))
    move_to(account, time(3))
    waiting = [send(account, index) for index in range(14)]
    assert {data["reason"] for data in waiting} == {"SEND_WINDOW"}
    opens = moment(waiting[0]["retryAt"])
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


def test_a_dry_run_takes_no_place(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1, perSecond=1), dailyLimit=1)
    body = {"clientMessageId": cid(0), "to": guest(0), "templateName": "plain"}
    for _ in range(5):
        answer = account.post("/messages/text", body, headers={"X-Dry-Run": "true"})
        assert answer.json()["data"]["wouldBe"] == "sent"
    assert limits(account)["account"]["used"] == 0
    send(account, 0)
    body["clientMessageId"] = cid(1)
    answer = account.post("/messages/text", body, headers={"X-Dry-Run": "true"}).json()["data"]
    assert (answer["wouldBe"], answer["reason"]) == ("deferred", "ACCOUNT_LIMIT")
    assert moment(answer["retryAt"]) > now(account) + timedelta(hours=23)


def test_weeks_of_waiting_for_no_known_time_are_played_in_seconds(service: TestService) -> None:
    account = service.account(name="weeks-of-pause", paused=True)
    send(account, 0)
    account.advance(days=14)
    assert account.status(cid(0))["status"] == "deferred"
    service.apply(account_toml(name="weeks-of-pause"))
    account.advance(minutes=1)
    assert copies(account, 0) == 1
