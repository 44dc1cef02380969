"""The same clientMessageId again, black box: one message, whoever sends it and how often (4.1)."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.service import GUEST, TestAccount, TestService, account_toml
from tests.support.waiting import patiently

CID = "order-0001"


def body(cid: str = CID, **more: Any) -> dict[str, Any]:
    return {"clientMessageId": cid, "to": GUEST, "templateName": "plain"} | more


def send(account: TestAccount, cid: str = CID, **more: Any) -> dict[str, Any]:
    answer = account.send(**body(cid, **more))
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def rows(account: TestAccount) -> int:
    query = "SELECT count(*) AS n FROM messages WHERE account_id = $1"
    count: int = account.service.sql(query, account.id)[0]["n"]
    return count


def together(count: int, work: Callable[[int], httpx.Response]) -> list[httpx.Response]:
    """`work(index)` in so many threads, all let go at the same instant."""
    gate = threading.Barrier(count)
    answers: dict[int, httpx.Response] = {}

    def run(index: int) -> None:
        gate.wait(60)
        answers[index] = patiently(lambda: work(index))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(answers) == count, "not every request was answered"
    return [answers[index] for index in range(count)]


def require_one_winner(answers: list[httpx.Response]) -> str:
    """The message's id; all others answer it as a duplicate."""
    assert {answer.status_code for answer in answers} == {200}, [a.text for a in answers]
    found = [answer.json()["data"] for answer in answers]
    assert [data["duplicate"] for data in found].count(False) == 1
    (same,) = {(data["messageId"], data["status"], data["sentAt"]) for data in found}
    message_id: str = same[0]
    assert message_id
    return message_id


# One after another


def test_a_repeat_answers_the_original_as_a_duplicate(account: TestAccount) -> None:
    first = send(account)
    for _ in range(3):
        assert send(account) == first | {"duplicate": True}
    assert rows(account) == 1 and len(account.events()) == 1
    assert len(account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"]) == 1


def test_a_repeat_answers_the_originals_present_state(account: TestAccount) -> None:
    first = send(account)
    account.advance(seconds=3)
    assert send(account) == first | {"duplicate": True, "status": "read"}


def test_a_repeat_with_another_body_answers_the_original(account: TestAccount) -> None:
    first = send(account, meta={"a": 1})
    other = {"to": "972501234568", "templateName": "hello", "templateParams": ["x"]}
    assert send(account, **other, meta={"b": 2}) == first | {"duplicate": True}
    assert account.status(CID)["to"] == GUEST and account.status(CID)["meta"] == {"a": 1}
    assert account.get("/sandbox/v1/phones/972501234568").json()["data"]["messages"] == []


def test_ids_differ_by_case_space_and_form(account: TestAccount) -> None:
    composed, decomposed = "caf\u00e9-0001", "cafe\u0301-0001"
    ids = ["order-000a", "order-000A", "order-000a ", " order-000a", composed, decomposed]
    answers = [send(account, cid) for cid in ids]
    assert not any(answer["duplicate"] for answer in answers)
    assert len({answer["messageId"] for answer in answers}) == len(ids)


# The same request again when the world has changed: it must still find its original


def test_a_repeat_after_its_deadline_answers_the_original(account: TestAccount) -> None:
    deadline = (account.service.clock.now() + timedelta(minutes=1)).isoformat()
    first = send(account, deadline=deadline)
    account.advance(minutes=5)
    assert send(account, deadline=deadline)["messageId"] == first["messageId"]


def test_a_repeat_after_the_window_closed_answers_the_original(account: TestAccount) -> None:
    account.reply(GUEST, "hi")
    text = {"clientMessageId": CID, "to": GUEST, "message": "hello"}
    first = account.send(**text).json()["data"]
    account.advance(hours=25)
    again = account.send(**text)
    assert again.status_code == 200, again.text
    assert again.json()["data"]["messageId"] == first["messageId"]


def test_a_repeat_after_the_guest_left_the_list_answers_the_original(service: TestService) -> None:
    account = service.account(name="list-changes", allowlist=[GUEST])
    first = send(account)
    service.apply(account_toml(name="list-changes", allowlist=["972501234568"]))
    assert send(account) == first | {"duplicate": True}


def test_a_repeat_after_the_template_was_withdrawn_answers_the_original(
    service: TestService,
) -> None:
    account = service.account(name="template-goes")
    first = send(account)
    one = '[[accounts.templates]]\nname = "other"\nlanguage = "en"\ncategory = "UTILITY"\n'
    service.apply(account_toml(f'{one}status = "APPROVED"\nbody = "x"\n', name="template-goes"))
    assert send(account) == first | {"duplicate": True}


def test_a_repeat_after_the_number_was_given_up_answers_the_original(service: TestService) -> None:
    number = "972555000077"
    numbers = f'[[accounts.numbers]]\nnumber = "{number}"\n'
    account = service.account(numbers, name="number-goes")
    first = send(account, sentFrom=number, fromPolicy="strict")
    service.apply(account_toml(name="number-goes"))
    assert send(account, sentFrom=number, fromPolicy="strict") == first | {"duplicate": True}


def test_a_repeat_while_the_account_is_paused_answers_the_original(service: TestService) -> None:
    account = service.account(name="pause-comes")
    first = send(account)
    service.apply(account_toml(name="pause-comes", paused=True))
    assert send(account) == first | {"duplicate": True}


# Refused, then accepted


def test_a_refused_id_is_free(service: TestService) -> None:
    account = service.account(name="top-up", allowlist=["972501234568"])
    refused = [
        account.send(**body()),
        account.send(**body(to="123")),
        account.send(**body(to="972501234568", templateName="nowhere")),
        account.send(clientMessageId=CID, to="972501234568", message="no window"),
    ]
    assert [answer.status_code for answer in refused] == [403, 400, 400, 400]
    assert account.get(f"/messages/{CID}").status_code == 404
    service.apply(account_toml(name="top-up"))
    assert send(account)["duplicate"] is False


# 48 hours


def test_an_id_is_free_again_after_exactly_48_hours(service: TestService) -> None:
    account = service.account()
    first = send(account)
    account.advance(hours=47, minutes=59, seconds=59)
    assert send(account) == first | {"duplicate": True, "status": "read"}
    account.advance(seconds=1)
    second = send(account)
    assert second["duplicate"] is False
    assert second["messageId"] != first["messageId"]
    assert rows(account) == 2


def test_the_status_answers_the_newest(account: TestAccount) -> None:
    first = send(account, meta={"n": 1})
    account.advance(hours=48, seconds=1)
    second = send(account, meta={"n": 2})
    assert account.status(CID)["messageId"] == second["messageId"] != first["messageId"]
    assert account.status(CID)["meta"] == {"n": 2}
    assert account.status(CID)["status"] == "sent"


def test_a_repeat_does_not_prolong_the_48_hours(account: TestAccount) -> None:
    send(account)
    account.advance(hours=30)
    assert send(account)["duplicate"] is True
    account.advance(hours=18, seconds=1)
    assert send(account)["duplicate"] is False
    account.advance(hours=47)
    assert send(account)["duplicate"] is True


def test_the_48_hours_count_from_acceptance_also_for_what_waits(account: TestAccount) -> None:
    later = (account.service.clock.now() + timedelta(hours=60)).isoformat()
    send(account, scheduledFor=later)
    account.advance(hours=47)
    assert send(account, scheduledFor=later)["duplicate"] is True
    account.advance(hours=1, seconds=1)
    assert send(account)["duplicate"] is False
    assert account.status(CID)["status"] == "sent"
    account.advance(hours=20)
    assert len(account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"]) == 2


def test_the_window_of_another_account_runs_by_its_own_clock(service: TestService) -> None:
    one, two = service.account(), service.account()
    send(one)
    send(two)
    one.advance(hours=49)
    assert (send(one)["duplicate"], send(two)["duplicate"]) == (False, True)


# At the same instant


def test_64_at_the_same_instant_send_one(account: TestAccount) -> None:
    answers = together(64, lambda _: account.send(**body()))
    message_id = require_one_winner(answers)
    assert rows(account) == 1
    assert account.status(CID)["messageId"] == message_id
    assert len(account.status(CID)["attempts"]) == 1
    assert len(account.events()) == 1


def test_64_with_different_bodies_send_one_of_them(account: TestAccount) -> None:
    answers = together(64, lambda i: account.send(**body(to=f"9725012340{i:02}", meta={"i": i})))
    require_one_winner(answers)
    assert rows(account) == 1
    winner = next(i for i, a in enumerate(answers) if a.json()["data"]["duplicate"] is False)
    assert account.status(CID)["meta"] == {"i": winner}
    assert account.status(CID)["to"] == f"9725012340{winner:02}"


def test_a_refused_one_among_them_does_no_harm(account: TestAccount) -> None:
    def work(index: int) -> httpx.Response:
        return account.send(**body(templateName="nowhere" if index % 2 else "plain"))

    answers = together(32, work)
    sound = answers[0::2]
    require_one_winner(sound)
    assert {answer.status_code for answer in answers[1::2]} <= {200, 400}
    assert rows(account) == 1


def test_many_ids_at_the_same_instant_are_as_many_messages(account: TestAccount) -> None:
    answers = together(64, lambda i: account.send(**body(f"order-{i % 16:04}")))
    fresh = [a.json()["data"] for a in answers if not a.json()["data"]["duplicate"]]
    assert {answer.status_code for answer in answers} == {200}
    assert Counter(data["clientMessageId"] for data in fresh) == {
        f"order-{i:04}": 1 for i in range(16)
    }
    assert rows(account) == 16


def test_waiting_messages_race_as_well(account: TestAccount) -> None:
    answers = together(32, lambda _: account.send(**body(to="972500009022")))
    assert {answer.status_code for answer in answers} == {202}
    assert [answer.json()["data"]["duplicate"] for answer in answers].count(False) == 1
    assert {answer.json()["data"]["status"] for answer in answers} == {"deferred"}
    assert len(account.events("message.deferred")) == 1


def test_at_the_end_of_48_hours_one_of_many_is_the_new_message(service: TestService) -> None:
    account = service.account()
    first = send(account)
    account.advance(hours=48)
    answers = together(32, lambda _: account.send(**body()))
    assert require_one_winner(answers) != first["messageId"]
    assert rows(account) == 2


# Two services on one database


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestService, TestService]]:
    dsn, folder, clock = fresh_database(), tmp_path_factory.mktemp("pair"), ManualClock()
    with (
        TestService(dsn, folder, clock=clock) as one,
        TestService(dsn, folder, clock=clock) as two,
    ):
        yield one, two


def at(service: TestService, account: TestAccount) -> TestAccount:
    """The same account, asked at another service."""
    made = {"id": account.id, "apiKey": account.key, "signingSecret": account.secret}
    return TestAccount(service, made)


def test_two_services_racing_for_the_same_ids_send_each_once(
    pair: tuple[TestService, TestService],
) -> None:
    account = pair[0].account()
    asked = [account, at(pair[1], account)]
    assert asked[1].get("/sandbox/v1/clock").status_code == 200
    answers = together(64, lambda i: asked[i % 2].send(**body(f"order-{i // 4:04}")))
    for group in range(16):
        require_one_winner(answers[group * 4 : group * 4 + 4])
    assert rows(account) == 16
    assert len(account.events()) == 16
    for group in range(16):
        assert len(account.status(f"order-{group:04}")["attempts"]) == 1


def test_one_service_answers_for_what_the_other_took(pair: tuple[TestService, TestService]) -> None:
    account = pair[0].account()
    other = at(pair[1], account)
    first = send(account)
    assert send(other) == first | {"duplicate": True}
    assert other.status(CID) == account.status(CID)


def test_a_clock_moved_at_one_service_holds_at_the_other(
    pair: tuple[TestService, TestService],
) -> None:
    account = pair[0].account()
    other = at(pair[1], account)
    send(account)
    other.advance(hours=49)
    assert account.status(CID)["status"] == "read"
    assert send(account)["duplicate"] is False
    assert len([e for e in account.events() if e["data"]["status"] == "read"]) == 1


def test_scheduled_messages_are_claimed_by_one_of_two_services(
    pair: tuple[TestService, TestService],
) -> None:
    account = pair[0].account()
    later = (account.service.clock.now() + timedelta(hours=1)).isoformat()
    for index in range(60):
        send(account, f"order-{index:04}", to=f"9725012340{index:02}", scheduledFor=later)
    account.advance(hours=2)
    sent = [e["data"]["clientMessageId"] for e in account.events() if e["data"]["status"] == "sent"]
    assert sorted(sent) == [f"order-{index:04}" for index in range(60)]
    attempts = [len(account.status(f"order-{i:04}")["attempts"]) for i in range(60)]
    assert attempts == [1] * 60
