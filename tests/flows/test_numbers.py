"""Which number sends, black box: sentFrom and fromPolicy, guests who keep theirs, numbers down."""

from typing import Any

import httpx
import pytest

from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TestAccount, TestService, account_toml
from tests.support.waiting import eventually, settle

FIRST, SECOND, THIRD = NUMBER, "972555000002", "972555000003"
OTHER = "972509998877"


def numbers_toml(*numbers: str, **fields: Any) -> str:
    lines = []
    for number in numbers:
        lines += ["[[accounts.numbers]]", f'number = "{number}"']
        lines += [f"{name} = {value}" for name, value in fields.items()]
    return "\n".join(lines) + "\n"


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(numbers_toml(FIRST, SECOND, THIRD))


_count = iter(range(1_000_000))


def post(account: TestAccount, **more: Any) -> httpx.Response:
    cid = f"number-{next(_count):06}"
    return account.send(**{"clientMessageId": cid, "to": GUEST, "templateName": "plain"} | more)


def send(account: TestAccount, **more: Any) -> dict[str, Any]:
    answer = post(account, **more)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert (answer.status_code == 200) == (data["status"] == "sent"), answer.text
    return data


def say(account: TestAccount, text: str = "Hi", **more: Any) -> httpx.Response:
    cid = f"number-{next(_count):06}"
    return account.send(**{"clientMessageId": cid, "to": GUEST, "message": text} | more)


def receive(account: TestAccount, to: str, from_: str = GUEST) -> None:
    body = {"from": from_, "to": to, "text": "Hello?"}
    assert account.post("/sandbox/v1/replies", body).status_code == 200


def health(account: TestAccount, number: str, status: str) -> None:
    answer = account.post(f"/sandbox/v1/senders/{number}", {"status": status})
    assert answer.status_code == 200, answer.text


def wait_until_sent(account: TestAccount, cid: str) -> None:
    """In real time, as where something outside has changed."""
    ends = ("sent", "delivered", "read", "failed", "expired")
    eventually(lambda: account.status(cid)["status"] in ends)
    assert account.status(cid)["status"] not in ("failed", "expired"), account.status(cid)


def got(account: TestAccount, to: str = GUEST) -> list[str]:
    shown = account.get(f"/sandbox/v1/phones/{to}").json()["data"]["messages"]
    return [message["clientMessageId"] for message in shown if message["direction"] == "out"]


# sentFrom and fromPolicy


def test_a_new_guest_starts_on_the_first_number(account: TestAccount) -> None:
    data = send(account)
    assert (data["sentFrom"], data["fallbackUsed"]) == (FIRST, False)


@pytest.mark.parametrize("policy", [{}, {"fromPolicy": "prefer"}, {"fromPolicy": "strict"}])
def test_the_number_asked_for_sends(account: TestAccount, policy: dict[str, str]) -> None:
    data = send(account, sentFrom=SECOND, **policy)
    assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, False)


def test_auto_does_not_look_at_the_number_asked_for(account: TestAccount) -> None:
    data = send(account, sentFrom=THIRD, fromPolicy="auto")
    assert (data["sentFrom"], data["fallbackUsed"]) == (FIRST, False)


@pytest.mark.parametrize("policy", ["prefer", "strict", "auto"])
def test_a_policy_without_a_number_chooses_by_itself(account: TestAccount, policy: str) -> None:
    assert send(account, fromPolicy=policy)["sentFrom"] == FIRST


@pytest.mark.parametrize(
    "sender", ["972555999999", "+" + FIRST, "", "first", FIRST + " "], ids=named
)
@pytest.mark.parametrize("policy", ["prefer", "strict", "auto"])
def test_a_number_that_is_not_the_accounts_is_an_invalid_sender(
    account: TestAccount, sender: str, policy: str
) -> None:
    answer = post(account, sentFrom=sender, fromPolicy=policy)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("INVALID_SENDER", "sentFrom")
    assert got(account) == []


def test_another_accounts_number_is_an_invalid_sender(service: TestService) -> None:
    mine, _ = service.account(), service.account(numbers_toml("972555777777"))
    answer = post(mine, sentFrom="972555777777")
    assert answer.json()["error"]["code"] == "INVALID_SENDER"


@pytest.mark.parametrize("sender", [None, 972555000001, [FIRST], True], ids=named)
def test_a_number_that_is_no_string_is_a_validation_error(
    account: TestAccount, sender: Any
) -> None:
    error = post(account, sentFrom=sender).json()["error"]
    assert (error["code"], error["field"]) == ("VALIDATION_ERROR", "sentFrom")


POLICIES = [None, "", "Prefer", "STRICT", " auto", "any", 1, 1.5, True, [], ["auto"], {}]


@pytest.mark.parametrize("policy", POLICIES, ids=named)
@pytest.mark.parametrize("more", [{}, {"sentFrom": SECOND}, {"sentFrom": "nonsense"}], ids=named)
def test_a_policy_that_is_none_of_the_three_has_its_own_code(
    account: TestAccount, policy: Any, more: dict[str, str]
) -> None:
    answer = post(account, fromPolicy=policy, **more)
    assert answer.status_code == 400
    error = answer.json()["error"]
    expected = "INVALID_SENDER" if more.get("sentFrom") == "nonsense" else "INVALID_FROM_POLICY"
    assert error["code"] == expected, answer.text
    assert got(account) == []


# A guest keeps its number


def test_a_guest_keeps_the_number_that_wrote_first(account: TestAccount) -> None:
    assert send(account, sentFrom=SECOND)["sentFrom"] == SECOND
    assert send(account)["sentFrom"] == SECOND
    assert send(account, fromPolicy="auto", sentFrom=THIRD)["sentFrom"] == SECOND
    assert send(account, to=OTHER)["sentFrom"] == FIRST
    account.advance(days=40)
    assert send(account)["sentFrom"] == SECOND


def test_the_number_asked_for_beats_the_one_the_guest_knows(account: TestAccount) -> None:
    send(account, sentFrom=SECOND)
    data = send(account, sentFrom=THIRD)
    assert (data["sentFrom"], data["fallbackUsed"]) == (THIRD, False)
    assert send(account)["sentFrom"] == SECOND, "once is no habit"


def test_a_guest_in_conversation_is_answered_by_the_number_it_wrote_to(
    account: TestAccount,
) -> None:
    send(account)
    receive(account, to=THIRD)
    answer = say(account).json()["data"]
    assert (answer["status"], answer["sentFrom"]) == ("sent", THIRD)
    assert send(account)["sentFrom"] == THIRD
    account.advance(hours=24)
    assert send(account)["sentFrom"] == FIRST


def test_the_window_belongs_to_the_number_the_guest_wrote_to(account: TestAccount) -> None:
    receive(account, to=SECOND)
    strict = say(account, sentFrom=FIRST, fromPolicy="strict")
    assert strict.json()["error"]["code"] == "SERVICE_WINDOW_CLOSED"
    both = say(account, sentFrom=FIRST, fromPolicy="strict", templateName="plain").json()["data"]
    assert (both["sentFrom"], both["fallbackUsed"]) == (FIRST, True)


def test_free_text_goes_by_the_number_in_conversation_where_another_was_only_preferred(
    account: TestAccount,
) -> None:
    receive(account, to=SECOND)
    data = say(account, sentFrom=FIRST, fromPolicy="prefer").json()["data"]
    assert (data["status"], data["sentFrom"], data["fallbackUsed"]) == ("sent", SECOND, True)


# Numbers that cannot send


def test_an_unhealthy_number_is_passed_over(account: TestAccount) -> None:
    health(account, FIRST, "RESTRICTED")
    data = send(account)
    assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, False)


def test_a_preferred_number_that_is_down_is_stood_in_for(account: TestAccount) -> None:
    health(account, THIRD, "RESTRICTED")
    data = send(account, sentFrom=THIRD)
    assert (data["sentFrom"], data["fallbackUsed"]) == (FIRST, True)


def test_a_guest_whose_number_is_down_gets_another_and_comes_back(account: TestAccount) -> None:
    send(account, sentFrom=SECOND)
    health(account, SECOND, "RESTRICTED")
    data = send(account)
    assert (data["sentFrom"], data["fallbackUsed"]) == (FIRST, False)
    health(account, SECOND, "CONNECTED")
    assert send(account)["sentFrom"] == SECOND


def test_a_red_number_that_is_connected_sends(account: TestAccount) -> None:
    answer = account.post(f"/sandbox/v1/senders/{FIRST}", {"quality": "RED"})
    assert answer.status_code == 200
    assert send(account)["sentFrom"] == FIRST


def test_strict_waits_for_its_number_and_goes_by_itself(account: TestAccount) -> None:
    health(account, SECOND, "RESTRICTED")
    data = send(account, sentFrom=SECOND, fromPolicy="strict")
    cid = data["clientMessageId"]
    assert (data["status"], data["reason"], data["retryAt"]) == (
        "deferred", "NUMBER_UNHEALTHY", None,
    )  # fmt: skip
    assert data["sentFrom"] == SECOND
    account.advance(hours=3)
    status = account.status(cid)
    assert (status["status"], status["reason"]) == ("deferred", "NUMBER_UNHEALTHY")
    health(account, SECOND, "CONNECTED")
    wait_until_sent(account, cid)
    assert account.status(cid)["sentFrom"] == SECOND
    assert got(account) == [cid]
    received = [event["data"]["reason"] for event in account.events("message.deferred")]
    assert received == ["NUMBER_UNHEALTHY"]


def test_with_every_number_down_messages_wait_and_go_once_one_is_back(
    account: TestAccount,
) -> None:
    for number in (FIRST, SECOND, THIRD):
        health(account, number, "RESTRICTED")
    waiting = [send(account, to=f"97250123400{index}") for index in range(5)]
    assert {data["reason"] for data in waiting} == {"NUMBER_UNHEALTHY"}
    account.advance(hours=1)
    health(account, THIRD, "CONNECTED")
    for index, data in enumerate(waiting):
        wait_until_sent(account, data["clientMessageId"])
        assert account.status(data["clientMessageId"])["sentFrom"] == THIRD
        assert got(account, f"97250123400{index}") == [data["clientMessageId"]]
    deferred = account.events("message.deferred")
    assert len(deferred) == 5
    assert {event["data"]["retryAt"] for event in deferred} == {None}


def test_a_preferred_number_waited_for_in_vain_is_stood_in_for(account: TestAccount) -> None:
    for number in (FIRST, SECOND, THIRD):
        health(account, number, "RESTRICTED")
    data = send(account, sentFrom=SECOND)
    health(account, FIRST, "CONNECTED")
    wait_until_sent(account, data["clientMessageId"])
    repeat = account.send(clientMessageId=data["clientMessageId"], to=GUEST, templateName="plain")
    repeated = repeat.json()["data"]
    assert (repeated["sentFrom"], repeated["fallbackUsed"]) == (FIRST, True)


def test_free_text_waits_for_the_number_whose_window_is_open(account: TestAccount) -> None:
    receive(account, to=SECOND)
    health(account, SECOND, "RESTRICTED")
    answer = say(account)
    assert answer.status_code == 202, answer.text
    data = answer.json()["data"]
    assert (data["reason"], data["sentFrom"]) == ("NUMBER_UNHEALTHY", SECOND)
    health(account, FIRST, "RESTRICTED")
    health(account, FIRST, "CONNECTED")  # another that comes back is of no use to it
    settle(account)
    account.advance(minutes=10)
    assert account.status(data["clientMessageId"])["status"] == "deferred"
    health(account, SECOND, "CONNECTED")
    wait_until_sent(account, data["clientMessageId"])
    assert account.status(data["clientMessageId"])["sentFrom"] == SECOND


def test_free_text_with_a_template_goes_as_that_by_another_number(account: TestAccount) -> None:
    receive(account, to=SECOND)
    health(account, SECOND, "RESTRICTED")
    data = say(account, templateName="plain").json()["data"]
    assert (data["status"], data["sentFrom"], data["fallbackUsed"]) == ("sent", FIRST, True)


def test_free_text_that_waits_past_its_window_fails_and_says_so(account: TestAccount) -> None:
    receive(account, to=SECOND)
    health(account, SECOND, "RESTRICTED")
    cid = say(account).json()["data"]["clientMessageId"]
    account.advance(hours=25)
    health(account, SECOND, "CONNECTED")
    account.advance(minutes=10)
    status = account.status(cid)
    assert (status["status"], status["error"]["code"]) == ("failed", "SERVICE_WINDOW_CLOSED")
    assert got(account) == []


def test_a_number_that_is_full_still_answers_who_talks_to_it(service: TestService) -> None:
    toml = numbers_toml(FIRST, dailyLimit=1) + numbers_toml(SECOND)
    account = service.account(toml)
    assert send(account, to=OTHER)["sentFrom"] == FIRST  # the one place of the day
    receive(account, to=FIRST)
    for more in ({}, {"sentFrom": FIRST}, {"sentFrom": FIRST, "fromPolicy": "strict"}):
        answer = say(account, **more)
        assert answer.status_code == 200, answer.text
        assert (answer.json()["data"]["sentFrom"], answer.json()["data"]["fallbackUsed"]) == (
            FIRST, False,
        )  # fmt: skip
    assert send(account, to=OTHER, sentFrom=FIRST)["sentFrom"] == FIRST, "counted already"
    data = send(account, to="972501112233", sentFrom=FIRST)
    assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, True)


# Numbers that come and go


def test_a_number_that_was_taken_away_does_not_hold_its_guests(service: TestService) -> None:
    account = service.account(numbers_toml(FIRST, SECOND), name="fewer-numbers")
    assert send(account, sentFrom=SECOND)["sentFrom"] == SECOND
    receive(account, to=SECOND)
    service.apply(account_toml(numbers_toml(FIRST), name="fewer-numbers"))
    assert send(account)["sentFrom"] == FIRST
    assert post(account, sentFrom=SECOND).json()["error"]["code"] == "INVALID_SENDER"
    assert say(account).json()["error"]["code"] == "SERVICE_WINDOW_CLOSED"


def test_a_message_that_waits_for_a_number_that_is_taken_away_goes_by_another(
    service: TestService,
) -> None:
    account = service.account(numbers_toml(FIRST, SECOND), name="lost-number")
    for number in (FIRST, SECOND):
        health(account, number, "RESTRICTED")
    preferred = send(account, sentFrom=SECOND)
    service.apply(account_toml(numbers_toml(FIRST), name="lost-number"))
    health(account, FIRST, "CONNECTED")
    wait_until_sent(account, preferred["clientMessageId"])
    assert account.status(preferred["clientMessageId"])["sentFrom"] == FIRST


def test_a_dry_run_names_the_number_and_the_wait(account: TestAccount) -> None:
    dry = {"X-Dry-Run": "true"}
    body = {"clientMessageId": "number-dry-run", "to": GUEST, "templateName": "plain"}
    answer = account.post("/messages/text", body | {"sentFrom": SECOND}, headers=dry)
    data = answer.json()["data"]
    assert (data["wouldBe"], data["sentFrom"], data["fallbackUsed"]) == ("sent", SECOND, False)
    health(account, SECOND, "RESTRICTED")
    body |= {"sentFrom": SECOND, "fromPolicy": "strict"}
    data = account.post("/messages/text", body, headers=dry).json()["data"]
    assert (data["wouldBe"], data["reason"]) == ("deferred", "NUMBER_UNHEALTHY")
    assert got(account) == [] and account.events("message.deferred") == []
