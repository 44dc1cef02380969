"""POST /messages/otp, black box: a passcode goes once and in its time, or not at all (4.2)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from tests.support.clock import STANDING
from tests.support.names import named
from tests.support.passcodes import CID, ONE, RESULT, kept, paused, post, received, send, unpause
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import phone


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(ONE)


# Repeats


def test_a_repeat_is_the_original_whatever_its_body_says(account: TestAccount) -> None:
    first = send(account)
    again = send(account, to="972501111111", code="Other-1", ttlSeconds=60)
    assert again == first | {"duplicate": True}
    assert len(phone(account)) == 1 and phone(account, "972501111111") == []
    assert kept(account) == 0


def test_a_repeat_after_48_hours_is_a_new_passcode(account: TestAccount) -> None:
    first = send(account)
    account.advance(hours=47, minutes=59, seconds=55)
    assert send(account)["duplicate"] is True
    account.advance(seconds=6)
    second = send(account)
    assert second["duplicate"] is False and second["messageId"] != first["messageId"]


def test_ten_at_the_same_instant_are_one_passcode(account: TestAccount) -> None:
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: send(account), range(10)))
    assert sorted(answer["duplicate"] for answer in answers) == [False] + [True] * 9
    assert {answer["messageId"] for answer in answers} == {answers[0]["messageId"]}
    assert len(phone(account)) == 1 and kept(account) == 0


def test_an_id_of_another_kind_of_message_keeps_no_code(account: TestAccount) -> None:
    account.send(clientMessageId=CID, to=GUEST, templateName="plain")
    answer = post(account)
    assert answer.status_code == 409, answer.text
    assert answer.json()["error"]["code"] == "DUPLICATE_CLIENT_MESSAGE_ID"
    assert kept(account) == 0


# Opt-outs, windows, pauses


def test_a_marketing_opt_out_does_not_stop_a_passcode(account: TestAccount) -> None:
    send(account)
    opt_out = "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1"
    account.service.sql(opt_out, account.id)
    text = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert text.json()["data"]["error"]["code"] == "RECIPIENT_OPTED_OUT"
    assert send(account, clientMessageId="login-0002")["status"] == "sent"


def test_a_waiting_passcode_is_not_stopped_by_an_opt_out_either(service: TestService) -> None:
    account = paused(service, "otp-opt-out")
    send(account)
    service.sql(
        "INSERT INTO contacts (account_id, phone, opted_out_at) VALUES ($1, $2, now())"
        " ON CONFLICT (account_id, phone) DO UPDATE SET opted_out_at = now()",
        account.id,
        GUEST,
    )
    unpause(account, "otp-opt-out")
    account.advance(seconds=599)
    assert account.status(CID)["status"] in ("sent", "delivered", "read")


def test_a_closed_send_window_does_not_hold_a_passcode(service: TestService) -> None:
    opens = STANDING.now() + timedelta(hours=2)
    window = {"from": f"{opens:%H:%M}", "to": f"{opens + timedelta(hours=1):%H:%M}"}
    account = service.account(ONE, sendWindow=window | {"timezone": "UTC"})
    text = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert text.json()["data"].get("reason") == "SEND_WINDOW"
    assert send(account)["status"] == "sent"


def test_a_passcode_that_must_wait_is_accepted_with_the_reason(service: TestService) -> None:
    account = paused(service, "otp-waits")
    answer = send(account)
    assert set(answer) == RESULT | {"http", "reason", "retryAt"}
    assert (answer["http"], answer["status"], answer["reason"]) == (
        202,
        "deferred",
        "SENDING_PAUSED",
    )
    assert (answer["messageId"], answer["duplicate"]) == (None, False)
    assert send(account) == answer | {"duplicate": True}
    assert received(account) == ["SENDING_PAUSED"]
    assert kept(account) == 1


def test_it_goes_as_soon_as_it_may_and_its_code_is_forgotten(service: TestService) -> None:
    account = paused(service, "otp-goes")
    send(account, ttlSeconds=3600)
    unpause(account, "otp-goes")
    account.advance(minutes=30)
    assert account.status(CID)["status"] in ("sent", "delivered", "read")
    assert received(account)[:2] == ["SENDING_PAUSED", "sent"]
    assert len(phone(account)) == 1 and kept(account) == 0
    assert send(account)["http"] == 200


# Time to live


@pytest.mark.parametrize(("given", "lives"), [({}, 600), ({"ttlSeconds": 60}, 60)], ids=named)
def test_a_passcode_not_sent_in_its_time_expires(
    service: TestService, given: dict[str, int], lives: int
) -> None:
    account = paused(service, f"otp-expires-{lives}")
    send(account, **given)
    account.advance(seconds=lives - 2)
    assert account.status(CID)["status"] == "deferred" and kept(account) == 1
    account.advance(seconds=3)
    assert account.status(CID)["status"] == "expired"
    assert kept(account) == 0
    assert received(account) == ["SENDING_PAUSED", "expired"]
    assert account.events("message.status")[0]["data"]["neverDelivered"] is True
    repeated = send(account)
    assert (repeated["http"], repeated["status"]) == (200, "expired")
    assert set(repeated) == RESULT | {"http"}


def test_an_expired_passcode_is_never_sent_late(service: TestService) -> None:
    account = paused(service, "otp-late")
    send(account, ttlSeconds=60)
    account.advance(seconds=61)
    unpause(account, "otp-late")
    account.advance(hours=2)
    assert account.status(CID)["status"] == "expired"
    assert phone(account) == []


# What the platform answers


def magic(digits: str) -> str:
    return f"97250000{digits}"


def test_a_refusal_by_the_platform_is_a_failure_with_what_to_do(account: TestAccount) -> None:
    answer = send(account, to=magic("9013"))
    assert set(answer) == RESULT | {"http", "error"}
    assert (answer["http"], answer["status"], answer["messageId"]) == (200, "failed", None)
    assert set(answer["error"]) == {"code", "explanation", "action"}
    assert kept(account) == 0 and received(account) == ["failed"]


@pytest.mark.parametrize(
    ("digits", "reason"),
    [("9020", "NUMBER_LIMIT"), ("9021", "NUMBER_LIMIT"), ("9022", "PLATFORM_UNAVAILABLE")],
)
def test_a_platform_that_cannot_now_is_tried_again(
    account: TestAccount, digits: str, reason: str
) -> None:
    answer = send(account, to=magic(digits))
    assert (answer["http"], answer["status"], answer["reason"]) == (202, "deferred", reason)
    assert kept(account) == 1
    account.advance(seconds=590)
    assert account.status(CID)["status"] in ("sent", "delivered", "read")
    assert kept(account) == 0


def test_a_platform_that_is_down_for_longer_than_its_time_lets_it_expire(
    account: TestAccount,
) -> None:
    send(account, to=magic("9030"), ttlSeconds=60)
    account.advance(hours=2)
    assert account.status(CID)["status"] == "expired"
    assert phone(account, magic("9030")) == [] and kept(account) == 0


def test_a_callback_settles_a_send_that_got_no_answer(account: TestAccount) -> None:
    answer = send(account, to=magic("9023"))
    assert (answer["http"], answer["status"], answer["messageId"]) == (202, "sending", None)
    account.advance(seconds=10)
    assert account.status(CID)["status"] == "read"
    assert kept(account) == 0


def test_without_any_callback_it_is_sent_once_more_in_its_time(account: TestAccount) -> None:
    send(account, to=magic("9024"))
    account.advance(seconds=119)
    assert len(account.status(CID)["attempts"]) == 1 and kept(account) == 1
    account.advance(seconds=31)
    assert len(account.status(CID)["attempts"]) == 2
    account.advance(seconds=500)
    assert account.status(CID)["error"]["code"] == "UNKNOWN_OUTCOME"
    assert len(account.status(CID)["attempts"]) == 2
    assert kept(account) == 0


def test_a_short_lived_one_without_an_answer_is_not_sent_again(account: TestAccount) -> None:
    send(account, to=magic("9024"), ttlSeconds=60)
    account.advance(seconds=118)
    assert account.status(CID)["status"] == "sending"
    account.advance(seconds=3)
    status = account.status(CID)
    assert (status["status"], status["error"]["code"]) == ("failed", "UNKNOWN_OUTCOME")
    assert len(status["attempts"]) == 1 and kept(account) == 0
