"""The sandbox's guests and their phones, black box (contract.md)."""

from typing import Any

import pytest

from tests.support.capacity import number_toml
from tests.support.names import named
from tests.support.sandbox import SECOND, invite, phone, plain, reply, require_refused
from tests.support.service import GUEST, NUMBER, TestAccount, TestService

# Phones


def test_a_phone_shows_what_it_got_oldest_first(account: TestAccount) -> None:
    first = plain(account)
    answered = reply(account, text="thanks").json()["data"]["messageId"]
    account.send(clientMessageId="order-0002", to=GUEST, message="welcome")
    out, back, again = phone(account)
    assert (out["direction"], out["type"], out["text"]) == ("out", "template", "Good morning")
    assert (out["messageId"], out["clientMessageId"]) == (first["messageId"], "order-0001")
    assert (back["direction"], back["type"], back["text"]) == ("in", "text", "thanks")
    assert (back["messageId"], back["clientMessageId"]) == (answered, None)
    assert (again["direction"], again["type"], again["text"]) == ("out", "text", "welcome")
    assert [shown["at"] for shown in phone(account)] == sorted(s["at"] for s in phone(account))


def test_a_phone_shows_buttons(account: TestAccount) -> None:
    invite(account, buttonPayloads=["yes:1", "no:1"])
    (shown,) = phone(account)
    assert [(b["text"], b["payload"], b["url"]) for b in shown["buttons"]] == [
        ("Yes", "yes:1", None),
        ("No", "no:1", None),
    ]
    assert all(set(button) == {"type", "text", "payload", "url"} for button in shown["buttons"])


def test_a_phone_forgets_nothing(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1000))
    for index in range(120):
        plain(account, f"order-{index:04}")
    shown = [message["clientMessageId"] for message in phone(account)]
    assert shown == [f"order-{index:04}" for index in range(120)]


def test_a_phone_that_got_nothing_is_empty(account: TestAccount) -> None:
    assert phone(account, "972500000000") == []


@pytest.mark.parametrize("number", ["1234567", "+972501234567", "x", "1" * 21, "%D9%A1" * 9, "%00"])
def test_what_is_no_number_has_no_phone(account: TestAccount, number: str) -> None:
    require_refused(account.get(f"/sandbox/v1/phones/{number}"), "INVALID_PHONE")


def test_a_phone_shows_only_what_this_account_sent(service: TestService) -> None:
    one, two = service.account(), service.account()
    plain(one)
    assert phone(two) == []


def test_what_never_reached_the_platform_is_on_no_phone(account: TestAccount) -> None:
    for magic in ("9013", "9020", "9022", "9030"):
        number = f"97250000{magic}"
        plain(account, f"order-{magic}", to=number)
        assert phone(account, number) == [], magic


# Replies


def test_a_reply_opens_the_window_and_answers_its_id(account: TestAccount) -> None:
    plain(account)
    answer = reply(account, text="hi")
    assert answer.status_code == 200
    assert set(answer.json()["data"]) == {"messageId"}
    sent = account.send(clientMessageId="order-0002", to=GUEST, message="hello")
    assert sent.status_code == 200


def test_every_reply_has_an_id_of_its_own(account: TestAccount) -> None:
    plain(account)
    ids = {reply(account, text="same").json()["data"]["messageId"] for _ in range(5)}
    assert len(ids) == 5
    assert len(phone(account)) == 6


def test_a_reply_goes_to_the_number_that_wrote_last(service: TestService) -> None:
    numbers = "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n' for n in (NUMBER, SECOND))
    account = service.account(numbers)
    account.send(clientMessageId="order-0001", to=GUEST, templateName="plain", sentFrom=SECOND)
    assert reply(account, text="hi").status_code == 200
    answer = account.send(clientMessageId="order-0002", to=GUEST, message="hello")
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["sentFrom"] == SECOND


def test_a_reply_may_go_to_one_of_our_numbers(account: TestAccount) -> None:
    assert reply(account, to=NUMBER, text="hi").status_code == 200
    answer = reply(account, to="972555999999", text="hi")
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["code"] in ("INVALID_SENDER", "VALIDATION_ERROR")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": ""},
        {"text": None},
        {"text": 5},
        {"text": "a", "stop": True},
        {"text": "a", "button": {"text": "Yes"}},
        {"text": "a", "media": {"type": "image"}},
        {"button": {}},
        {"button": {"text": "Perhaps"}},
        {"button": {"payload": "nothing"}},
        {"button": {"text": "Yes", "clientMessageId": "order-9999"}},
        {"button": "Yes"},
        {"media": {}},
        {"media": {"type": "video"}},
        {"media": {"caption": "x"}},
        {"form": {"answers": {"q1": "5"}}},
        {"form": {}},
        {"stop": False},
        {"stop": "yes"},
        {"text": "a", "quoted": "order-9999"},
        {"quoted": "order-0001"},
        {"stop": True, "quoted": "order-0001"},
        {"text": "a", "sms": True},
        {"to": 5, "text": "a"},
    ],
    ids=named,
)
def test_a_reply_that_no_phone_could_send_is_refused(
    account: TestAccount, fields: dict[str, Any]
) -> None:
    invite(account)
    require_refused(reply(account, **fields), "VALIDATION_ERROR")
    assert len(phone(account)) == 1


@pytest.mark.parametrize(
    ("from_", "code"),
    [("+972501234567", "INVALID_PHONE"), ("123", "INVALID_PHONE"), (None, "VALIDATION_ERROR")],
)
def test_the_guest_needs_a_number(account: TestAccount, from_: Any, code: str) -> None:
    answer = account.post("/sandbox/v1/replies", {"from": from_, "text": "hi"})
    require_refused(answer, code)
    require_refused(account.post("/sandbox/v1/replies", {"text": "hi"}), "VALIDATION_ERROR")


@pytest.mark.parametrize("press", [{"text": "No"}, {"payload": "no:1"}], ids=named)
def test_a_button_is_pressed_by_its_text_or_payload(
    account: TestAccount, press: dict[str, str]
) -> None:
    invite(account, buttonPayloads=["yes:1", "no:1"])
    assert reply(account, button=press).status_code == 200
    assert phone(account)[-1]["direction"] == "in"
    assert phone(account)[-1]["text"] == "No"


def test_the_button_is_of_the_latest_message_with_buttons_or_of_the_one_named(
    account: TestAccount,
) -> None:
    invite(account, "order-0001", buttonPayloads=["yes:1", "no:1"])
    invite(account, "order-0002", buttonPayloads=["yes:2", "no:2"])
    plain(account, "order-0003")
    assert reply(account, button={"payload": "yes:2"}).status_code == 200
    require_refused(reply(account, button={"payload": "yes:1"}), "VALIDATION_ERROR")
    named = {"payload": "yes:1", "clientMessageId": "order-0001"}
    assert reply(account, button=named).status_code == 200


def test_a_button_of_somebody_elses_message_cannot_be_pressed(account: TestAccount) -> None:
    invite(account)
    other = {"from": "972501234568", "button": {"text": "Yes", "clientMessageId": "order-0001"}}
    require_refused(account.post("/sandbox/v1/replies", other), "VALIDATION_ERROR")


@pytest.mark.parametrize("kind", ["image", "document"])
def test_a_file_with_a_caption(account: TestAccount, kind: str) -> None:
    plain(account)
    answer = reply(account, media={"type": kind, "caption": "us"}, quoted="order-0001")
    assert answer.status_code == 200, answer.text
    shown = phone(account)[-1]
    assert (shown["direction"], shown["type"], shown["text"]) == ("in", kind, "us")
    assert shown["media"]


def test_a_quoted_reply(account: TestAccount) -> None:
    plain(account)
    assert reply(account, text="about this", quoted="order-0001").status_code == 200
    assert phone(account)[-1]["text"] == "about this"


def test_stop(account: TestAccount) -> None:
    plain(account)
    assert reply(account, stop=True).status_code == 200
    assert phone(account)[-1]["direction"] == "in"


def test_words_of_any_script_come_through(account: TestAccount) -> None:
    plain(account)
    text = "כן 👍🏽 e\u0301 \u202eabc <b>'\"\\ " + "x" * 4000
    assert reply(account, text=text).status_code == 200
    assert phone(account)[-1]["text"] == text
