"""The sandbox's magic recipients, one test a row of contract.md, black box."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.clock import STANDING
from tests.support.service import NUMBER, TestAccount
from tests.support.text import CID, received


def number(last_four: str) -> str:
    return f"97250000{last_four}"


def send(account: TestAccount, last_four: str, cid: str = CID, **more: Any) -> dict[str, Any]:
    """The answer's data, with its HTTP status as `http`."""
    fields = {"templateName": "plain", "meta": {"row": last_four}} | more
    answer = account.send(clientMessageId=cid, to=number(last_four), **fields)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data | {"http": answer.status_code}


def stations(account: TestAccount, cid: str = CID) -> list[str]:
    return [step["status"] for step in account.status(cid)["timeline"]]


def require_error(error: dict[str, Any], platform_code: int) -> None:
    assert set(error) == {"code", "explanation", "action", "platformCode"}
    assert error["platformCode"] == platform_code
    for words in (error["code"], error["explanation"], error["action"]):
        assert isinstance(words, str) and words
    assert error["code"] == error["code"].upper() and " " not in error["code"]


def wait_until(account: TestAccount, retry_at: str) -> None:
    """Move the account's clock just past a timestamp."""
    now = datetime.fromisoformat(account.get("/sandbox/v1/clock").json()["data"]["now"])
    left = datetime.fromisoformat(retry_at) - now
    account.advance(seconds=max(1, int(left.total_seconds()) + 1))


# Statuses


def test_anybody_else_is_delivered_after_one_second_and_read_after_two(
    account: TestAccount,
) -> None:
    sent = send(account, "1234")
    assert (sent["http"], sent["status"]) == (200, "sent")
    account.advance(seconds=3)
    at = {step["status"]: step["at"] for step in account.status(CID)["timeline"]}
    gap = {
        name: datetime.fromisoformat(at[name]) - datetime.fromisoformat(at["sent"]) for name in at
    }
    assert (gap["delivered"], gap["read"]) == (timedelta(seconds=1), timedelta(seconds=2))
    assert received(account) == ["sent", "delivered", "read"]


def test_9001_is_sent_only(account: TestAccount) -> None:
    assert send(account, "9001")["status"] == "sent"
    account.advance(hours=1)
    assert account.status(CID)["status"] == "sent"
    assert received(account) == ["sent"]


def test_9002_is_delivered_and_never_read(account: TestAccount) -> None:
    send(account, "9002")
    account.advance(days=2)
    assert account.status(CID)["status"] == "delivered"
    assert received(account) == ["sent", "delivered"]


def test_9003_is_read_without_delivered(account: TestAccount) -> None:
    send(account, "9003")
    account.advance(seconds=5)
    assert account.status(CID)["status"] == "read"
    assert received(account) == ["sent", "read"]


def test_9004_comes_doubled_and_in_reverse_and_never_goes_backwards(account: TestAccount) -> None:
    send(account, "9004")
    account.advance(minutes=1)
    status = account.status(CID)
    assert status["status"] == "read"
    events = received(account)
    assert len(events) == len(set(events)), "a status was published twice"
    assert events[0] == "sent" and events[-1] == "read"
    assert "delivered" not in events, "a late lower status joins the timeline without an event"
    names = stations(account)
    assert "delivered" in names and "read" in names
    assert names.count("read") == names.count("delivered") == names.count("sent") == 1


def test_an_undelivered_message_expires_after_30_days(account: TestAccount) -> None:
    send(account, "9001")
    account.advance(days=29, hours=23)
    assert account.status(CID)["status"] == "sent"
    account.advance(hours=2)
    assert account.status(CID)["status"] == "expired"
    expired = account.events("message.status")[-1]["data"]
    assert (expired["status"], expired["neverDelivered"]) == ("expired", True)
    assert received(account) == ["sent", "expired"]


# Failures


@pytest.mark.parametrize(
    ("last_four", "code"), [("9010", 131026), ("9011", 131049), ("9012", 131050)]
)
def test_9010_to_9012_fail(account: TestAccount, last_four: str, code: int) -> None:
    send(account, last_four)
    account.advance(seconds=10)
    status = account.status(CID)
    assert status["status"] == "failed"
    require_error(status["error"], code)
    event = account.events("message.status")[-1]["data"]
    assert (event["status"], event["error"]) == ("failed", status["error"])
    assert event["meta"] == {"row": last_four}
    assert "delivered" not in received(account)
    assert received(account).count("failed") == 1


@pytest.mark.parametrize(("last_four", "code"), [("9013", 132015), ("9014", 132000)])
def test_9013_and_9014_are_refused_in_the_answer(
    account: TestAccount, last_four: str, code: int
) -> None:
    answer = send(account, last_four)
    assert (answer["http"], answer["status"]) == (200, "failed")
    assert (answer["messageId"], answer["sentAt"]) == (None, None)
    assert answer["error"].keys() >= {"code", "explanation", "action"}
    status = account.status(CID)
    require_error(status["error"], code)
    assert answer["error"]["code"] == status["error"]["code"]
    assert received(account) == ["failed"]
    account.advance(days=1)
    assert received(account) == ["failed"] and len(account.status(CID)["attempts"]) == 1


def test_9015_is_sent_and_then_fails(account: TestAccount) -> None:
    answer = send(account, "9015")
    assert (answer["http"], answer["status"]) == (200, "sent")
    account.advance(seconds=10)
    require_error(account.status(CID)["error"], 131053)
    assert received(account) == ["sent", "failed"]


def test_a_duplicate_of_a_failed_message_answers_the_failure(account: TestAccount) -> None:
    send(account, "9013")
    again = send(account, "9013")
    assert (again["http"], again["status"], again["duplicate"]) == (200, "failed", True)
    assert again["error"]["code"]
    assert len(account.status(CID)["attempts"]) == 1


# Waiting


@pytest.mark.parametrize("last_four", ["9020", "9021"])
def test_9020_and_9021_are_throttled_once_and_then_sent(
    account: TestAccount, last_four: str
) -> None:
    answer = send(account, last_four)
    assert (answer["http"], answer["status"]) == (202, "deferred")
    assert (answer["messageId"], answer["sentAt"]) == (None, None)
    assert (answer["reason"], answer["duplicate"]) == ("NUMBER_LIMIT", False)
    assert datetime.fromisoformat(answer["retryAt"]) > STANDING.now()
    (deferred,) = account.events("message.deferred")
    assert deferred["data"]["retryAt"] == answer["retryAt"]
    wait_until(account, answer["retryAt"])
    account.advance(seconds=3)
    assert account.status(CID)["status"] == "read"
    assert received(account) == ["NUMBER_LIMIT", "sent", "delivered", "read"]
    outcomes = [attempt["outcome"] for attempt in account.status(CID)["attempts"]]
    assert len(outcomes) == 2 and outcomes[-1] == "sent"


def test_9022_is_down_for_a_minute(account: TestAccount) -> None:
    answer = send(account, "9022")
    assert (answer["http"], answer["status"]) == (202, "deferred")
    assert answer["reason"] == "PLATFORM_UNAVAILABLE"
    assert answer["retryAt"] is not None
    account.advance(seconds=50)
    assert account.status(CID)["status"] == "deferred"
    account.advance(minutes=10)
    assert account.status(CID)["status"] == "read"
    assert received(account) == ["PLATFORM_UNAVAILABLE", "sent", "delivered", "read"]
    sent_at = next(s["at"] for s in account.status(CID)["timeline"] if s["status"] == "sent")
    created_at = datetime.fromisoformat(account.status(CID)["createdAt"])
    assert datetime.fromisoformat(sent_at) - created_at >= timedelta(minutes=1)


def test_9023_has_no_answer_but_callbacks_settle_it(account: TestAccount) -> None:
    answer = send(account, "9023")
    assert (answer["http"], answer["status"]) == (202, "sending")
    assert (answer["messageId"], answer["sentAt"]) == (None, None)
    assert received(account) in ([], ["sent"]), "the first callback comes at once"
    account.advance(seconds=10)
    status = account.status(CID)
    assert status["status"] == "read"
    assert status["messageId"]
    assert received(account) == ["sent", "delivered", "read"]
    assert len(status["attempts"]) == 1
    assert {event["data"]["messageId"] for event in account.events()} == {status["messageId"]}
    jobs = "SELECT 1 FROM jobs WHERE account_id = $1 AND kind = 'message.send'"
    assert not account.service.sql(jobs, account.id), "nobody need look for an answer any more"
    again = send(account, "9023")
    assert (again["http"], again["messageId"]) == (200, status["messageId"])
    assert again["sentAt"] is not None


def test_9024_has_no_answer_and_ends_as_unknown(account: TestAccount) -> None:
    answer = send(account, "9024")
    assert (answer["http"], answer["status"]) == (202, "sending")
    repeated = send(account, "9024")
    assert (repeated["http"], repeated["status"], repeated["duplicate"]) == (202, "sending", True)
    account.advance(seconds=100)
    assert account.status(CID)["status"] == "sending"
    account.advance(seconds=80)
    status = account.status(CID)
    assert status["status"] == "failed"
    assert status["error"]["code"] == "UNKNOWN_OUTCOME"
    assert status["error"]["platformCode"] is None
    assert status["error"]["explanation"] and status["error"]["action"]
    assert received(account) == ["failed"]
    assert len(status["attempts"]) == 1, "never a blind retry"
    assert send(account, "9024")["status"] == "failed"


def test_9030_waits_until_the_clock_has_moved_an_hour(account: TestAccount) -> None:
    answer = send(account, "9030")
    assert (answer["http"], answer["status"]) == (202, "deferred")
    assert (answer["reason"], answer["retryAt"]) == ("NUMBER_UNHEALTHY", None)
    account.advance(minutes=58)
    assert account.status(CID)["status"] == "deferred"
    assert received(account) == ["NUMBER_UNHEALTHY"], "published once, however often it is tried"
    account.advance(minutes=30)
    assert account.status(CID)["status"] == "read"
    assert received(account) == ["NUMBER_UNHEALTHY", "sent", "delivered", "read"]


@pytest.mark.parametrize("last_four", ["9020", "9022", "9030"])
def test_a_duplicate_of_a_waiting_message_answers_that_it_waits(
    account: TestAccount, last_four: str
) -> None:
    first, again = send(account, last_four), send(account, last_four)
    assert again == first | {"duplicate": True}
    account.advance(hours=2)
    settled = send(account, last_four)
    assert (settled["http"], settled["duplicate"]) == (200, True)
    assert settled["status"] == "read" and settled["messageId"]
    assert "reason" not in settled and "retryAt" not in settled


# Guests who answer


def inbound(account: TestAccount, last_four: str) -> list[dict[str, Any]]:
    shown = account.get(f"/sandbox/v1/phones/{number(last_four)}").json()["data"]["messages"]
    return [message for message in shown if message["direction"] == "in"]


def invite(account: TestAccount, last_four: str, **more: Any) -> None:
    params = {"templateName": "invite", "templateParams": ["Dana", "Sunday"], "kind": "invitation"}
    expires = (STANDING.now() + timedelta(hours=2)).isoformat()
    send(account, last_four, **({"expiresAt": expires} | params | more))


def test_a_guest_answers_five_seconds_after_delivery(account: TestAccount) -> None:
    invite(account, "9101")
    account.advance(seconds=4)
    assert inbound(account, "9101") == []
    account.advance(seconds=4)
    (answer,) = inbound(account, "9101")
    steps = {step["status"]: step["at"] for step in account.status(CID)["timeline"]}
    gap = datetime.fromisoformat(answer["at"]) - datetime.fromisoformat(steps["delivered"])
    assert gap == timedelta(seconds=5)


@pytest.mark.parametrize(
    ("last_four", "says"),
    [("9101", "yes"), ("9102", "no"), ("9104", "4"), ("9106", "stop")],
)
def test_9101_to_9106_say_what_they_are_for(
    account: TestAccount, last_four: str, says: str
) -> None:
    invite(account, last_four)
    account.advance(seconds=20)
    (answer,) = inbound(account, last_four)
    words = answer["text"].lower()
    assert says in words or (says == "4" and "four" in words), answer


def test_9103_is_unclear(account: TestAccount) -> None:
    invite(account, "9103")
    account.advance(seconds=20)
    (answer,) = inbound(account, "9103")
    assert answer["text"] and answer["text"].lower() not in ("yes", "no")


def test_9105_says_yes_only_after_the_invitation_expired(account: TestAccount) -> None:
    invite(account, "9105")
    account.advance(minutes=119)
    assert inbound(account, "9105") == []
    account.advance(minutes=2)
    (answer,) = inbound(account, "9105")
    assert "yes" in answer["text"].lower()


def test_9107_sends_a_photo(account: TestAccount) -> None:
    invite(account, "9107")
    account.advance(seconds=20)
    (photo,) = inbound(account, "9107")
    assert photo["type"] == "image" and photo["media"]


def test_a_guests_answer_opens_the_window(account: TestAccount) -> None:
    invite(account, "9101")
    account.advance(seconds=20)
    free = account.send(clientMessageId="order-0002", to=number("9101"), message="see you")
    assert free.status_code == 200, free.text


# Beside each other


def test_the_rows_do_not_disturb_each_other(account: TestAccount) -> None:
    expected = {
        "1234": "read", "9001": "sent", "9002": "delivered", "9003": "read", "9004": "read",
        "9010": "failed", "9011": "failed", "9012": "failed", "9013": "failed", "9014": "failed",
        "9015": "failed", "9020": "read", "9021": "read", "9022": "read", "9023": "read",
        "9024": "failed", "9030": "read",
    }  # fmt: skip
    for last_four in expected:
        send(account, last_four, cid=f"order-{last_four}")
    for _ in range(3):
        account.advance(hours=1)
    found = {last_four: account.status(f"order-{last_four}")["status"] for last_four in expected}
    assert found == expected
    assert {account.status(f"order-{n}")["sentFrom"] for n in expected} == {NUMBER}
