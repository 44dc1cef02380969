"""Getting started: the checklist, the samples, and the first message."""

import re
import time
from pathlib import Path

import httpx
import msgspec
import pytest

from tests.support.live import number_toml
from tests.support.own_code import running_receiver
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService


@pytest.fixture
def ready(service: TestService) -> TestAccount:
    return service.account(defaultTemplate="invite")


def checks(page: Seen) -> dict[str, bool]:
    return {
        text_of(one.select_one(".check-text")): "check-done" in one["class"]
        for one in page.soup.select(".checks li")
    }


def code(page: Seen, label: str) -> str:
    for block in page.soup.select(".code-block"):
        if text_of(block.select_one(".code-label")) == label:
            found = block.pre
            assert found is not None
            return found.get_text()
    raise AssertionError(f"no {label}")


def test_the_checklist_says_what_is_missing_and_where_to_mend_it(account: TestAccount) -> None:
    page = signed_in(account).get("/")
    assert (page.status, page.h1) == (200, "Getting started")
    assert checks(page) == {
        "The account may send": True,
        "Messages are paid for": True,
        "An approved template for invitations": False,
        "A number that can send": True,
        "A first message was sent": False,
        "A webhook URL, so that events come to you": False,
    }
    assert "defaultTemplate" in page.main
    assert page.links()["Webhooks"] == "/portal/webhooks"


def test_a_test_message_is_sent_and_its_answer_and_events_are_shown(ready: TestAccount) -> None:
    visitor = signed_in(ready, "sender")
    page = visitor.submit(visitor.get("/"), "Send test message", {"Number": "+972 50 123 4567"})
    assert page.status == 200
    answer = msgspec.json.decode(code(page, "JSON"))
    assert (answer["success"], answer["data"]["status"]) == (True, "sent")
    assert text_of(page.soup.select_one(".bubble-body")) == "Hi Dana, join us on Sunday"
    assert [text_of(one)[:19] for one in page.soup.select(".happenings summary")] == [
        "message.status sent"
    ]
    assert page.links()["Open the phone"] == f"/portal/phone?number={GUEST}"
    assert checks(page)["A first message was sent"]
    status = ready.status(answer["data"]["clientMessageId"])
    assert (status["to"], status["kind"]) == (GUEST, "invitation")
    ready.advance(minutes=1)
    assert ready.status(answer["data"]["clientMessageId"])["status"] in ("delivered", "read")
    later = visitor.get(f"/?sent={answer['data']['clientMessageId']}")
    assert msgspec.json.decode(code(later, "JSON")) == answer, "what follows does not change it"


def test_a_form_that_is_sent_twice_sends_one_message(ready: TestAccount) -> None:
    visitor = signed_in(ready)
    page = visitor.get("/")
    for _ in range(2):
        assert visitor.submit(page, "Send test message").status == 200
    assert ready.service.sql("SELECT count(*) AS n FROM messages WHERE account_id = $1", ready.id)[
        0
    ] == {"n": 1}


def test_a_refused_number_stays_in_its_field(ready: TestAccount) -> None:
    visitor = signed_in(ready)
    page = visitor.submit(visitor.get("/"), "Send test message", {"Number": "12"})
    assert page.status == 422
    assert page.field("Number")["value"] == "12"
    assert "12" in page.errors[0]


@pytest.mark.parametrize("role", ["owner", "developer"])
def test_the_samples_work_as_they_stand(
    ready: TestAccount, role: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = signed_in(ready, role).get("/")
    assert ready.key in code(page, "curl")
    body = re.search(r"-d '(.*)'", code(page, "curl"), re.DOTALL)
    assert body is not None
    assert ready.post("/messages/text", msgspec.json.decode(body[1])).status_code == 200
    program = code(page, "Python").replace("http://127.0.0.1:8080", ready.service.url)
    exec(compile(program, "sample", "exec"), {})
    assert '"duplicate":true' in capsys.readouterr().out


@pytest.mark.parametrize("role", ["sender", "viewer"])
def test_who_may_not_see_keys_sees_none(ready: TestAccount, role: str) -> None:
    page = signed_in(ready, role).get("/")
    assert ready.key not in page.response.text
    assert "x-api-key: $KEY" in code(page, "curl")


def test_a_viewer_sends_nothing_and_billing_is_led_to_money(ready: TestAccount) -> None:
    viewer = signed_in(ready, "viewer")
    assert not viewer.get("/").has_button("Send test message")
    assert viewer.post("/", {"to": GUEST, "clientMessageId": "test-00000001"}).status_code == 403
    answer = signed_in(ready, "billing").raw("GET", "/portal/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/portal/usage")


def test_without_a_fitting_template_the_page_says_so(service: TestService) -> None:
    account = service.account(TEMPLATES.replace("APPROVED", "PENDING"))
    page = signed_in(account).get("/")
    assert not page.has_button("Send test message")
    assert "no approved template" in page.main


def test_a_live_account_shows_no_key_and_has_no_phone(service: TestService) -> None:
    account = service.account(number_toml(place="105577710004"), environment="live")
    page = signed_in(account).get("/")
    assert account.key not in page.response.text
    assert "Open the phone" not in page.links()


def test_the_receiver_verifies_what_listen_forwards_and_nothing_else(
    ready: TestAccount, tmp_path: Path
) -> None:
    """As a reader does: the program in a file, the command in another terminal, a message."""
    page = signed_in(ready).get("/")
    program, command = code(page, "receiver.py"), code(page, "Terminal")
    with running_receiver(tmp_path, program, command, ready.service.url) as own_code:
        body = {"clientMessageId": "received-1", "to": GUEST, "templateName": "plain"}
        assert ready.send(**body).status_code == 200
        assert own_code.line() == "verified message.status"
        forged = {"X-Timestamp": str(int(time.time())), "X-Signature": "sha256=00"}
        answer = httpx.post(own_code.url, json={"type": "any"}, headers=forged)
        assert (answer.status_code, own_code.line()) == (400, "refused any")


def test_who_sees_no_key_is_told_where_the_secret_comes_from(ready: TestAccount) -> None:
    page = signed_in(ready, "viewer").get("/")
    assert 'b"whsec_..."' in code(page, "receiver.py")
    assert code(page, "Terminal").endswith("--key $KEY")


def test_the_reference_is_told_the_key_of_whom_the_portal_shows_it(account: TestAccount) -> None:
    told = signed_in(account, "developer").raw("GET", "/own-key.json")
    assert told.json() == {"account": told.json()["account"], "key": account.headers["x-api-key"]}
    assert told.headers["cache-control"] == "no-store"
    assert signed_in(account, "viewer").raw("GET", "/own-key.json").status_code == 204
    assert Visitor(account.service).raw("GET", "/own-key.json").status_code == 204
