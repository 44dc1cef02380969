"""A leading 00 is the international prefix: one person, however the number is written (contract2.md
A, E). Answers give it back as it was given; the platform gets it without."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.billing import subscribed, used
from tests.support.forms import ask, fill, form_toml, sent, submitted
from tests.support.invitations import invite, register
from tests.support.passcodes import ONE
from tests.support.platform import FakePlatform, served_by
from tests.support.rich import YES
from tests.support.service import GUEST, NUMBER, TestAccount, TestService, require_sound
from tests.support.text import MISSING, body, phone, require_refused
from tests.support.waiting import eventually

ZEROES = f"00{GUEST}"
RICH = {"message": "Are you coming?", "buttons": [YES]}


def send(account: TestAccount, n: int = 1, to: str = ZEROES, **more: Any) -> dict[str, Any]:
    answer = account.send(**body(clientMessageId=f"order-{n:04}", to=to, **more))
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def kinds(account: TestAccount, kind: str) -> list[dict[str, Any]]:
    return [event["data"] for event in account.events(kind)]


# Answers, the platform, repeats


def test_the_number_is_given_back_as_it_was_given(account: TestAccount) -> None:
    send(account, 1)
    send(account, 2, GUEST)
    account.advance(seconds=5)
    assert (account.status("order-0001")["to"], account.status("order-0002")["to"]) == (
        ZEROES,
        GUEST,
    )
    received = {(d["clientMessageId"], d["to"]) for d in kinds(account, "message.status")}
    assert received == {("order-0001", ZEROES), ("order-0002", GUEST)}
    assert [entry["clientMessageId"] for entry in phone(account)] == ["order-0001", "order-0002"]


def test_the_platform_gets_it_without(tmp_path: Path) -> None:
    platform = FakePlatform()
    with served_by(platform, tmp_path) as service:
        account = service.account(form_toml() + ONE)
        asked = [
            ("/messages/text", body(to=ZEROES)),
            ("/messages/rich", body(clientMessageId="rich-0001", to=ZEROES, **RICH)),
            ("/messages/otp", {"to": ZEROES, "code": "482913"}),
            ("/messages/bulk", {"messages": [body(clientMessageId="item-0001", to=ZEROES)]}),
            ("/feedback/send", {"to": ZEROES, "formId": "visit"}),
        ]
        for path, fields in asked:
            answer = account.post(path, fields)
            assert answer.status_code in (200, 202), answer.text
        eventually(lambda: len(platform.sends) == len(asked))
    assert {each.to for each in platform.sends} == {GUEST}


def test_the_digits_are_counted_without_it(account: TestAccount) -> None:
    for n, number in enumerate(("00" + "9" * 20, "0012345678", "012345678")):
        assert send(account, n, number)["status"] == "sent"
    for number in ("001234567", "00" + "9" * 21, "00" * 2 + GUEST, "00000000"):
        require_refused(account.send(**body(to=number)), "INVALID_PHONE", "to")


def test_the_other_form_of_a_number_is_no_mismatch(account: TestAccount) -> None:
    first = account.send(**body(to=ZEROES)).json()["data"]
    again = account.send(**body(to=GUEST))
    assert again.json()["data"] == first | {"duplicate": True}
    assert "X-Duplicate-Mismatch" not in again.headers


# The same person


def test_an_opt_out_holds_for_both_forms(account: TestAccount) -> None:
    account.post("/sandbox/v1/replies", {"from": ZEROES, "stop": True})
    for n, number in enumerate((GUEST, ZEROES)):
        assert send(account, n, number)["error"]["code"] == "RECIPIENT_OPTED_OUT"
    checked = account.post("/optouts/check", {"numbers": [ZEROES, GUEST]}).json()["data"]["numbers"]
    assert [(row["number"], row["optedOut"]) for row in checked] == [(ZEROES, True), (GUEST, True)]
    removed = account.delete(f"/optouts/{ZEROES}").json()["data"]
    assert removed == {"number": ZEROES, "removed": True}
    assert send(account, 7, GUEST)["status"] == "sent"


def test_a_delivered_number_is_known_in_both_forms(account: TestAccount) -> None:
    send(account)
    account.advance(seconds=5)
    checked = account.post("/numbers/check", {"numbers": [GUEST, ZEROES]}).json()["data"]["numbers"]
    assert checked == [{"number": n, "delivered": True} for n in (GUEST, ZEROES)]


def test_the_second_message_to_either_form_is_a_follow_up(service: TestService) -> None:
    account = subscribed(service)
    for n, number in enumerate((ZEROES, GUEST, ZEROES)):
        send(account, n, number)
    assert used(account) == (1, 2)
    charged = account.get("/charges").json()["data"]
    assert [line["to"] for line in charged] == [ZEROES, GUEST, ZEROES]
    require_sound(service)


def test_the_conversation_window_is_the_persons(account: TestAccount) -> None:
    account.reply(ZEROES, "hello")
    text = {"templateName": MISSING, "message": "Welcome"}
    assert send(account, 1, GUEST, **text)["status"] == "sent"
    assert send(account, 2, ZEROES, **text)["status"] == "sent"
    shown = account.get(f"/sandbox/v1/phones/{ZEROES}").json()["data"]
    assert (shown["number"], len(shown["messages"])) == (ZEROES, 3)
    assert shown["messages"] == phone(account)


@pytest.mark.parametrize("listed", [GUEST, ZEROES])
def test_an_allow_list_takes_either_form(service: TestService, listed: str) -> None:
    account = service.account(allowlist=[listed])
    assert send(account, 1, GUEST)["status"] == send(account, 2, ZEROES)["status"] == "sent"
    answer = account.send(**body(clientMessageId="order-0003", to="972501234568"))
    require_refused(answer, "RECIPIENT_NOT_ALLOWLISTED", "to")


def test_a_reply_finds_its_invitation(account: TestAccount) -> None:
    register(account)
    invite(account, to=ZEROES)
    account.reply(GUEST, "yes")
    (confirmed,) = kinds(account, "guest.confirmed")
    assert (confirmed["to"], confirmed["from"]) == (ZEROES, GUEST)
    assert account.status("invite-0001")["invitation"]["state"] == "confirmed"


def test_a_form_goes_once_to_a_person(service: TestService) -> None:
    account = service.account(form_toml())
    first = sent(account, ZEROES, clientMessageId="visit-0001")
    assert first["to"] == ZEROES
    answer = ask(account, GUEST, clientMessageId="visit-0002")
    assert answer.json()["error"]["code"] == "ALREADY_SENT"
    assert sent(account, GUEST, clientMessageId="visit-0001")["sendId"] == first["sendId"]
    fill(account, from_=GUEST)
    assert [data["to"] for data in submitted(account)] == [ZEROES]


def test_a_magic_recipient_is_one_in_both_forms(account: TestAccount) -> None:
    failed = send(account, 1, "00972500009013")
    assert failed["error"]["code"] == send(account, 2, "972500009013")["error"]["code"]


# Our own numbers


def test_a_sending_number_may_be_named_in_either_form(account: TestAccount) -> None:
    assert send(account, sentFrom=f"00{NUMBER}", fromPolicy="strict")["sentFrom"] == NUMBER
    event = register(account, defaults={"sentFrom": f"00{NUMBER}"})
    assert event["defaults"]["sentFrom"] == NUMBER
    answer = account.post(f"/sandbox/v1/senders/00{NUMBER}", {"quality": "RED"})
    assert (answer.status_code, answer.json()["data"]["number"]) == (200, NUMBER)
    reply = {"from": GUEST, "to": f"00{NUMBER}", "text": "hi"}
    assert account.post("/sandbox/v1/replies", reply).status_code == 200


def test_a_file_may_write_it_in_either_form(service: TestService) -> None:
    account = service.account(f'[[accounts.numbers]]\nnumber = "00{NUMBER}"\n')
    assert send(account, to=GUEST)["sentFrom"] == NUMBER
