"""From a template's button to the page it leads to, and from a pressed button back to us."""

from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService, account_toml
from tests.support.text import phone

OTHER = "972509998877"
URL = "https://example.com/tickets?id=7&name=%D7%93%D7%A0%D7%94#seat"
TICKETS = """
[[accounts.templates]]
name = "tickets"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi {{1}}, your tickets are ready."
buttons = [ { type = "URL", text = "Open", url = "PUBLIC/r/{{1}}" },
            { type = "QUICK_REPLY", text = "Thanks" }, { type = "QUICK_REPLY", text = "Later" } ]
"""
PREVIEW = {"user-agent": "WhatsApp/2.23.20.0"}


def toml(service: TestService) -> str:
    return TEMPLATES + TICKETS.replace("PUBLIC", service.settings.public_url)


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(toml(service))


def send(account: TestAccount, cid: str = "tickets-0001", **more: Any) -> dict[str, Any]:
    body = {"clientMessageId": cid, "to": GUEST, "templateName": "tickets"}
    answer = account.send(**body | {"templateParams": ["Dana"], "buttonUrl": URL} | more)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def path_of(account: TestAccount, to: str = GUEST, place: int = -1) -> str:
    """The path behind the button on the guest's phone."""
    address: str = phone(account, to)[place]["buttons"][0]["url"]
    return address.removeprefix(account.service.settings.public_url)


def code_of(account: TestAccount, to: str = GUEST, place: int = -1) -> str:
    return path_of(account, to, place).removeprefix("/r/")


def open_link(account: TestAccount, path: str, **headers: str) -> httpx.Response:
    return account.service.http.get(path, headers=headers, follow_redirects=False)


def opens(account: TestAccount, code: str) -> dict[str, Any]:
    answer = account.get(f"/links/{code}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def now(account: TestAccount) -> datetime:
    return datetime.fromisoformat(account.get("/sandbox/v1/clock").json()["data"]["now"])


def links(account: TestAccount) -> int:
    query = "SELECT count(*) AS n FROM links WHERE account_id = $1"
    found: int = account.service.sql(query, account.id)[0]["n"]
    return found


def press(account: TestAccount, from_: str = GUEST, **button: str) -> httpx.Response:
    return account.post("/sandbox/v1/replies", {"from": from_, "button": button})


# Links


def test_the_guest_is_led_to_the_page_and_counted(account: TestAccount) -> None:
    send(account)
    path, code = path_of(account), code_of(account)
    assert opens(account, code) | {"shortUrl": ""} == {
        "code": code, "shortUrl": "", "url": URL, "clicks": 0, "firstClickAt": None,
        "lastClickAt": None, "active": True,
    }  # fmt: skip
    answer = open_link(account, path)
    assert (answer.status_code, answer.headers["location"]) == (302, URL)
    first = now(account)
    account.advance(hours=5)
    open_link(account, path)
    found = opens(account, code)
    assert found["clicks"] == 2
    assert abs(datetime.fromisoformat(found["firstClickAt"]) - first) < timedelta(seconds=5)
    last = datetime.fromisoformat(found["lastClickAt"])
    assert abs(last - first - timedelta(hours=5)) < timedelta(seconds=5)


def test_previews_on_the_way_to_the_guest_are_no_opens(account: TestAccount) -> None:
    send(account)
    assert open_link(account, path_of(account), **PREVIEW).status_code == 302
    assert account.service.http.head(path_of(account)).status_code == 302
    assert opens(account, code_of(account))["clicks"] == 0


def test_each_message_has_a_link_of_its_own(account: TestAccount) -> None:
    send(account)
    send(account, "tickets-0002", to=OTHER)
    send(account, "tickets-0003", buttonUrl="https://example.com/other")
    paths = [path_of(account, place=0), path_of(account, OTHER), path_of(account, place=1)]
    assert len(set(paths)) == 3
    open_link(account, paths[0])
    open_link(account, paths[0])
    open_link(account, paths[1])
    clicks = [opens(account, path.removeprefix("/r/"))["clicks"] for path in paths]
    assert clicks == [2, 1, 0]
    assert open_link(account, paths[2]).headers["location"] == "https://example.com/other"


def test_a_duplicate_makes_no_second_link(account: TestAccount) -> None:
    send(account)
    code = code_of(account)
    assert send(account, buttonUrl="https://example.com/other")["duplicate"] is True
    assert links(account) == 1
    assert opens(account, code)["url"] == URL


def test_a_dry_run_makes_no_link(account: TestAccount) -> None:
    body = {"clientMessageId": "tickets-0001", "to": GUEST, "templateName": "tickets"}
    body |= {"templateParams": ["Dana"], "buttonUrl": URL}
    answer = account.post("/messages/text", body, headers={"X-Dry-Run": "true"})
    assert answer.json()["data"]["wouldBe"] == "sent"
    assert links(account) == 0


def test_a_message_that_waits_has_its_link_when_it_goes(account: TestAccount) -> None:
    later = (now(account) + timedelta(days=200)).isoformat()
    assert send(account, scheduledFor=later)["status"] == "scheduled"
    account.advance(days=201)
    assert open_link(account, path_of(account)).headers["location"] == URL
    assert opens(account, code_of(account))["clicks"] == 1


def test_the_template_that_stands_in_for_free_text_has_the_link(service: TestService) -> None:
    account = service.account(toml(service), name="button-in-waiting", paused=True)
    account.reply(GUEST, "Hello?")
    assert send(account, message="See https://example.com")["status"] == "deferred"
    account.advance(hours=25)
    service.apply(account_toml(toml(service), name="button-in-waiting"))
    account.advance(minutes=5)
    assert phone(account)[-1]["type"] == "template"
    assert open_link(account, path_of(account)).headers["location"] == URL


def test_another_account_cannot_read_the_opens(account: TestAccount, service: TestService) -> None:
    send(account)
    answer = service.account().get(f"/links/{code_of(account)}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "LINK_NOT_FOUND")


def test_a_link_outlives_a_message_that_failed(account: TestAccount) -> None:
    """The platform has the address; whoever got it all the same is led on."""
    to = "972500009010"  # failed, 131026
    send(account, to=to)
    account.advance(seconds=5)
    assert account.status("tickets-0001")["status"] == "failed"
    query = "SELECT code FROM links WHERE account_id = $1"
    code = account.service.sql(query, account.id)[0]["code"]
    assert open_link(account, f"/r/{code}").status_code == 302


# Buttons that answer


def test_a_pressed_button_comes_back_with_its_payload(account: TestAccount) -> None:
    send(account, buttonPayloads=["thanks:7", "later:7"])
    assert press(account, text="Later").status_code == 200
    assert press(account, payload="thanks:7").status_code == 200
    pressed = phone(account)[-2:]
    assert [message["direction"] for message in pressed] == ["in", "in"]
    assert [message["text"] for message in pressed] == ["Later", "Thanks"]
    assert [message["buttons"][0]["payload"] for message in pressed] == ["later:7", "thanks:7"]


def test_by_default_the_payload_is_the_id_of_the_message(account: TestAccount) -> None:
    send(account)
    assert press(account, text="Thanks").status_code == 200
    assert phone(account)[-1]["buttons"][0]["payload"] == "tickets-0001"


def test_pressing_a_button_opens_the_window(account: TestAccount) -> None:
    send(account)
    hello = {"clientMessageId": "answer-0001", "to": GUEST, "message": "Enjoy!"}
    assert account.send(**hello).json()["error"]["code"] == "SERVICE_WINDOW_CLOSED"
    press(account, text="Thanks")
    assert account.send(**hello).status_code == 200


@pytest.mark.parametrize("button", [{"text": "Open"}, {"text": "Maybe"}, {"payload": "nothing"}])
def test_a_button_that_answers_nothing_cannot_be_pressed(
    account: TestAccount, button: dict[str, str]
) -> None:
    send(account)
    assert press(account, **button).status_code == 400
    assert len(phone(account)) == 1
