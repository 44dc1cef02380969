"""A platform that does not answer, answers late or breaks: no second send, no lost message."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.platform import FakePlatform, accept, recipients, say_nothing
from tests.support.service import TestAccount, TestService, account_toml
from tests.support.waiting import eventually
from tidings.platforms.port import (
    DispatchResult,
    Failure,
    FailureKind,
    ScheduledCallback,
    Send,
    StatusKind,
    StatusUpdate,
    UnknownOutcome,
)

CID = "order-0001"
FAILURE = Failure("GONE", 131026, FailureKind.RECIPIENT, "Nobody is there.", "Ask for a number.")


def later(
    send: Send, seconds: float, kind: StatusKind, platform_id: str = "wamid.late"
) -> ScheduledCallback:
    after = timedelta(seconds=seconds)
    failure = FAILURE if kind is StatusKind.FAILED else None
    status = StatusUpdate(platform_id, send.send_id, kind, send.at + after, send.to, failure)
    return ScheduledCallback(after, status)


@pytest.fixture(scope="module")
def service(scripted_service: TestService) -> TestService:
    return scripted_service


def send(account: TestAccount, to: str, **more: Any) -> dict[str, Any]:
    fields = {"clientMessageId": CID, "to": to, "templateName": "plain"} | more
    answer = account.send(**fields)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data | {"http": answer.status_code}


def received(account: TestAccount) -> list[str]:
    return [event["data"]["status"] for event in account.events("message.status")]


def refunded(account: TestAccount) -> bool:
    query = "SELECT refunded_at FROM messages WHERE account_id = $1"
    return account.service.sql(query, account.id)[0]["refunded_at"] is not None


def ahead(**delta: float) -> str:
    return (datetime.now(UTC) + timedelta(**delta)).isoformat()


# No answer


def test_without_an_answer_the_message_is_neither_sent_again_nor_given_up_at_once(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = say_nothing
    answer = send(account, to)
    assert (answer["http"], answer["status"], answer["messageId"]) == (202, "sending", None)
    account.advance(seconds=110)
    assert account.status(CID)["status"] == "sending" and received(account) == []
    account.advance(minutes=2)
    status = account.status(CID)
    assert (status["status"], status["error"]["code"]) == ("failed", "UNKNOWN_OUTCOME")
    assert received(account) == ["failed"] and refunded(account)
    account.advance(days=2)
    assert platform.count(to) == 1


@pytest.mark.parametrize(
    ("kind", "end"),
    [
        (StatusKind.SENT, ["sent"]),
        (StatusKind.DELIVERED, ["delivered"]),
        (StatusKind.READ, ["read"]),
        (StatusKind.FAILED, ["failed"]),
    ],
)
def test_a_callback_with_our_id_settles_it(
    account: TestAccount, platform: FakePlatform, to: str, kind: StatusKind, end: list[str]
) -> None:
    platform.behave[to] = lambda s: DispatchResult(UnknownOutcome(), (later(s, 60, kind),))
    send(account, to)
    account.advance(seconds=90)
    status = account.status(CID)
    assert status["status"] == end[-1] and received(account)[-1:] == end
    assert refunded(account) == (kind is StatusKind.FAILED)
    if kind is StatusKind.FAILED:
        assert status["error"]["platformCode"] == 131026
    else:
        assert status["messageId"] == "wamid.late"
    account.advance(hours=1)
    assert account.status(CID)["status"] == end[-1]
    assert platform.count(to) == 1


def test_a_response_after_the_lease_has_expired_settles_it(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    """A worker found the message without an outcome, while its sender was about to record one."""
    expire = "UPDATE jobs SET due_at = now() - interval '1 s' WHERE account_id = $1 RETURNING 1"

    def outcomes() -> list[str]:
        return [one["outcome"] for one in account.status(CID)["attempts"]]

    with ThreadPoolExecutor() as threads:
        with platform.holding(to):
            answer = threads.submit(send, account, to)
            eventually(lambda: platform.count(to) == 1)
            account.service.sql(expire, account.id)
            eventually(lambda: outcomes() == ["unknown"])
        assert answer.result()["status"] == "sent"
    assert outcomes() == ["unknown", "sent"] and received(account) == ["sent"]
    account.advance(hours=1)
    assert account.status(CID)["status"] == "sent" and not refunded(account)


def test_a_delivery_reported_after_it_was_given_up_wins_and_the_refund_stays(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = lambda s: DispatchResult(
        UnknownOutcome(), (later(s, 600, StatusKind.DELIVERED), later(s, 700, StatusKind.READ))
    )
    send(account, to)
    account.advance(minutes=5)
    assert account.status(CID)["status"] == "failed"
    account.advance(minutes=10)
    assert account.status(CID)["status"] == "read"
    assert received(account) == ["failed", "delivered", "read"]
    assert refunded(account)
    assert account.status(CID)["messageId"] == "wamid.late"


def test_a_mere_sent_after_it_was_given_up_changes_nothing(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = lambda s: DispatchResult(
        UnknownOutcome(), (later(s, 600, StatusKind.SENT),)
    )
    send(account, to)
    account.advance(minutes=15)
    assert account.status(CID)["status"] == "failed" and received(account) == ["failed"]


def test_a_deadline_does_not_expire_what_may_be_on_a_phone(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = lambda s: DispatchResult(
        UnknownOutcome(), (later(s, 90, StatusKind.DELIVERED),)
    )
    send(account, to, deadline=ahead(seconds=30))
    account.advance(seconds=60)
    assert account.status(CID)["status"] == "sending"
    account.advance(seconds=60)
    assert account.status(CID)["status"] == "delivered" and received(account)[-1] == "delivered"


@pytest.mark.parametrize("end", [{"deadline": 60}, {"expiresAt": 60, "kind": "invitation"}])
def test_nor_is_it_said_that_it_never_came(
    account: TestAccount, platform: FakePlatform, to: str, end: dict[str, Any]
) -> None:
    """It may be on a phone. The outcome is published after 120 s, whatever else ends meanwhile."""
    platform.behave[to] = say_nothing
    times = {name: ahead(seconds=value) for name, value in end.items() if name != "kind"}
    send(account, to, **end | times)
    account.advance(seconds=117)
    assert account.status(CID)["status"] == "sending" and received(account) == []
    account.advance(seconds=4)
    status = account.status(CID)
    assert (status["status"], status["error"]["code"]) == ("failed", "UNKNOWN_OUTCOME")
    assert received(account) == ["failed"] and refunded(account)


def test_a_scheduled_message_without_an_answer_fares_the_same(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = say_nothing
    send(account, to, scheduledFor=ahead(hours=1))
    account.advance(hours=1, seconds=30)
    assert account.status(CID)["status"] == "sending"
    account.advance(minutes=3)
    assert account.status(CID)["error"]["code"] == "UNKNOWN_OUTCOME"
    assert platform.count(to) == 1


def test_duplicates_while_the_outcome_is_unknown_send_nothing(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    platform.behave[to] = say_nothing
    first = send(account, to)
    for _ in range(3):
        assert send(account, to) == first | {"duplicate": True}
    account.advance(minutes=5)
    end = send(account, to)
    assert (end["http"], end["status"], end["duplicate"]) == (200, "failed", True)
    assert platform.count(to) == 1


def test_an_account_may_choose_to_send_once_more(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    answers = [say_nothing, accept]
    platform.behave[to] = lambda s: answers[s.attempt - 1](s)
    account = service.account(resendUnknown=True)
    send(account, to)
    account.advance(seconds=100)
    assert platform.count(to) == 1
    account.advance(minutes=2)
    assert account.status(CID)["status"] == "sent" and received(account) == ["sent"]
    assert platform.count(to) == 2
    assert len(account.status(CID)["attempts"]) == 2
    assert not refunded(account)


def test_and_not_more_often(service: TestService, platform: FakePlatform, to: str) -> None:
    platform.behave[to] = say_nothing
    account = service.account(resendUnknown=True)
    send(account, to)
    for _ in range(4):
        account.advance(minutes=10)
    assert account.status(CID)["error"]["code"] == "UNKNOWN_OUTCOME"
    assert platform.count(to) == 2


def test_a_callback_of_the_first_try_settles_a_message_that_was_sent_again(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    def behave(sent: Send) -> DispatchResult:
        if sent.attempt == 1:
            return DispatchResult(
                UnknownOutcome(), (later(sent, 400, StatusKind.DELIVERED, "wamid.first"),)
            )
        return accept(sent)

    platform.behave[to] = behave
    account = service.account(resendUnknown=True)
    send(account, to)
    account.advance(minutes=10)
    assert account.status(CID)["status"] == "delivered"
    assert received(account) == ["sent", "delivered"]


# A platform that breaks


def test_an_adapter_that_breaks_is_an_unknown_outcome(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    def explode(sent: Send) -> DispatchResult:
        raise RuntimeError("the adapter has a bug")

    platform.behave[to] = explode
    answer = account.send(clientMessageId=CID, to=to, templateName="plain")
    assert (answer.status_code, answer.json()["data"]["status"]) == (202, "sending"), answer.text
    account.advance(minutes=5)
    status = account.status(CID)
    assert (status["status"], status["error"]["code"]) == ("failed", "UNKNOWN_OUTCOME")
    assert platform.count(to) == 1, "never a blind retry"


def test_callbacks_about_nobodys_message_are_passed_over(
    account: TestAccount, platform: FakePlatform, to: str
) -> None:
    def behave(sent: Send) -> DispatchResult:
        strange = [
            StatusUpdate("wamid.x", "nonsense", StatusKind.READ, sent.at),
            StatusUpdate("wamid.x", f"{'0' * 32}.1", StatusKind.READ, sent.at),
            StatusUpdate("wamid.x", None, StatusKind.READ, sent.at),
            StatusUpdate("", "", StatusKind.FAILED, sent.at),
            StatusUpdate(f"wamid.{sent.send_id}", sent.send_id, StatusKind.DELIVERED, sent.at),
        ]
        second = timedelta(seconds=1)
        return DispatchResult(
            accept(sent).outcome, tuple(ScheduledCallback(second, each) for each in strange)
        )

    platform.behave[to] = behave
    send(account, to)
    account.advance(seconds=5)
    assert account.status(CID)["status"] == "delivered"
    assert received(account) == ["sent", "delivered"]


def test_the_callbacks_of_one_account_do_not_move_anothers_message(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    victim, other = service.account(), service.account()
    own, foreign = to, next(recipients)
    platform.behave[own] = say_nothing
    send(victim, own)
    theirs = platform.sends[-1].send_id
    platform.behave[foreign] = lambda s: DispatchResult(
        accept(s).outcome,
        (ScheduledCallback(timedelta(0), StatusUpdate("wamid.y", theirs, StatusKind.READ, s.at)),),
    )
    send(other, foreign)
    other.advance(seconds=5)
    victim.advance(seconds=5)
    assert victim.status(CID)["status"] == "sending"


def test_a_paused_account_sends_nothing_again_until_it_is_resumed(
    service: TestService, platform: FakePlatform, to: str
) -> None:
    usual = {"name": "unsure", "resendUnknown": True}
    account = service.account(**usual)
    platform.behave[to] = say_nothing
    send(account, to)
    service.apply(account_toml(paused=True, **usual))
    account.advance(minutes=10)
    assert platform.count(to) == 1
    assert account.status(CID)["status"] == "sending"
    platform.behave[to] = accept
    service.apply(account_toml(**usual))
    account.advance(minutes=10)
    assert platform.count(to) == 2
    assert account.status(CID)["status"] == "sent"
