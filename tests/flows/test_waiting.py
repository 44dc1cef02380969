"""Messages that wait, black box: for their time, their account, their number (section 3)."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService, account_toml
from tests.support.text import CID, RESULT, phone, received
from tests.support.waiting import eventually, settle


def ahead(account: TestAccount, **delta: float) -> str:
    now = datetime.fromisoformat(account.get("/sandbox/v1/clock").json()["data"]["now"])
    return (now + timedelta(**delta)).astimezone(UTC).isoformat(timespec="milliseconds")


def send(account: TestAccount, cid: str = CID, **more: Any) -> dict[str, Any]:
    answer = account.send(**({"clientMessageId": cid, "to": GUEST, "templateName": "plain"} | more))
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data | {"http": answer.status_code}


def wait_until_sent(account: TestAccount, cid: str = CID) -> None:
    """In real time, as where an operator has changed something."""
    eventually(lambda: account.status(cid)["status"] in ("sent", "delivered", "read"))


# scheduledFor


def test_a_scheduled_message_is_answered_202_and_publishes_no_event(account: TestAccount) -> None:
    timestamp = ahead(account, hours=2)
    answer = send(account, scheduledFor=timestamp)
    assert set(answer) - {"http"} == RESULT | {"scheduledFor"}
    assert (answer["http"], answer["status"], answer["duplicate"]) == (202, "scheduled", False)
    assert (answer["messageId"], answer["sentAt"]) == (None, None)
    assert answer["scheduledFor"].endswith("Z")
    assert datetime.fromisoformat(answer["scheduledFor"]) == datetime.fromisoformat(timestamp)
    assert received(account) == [] and phone(account) == []


def test_it_is_sent_at_its_time_and_not_before(account: TestAccount) -> None:
    timestamp = ahead(account, hours=2)
    send(account, scheduledFor=timestamp)
    account.advance(minutes=119)
    assert account.status(CID)["status"] == "scheduled" and phone(account) == []
    account.advance(minutes=2)
    status = account.status(CID)
    assert status["status"] == "read"
    sent_at = next(step["at"] for step in status["timeline"] if step["status"] == "sent")
    late = datetime.fromisoformat(sent_at) - datetime.fromisoformat(timestamp)
    assert timedelta(0) <= late < timedelta(seconds=2)
    assert received(account) == ["sent", "delivered", "read"]
    assert len(phone(account)) == 1


def test_a_duplicate_answers_202_while_it_waits_and_200_once_it_has_gone(
    account: TestAccount,
) -> None:
    first = send(account, scheduledFor=ahead(account, hours=1))
    assert send(account) == first | {"duplicate": True}
    account.advance(hours=1, seconds=1)
    gone = send(account)
    assert (gone["http"], gone["duplicate"]) == (200, True)
    assert gone["messageId"] and gone["sentAt"]
    assert "scheduledFor" not in gone
    assert len(phone(account)) == 1


def test_a_schedule_in_another_zone_is_the_same_time(account: TestAccount) -> None:
    timestamp = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=3)
    east = (timestamp + timedelta(hours=5, minutes=30)).strftime("%Y-%m-%dT%H:%M:%S+05:30")
    answer = send(account, scheduledFor=east)
    assert answer["scheduledFor"] == timestamp.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_many_scheduled_for_one_time_all_go(account: TestAccount) -> None:
    timestamp = ahead(account, hours=1)
    for index in range(100):
        send(account, f"order-{index:04}", to=f"97250123{index:04}", scheduledFor=timestamp)
    account.advance(hours=1, minutes=1)
    found = [account.status(f"order-{index:04}")["status"] for index in range(100)]
    assert found == ["read"] * 100
    assert len(account.events()) == 300


def test_the_template_is_chosen_when_the_message_goes_if_the_window_has_closed(
    account: TestAccount,
) -> None:
    account.reply(GUEST, "hello?")
    send(account, message="free words", scheduledFor=ahead(account, hours=30))
    account.advance(hours=31)
    assert account.status(CID)["status"] == "read"
    assert phone(account)[-1]["text"] == "Good morning"
    assert send(account)["fallbackUsed"] is True


def test_free_text_scheduled_past_its_window_fails_and_says_so(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    text = {"clientMessageId": CID, "to": GUEST, "message": "free words"}
    answer = account.send(**text, scheduledFor=ahead(account, hours=30))
    if answer.status_code == 400:  # refused at once is as good
        assert answer.json()["error"]["code"] == "SERVICE_WINDOW_CLOSED"
        return
    account.advance(hours=31)
    status = account.status(CID)
    assert status["status"] == "failed", status
    assert status["error"]["code"] and status["error"]["action"]
    assert len(phone(account)) == 1


# deadline


def test_a_deadline_that_passes_expires_what_waits(account: TestAccount) -> None:
    deadline = ahead(account, seconds=45)
    send(account, to="972500009022", deadline=deadline, meta={"a": 1})
    account.advance(seconds=20)
    assert account.status(CID)["status"] == "deferred"
    account.advance(minutes=5)
    assert account.status(CID)["status"] == "expired"
    assert received(account) == ["PLATFORM_UNAVAILABLE", "expired"]
    event = account.events("message.status")[-1]["data"]
    assert event["neverDelivered"] is True and event["meta"] == {"a": 1}
    late = datetime.fromisoformat(event["at"]) - datetime.fromisoformat(deadline)
    assert timedelta(0) <= late < timedelta(seconds=30)
    assert phone(account, "972500009022") == []
    account.advance(days=1)
    assert received(account) == ["PLATFORM_UNAVAILABLE", "expired"]


def test_a_message_sent_in_time_does_not_expire_by_its_deadline(account: TestAccount) -> None:
    send(account, to="972500009001", deadline=ahead(account, seconds=30))
    account.advance(minutes=5)
    assert account.status(CID)["status"] == "sent"


def test_a_scheduled_message_with_a_deadline_goes_between_them(account: TestAccount) -> None:
    times = {"scheduledFor": ahead(account, hours=1), "deadline": ahead(account, hours=2)}
    send(account, **times)
    account.advance(hours=5)  # one step over both: its time came first
    assert account.status(CID)["status"] == "read"


def test_a_duplicate_of_an_expired_message_answers_its_end(account: TestAccount) -> None:
    send(account, to="972500009022", deadline=ahead(account, seconds=10))
    account.advance(minutes=5)
    again = send(account)
    assert (again["http"], again["status"], again["duplicate"]) == (200, "expired", True)


# A paused account


@pytest.fixture
def paused(service: TestService) -> TestAccount:
    return service.account(name=f"paused-{time.monotonic_ns()}", paused=True)


def pause(account: TestAccount, paused: bool) -> None:
    query = "SELECT name FROM accounts WHERE id = $1"
    name = account.service.sql(query, account.id)[0]["name"]
    account.service.apply(account_toml(name=name, paused=paused))


def test_a_paused_account_takes_messages_and_holds_them(paused: TestAccount) -> None:
    answer = send(paused)
    assert set(answer) - {"http"} == RESULT | {"reason", "retryAt"}
    assert (answer["http"], answer["status"]) == (202, "deferred")
    assert (answer["reason"], answer["retryAt"]) == ("SENDING_PAUSED", None)
    assert (answer["messageId"], answer["sentAt"]) == (None, None)
    paused.advance(days=1)
    assert paused.status(CID)["status"] == "deferred"
    assert received(paused) == ["SENDING_PAUSED"] and phone(paused) == []


def test_it_goes_by_itself_once_the_account_is_resumed(paused: TestAccount) -> None:
    send(paused)
    pause(paused, False)
    wait_until_sent(paused)
    assert received(paused)[:2] == ["SENDING_PAUSED", "sent"]
    assert len(phone(paused)) == 1
    assert send(paused, "order-0002")["status"] == "sent"


def test_a_scheduled_message_meets_the_pause_when_its_time_comes(account: TestAccount) -> None:
    send(account, scheduledFor=ahead(account, hours=1))
    pause(account, True)
    account.advance(hours=2)
    assert account.status(CID)["status"] == "deferred"
    assert received(account) == ["SENDING_PAUSED"] and phone(account) == []
    pause(account, False)
    wait_until_sent(account)
    assert received(account)[:2] == ["SENDING_PAUSED", "sent"]


def test_a_scheduled_message_in_a_paused_account_is_scheduled(paused: TestAccount) -> None:
    answer = send(paused, scheduledFor=ahead(paused, hours=1))
    assert (answer["http"], answer["status"]) == (202, "scheduled")
    paused.advance(hours=2)
    assert received(paused) == ["SENDING_PAUSED"]


def test_the_deadline_runs_on_while_the_account_is_paused(paused: TestAccount) -> None:
    send(paused, deadline=ahead(paused, hours=1))
    paused.advance(hours=2)
    assert paused.status(CID)["status"] == "expired"
    assert received(paused) == ["SENDING_PAUSED", "expired"]
    pause(paused, False)
    settle(paused)
    paused.advance(hours=1)
    assert paused.status(CID)["status"] == "expired" and phone(paused) == []


def test_a_message_in_flight_when_the_pause_comes_is_published_all_the_same(
    account: TestAccount,
) -> None:
    send(account)
    pause(account, True)
    account.advance(seconds=3)
    assert received(account) == ["sent", "delivered", "read"]


def test_a_thousand_seconds_of_pausing_and_resuming_send_each_message_once(
    account: TestAccount,
) -> None:
    for index in range(10):
        pause(account, index % 2 == 0)
        send(account, f"order-{index:04}", to=f"9725012340{index:02}")
        account.advance(seconds=100)
    pause(account, False)
    for index in range(10):
        wait_until_sent(account, f"order-{index:04}")
    assert all(len(phone(account, f"9725012340{index:02}")) == 1 for index in range(10))
    sent = [e for e in account.events("message.status") if e["data"]["status"] == "sent"]
    assert len(sent) == 10


# A number that cannot send


def test_the_queue_of_an_unhealthy_number_keeps_its_deadlines(account: TestAccount) -> None:
    send(account, to="972500009030", deadline=ahead(account, minutes=30))
    account.advance(hours=2)
    assert account.status(CID)["status"] == "expired"
    assert received(account) == ["NUMBER_UNHEALTHY", "expired"]


def test_a_second_reason_is_published_too_and_each_only_once(account: TestAccount) -> None:
    send(account, to="972500009022")
    pause(account, True)
    account.advance(minutes=5)
    assert received(account) == ["PLATFORM_UNAVAILABLE", "SENDING_PAUSED"]
    account.advance(hours=5)
    pause(account, False)
    wait_until_sent(account)
    assert received(account)[:3] == ["PLATFORM_UNAVAILABLE", "SENDING_PAUSED", "sent"]


def test_a_template_withdrawn_while_a_message_waits_does_not_lose_it(service: TestService) -> None:
    account = service.account(name="withdrawn")
    send(account, scheduledFor=ahead(account, hours=1))
    fewer = TEMPLATES.split("[[accounts.templates]]")[1]
    service.apply(account_toml("[[accounts.templates]]" + fewer, name="withdrawn"))
    account.advance(hours=2)
    assert account.status(CID)["status"] in ("read", "failed")


def test_a_disabled_accounts_messages_are_not_lost(service: TestService) -> None:
    account = service.account(name="disabled-later")
    send(account, scheduledFor=ahead(account, seconds=2))
    service.apply(account_toml(name="disabled-later", active=False))
    service.apply(account_toml(name="disabled-later"))
    account.advance(seconds=10)
    assert account.status(CID)["status"] == "read"
