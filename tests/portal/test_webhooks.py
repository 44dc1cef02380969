"""Webhooks in the portal: the URL, the secret, attempts, failed events and the signature doctor."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.live import number_toml
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.receiver import Receiver, reply
from tests.support.service import TestAccount, TestService
from tests.support.webhooks import fail, publish_events, send, wait_for_states


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def hooked(service: TestService, receiver: Receiver) -> TestAccount:
    return service.account(webhookUrl=receiver.url)


def audited(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        "SELECT action FROM audit_log WHERE account_id = $1 AND actor_kind = 'person' ORDER BY id",
        account.id,
    )
    return [row["action"] for row in rows]


def cells(page: Seen, where: str) -> list[list[str]]:
    rows = page.soup.select(f"#{where} tbody tr")
    return [[text_of(cell) for cell in row.select("th, td")] for row in rows]


def checked(visitor: Visitor, headers: str, body: str, secret: str = "") -> tuple[bool, list[str]]:
    fields = {"Headers": headers, "Body": body, "Secret": secret}
    page = visitor.submit(visitor.get("/webhooks"), "Check", fields)
    assert page.status == 200, page.errors
    assert not secret or secret not in page.response.text
    verdict = page.soup.select_one(".hook-verdict")
    assert verdict is not None
    codes = [text_of(code) for code in verdict.select("li code")]
    return "The signature is valid." in text_of(verdict), codes


def test_a_url_is_saved_by_the_rules_of_the_account_file(account: TestAccount) -> None:
    visitor = signed_in(account, "developer")
    page = visitor.get("/webhooks")
    assert (page.status, page.h1) == (200, "Webhooks")
    page = visitor.submit(page, "Save", {"Webhook URL": "ftp://example.com"})
    assert page.status == 422 and page.errors
    assert page.field("Webhook URL")["value"] == "ftp://example.com"
    page = visitor.submit(page, "Save", {"Webhook URL": "https://example.com/hook"})
    assert page.status == 200 and "Saved." in page.main
    assert page.field("Webhook URL")["value"] == "https://example.com/hook"
    page = visitor.submit(page, "Save", {"Webhook URL": ""})
    assert page.field("Webhook URL")["value"] == ""
    assert audited(account) == ["account.changed", "account.changed"]


def test_what_failed_is_sent_after_an_outage_where_one_asks(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get("/webhooks"), "Save", raw={"resend": "yes"})
    assert page.soup.select_one("#resend[checked]") is not None


def test_a_test_event_is_posted_and_its_attempt_is_shown(
    hooked: TestAccount, receiver: Receiver
) -> None:
    receiver.answer(reply(202, body=b"noted \x00<b>"))
    visitor = signed_in(hooked, "developer")
    page = visitor.submit(visitor.get("/webhooks"), "Send test event", {"Event": "guest.confirmed"})
    assert "guest.confirmed is on its way." in page.main
    [request] = receiver.wait_for(1)
    assert request.json()["type"] == "guest.confirmed"
    wait_for_states(hooked, "delivered")
    page = visitor.get("/webhooks")
    [row] = cells(page, "attempts")
    assert (row[0], row[2:5]) == ("guest.confirmed", ["delivered", "1", "202"])
    event = visitor.get(page.links()["guest.confirmed"])
    assert event.h1 == "guest.confirmed"
    answer, headers, body = (text_of(one) for one in event.soup.select(".code-block pre"))
    assert answer == "noted \ufffd<b>"
    assert request["X-Signature"] in headers and receiver.url in event.main
    assert json.loads(body) == request.json()
    assert audited(hooked) == ["webhook.tested"]


def test_a_kind_that_does_not_exist_and_a_live_account_get_no_example(
    service: TestService, account: TestAccount
) -> None:
    visitor = signed_in(account)
    assert visitor.post("/webhooks", {"action": "test", "type": "none"}).status_code == 422
    live = signed_in(service.account(number_toml(place="105577710005"), environment="live"))
    assert not live.get("/webhooks").has_button("Send test event")
    fields = {"action": "test", "type": "message.status"}
    assert live.post("/webhooks", fields).status_code == 404


def test_the_secret_is_changed_after_asking_and_shown_once(
    hooked: TestAccount, receiver: Receiver
) -> None:
    visitor = signed_in(hooked)
    asked = visitor.submit(visitor.get("/webhooks"), "Rotate secret")
    assert asked.h1 == "Change the signing secret?"
    page = visitor.submit(asked, "Confirm")
    secret = text_of(page.soup.select_one(".hook-secret pre"))
    assert secret.startswith("whsec_") and page.figures()["Previous secret"].startswith("also")
    assert secret not in visitor.get("/webhooks").response.text
    publish_events(hooked)
    receiver.wait_for(1)
    receiver.verify(secret)
    assert audited(hooked) == ["secret.rotated"]


def test_an_attempt_that_failed_says_why_and_when_the_next_is(
    hooked: TestAccount, receiver: Receiver
) -> None:
    receiver.answer(reply(500, body=b"x" * 2000))
    [webhook_id] = publish_events(hooked)
    receiver.wait_for(1)
    visitor = signed_in(hooked, "viewer")
    for _ in range(50):
        page = visitor.get(f"/webhooks/{webhook_id}")
        if "Next attempt" in page.figures():
            break
    assert page.figures()["Delivery"] == "pending"
    assert text_of(page.soup.select_one(".answer-bad")) == "500"
    assert text_of(page.soup.select_one(".attempts pre")) == "x" * 1024
    assert page.soup.select_one("[data-live-again]") is not None


def test_failed_events_are_listed_and_posted_again(hooked: TestAccount, receiver: Receiver) -> None:
    receiver.answer(503)
    [failed] = fail(hooked, "order-0001")
    visitor = signed_in(hooked, "developer")
    page = visitor.get("/webhooks")
    [row] = cells(page, "failed")
    assert row[2:5] == ["failed", "6", "503"]
    receiver.answer(200)
    page = visitor.submit(page, "Retry")
    assert "The event is posted again." in page.main
    wait_for_states(hooked, "delivered")
    twice = visitor.post("/webhooks", {"action": "retry", "id": failed["webhookId"]})
    assert twice.status_code == 303
    assert cells(visitor.get("/webhooks"), "failed") == []
    assert audited(hooked) == ["webhook.retried"]


def test_all_since_a_time_are_posted_again(hooked: TestAccount, receiver: Receiver) -> None:
    receiver.answer(503)
    fail(hooked, "order-0001", "order-0002")
    visitor = signed_in(hooked)
    page = visitor.get("/webhooks?status=failed")
    assert len(cells(page, "failed")) == 2 and cells(page, "attempts") == []
    newest, oldest = (
        [one["id"] for one in seen.soup.select("#failed tbody tr")]
        for seen in (page, visitor.get(page.links()["When"]))
    )
    assert oldest == newest[::-1]
    wrong = visitor.submit(page, "Retry all since", {"Failed since": "soon"})
    assert wrong.status == 422 and wrong.field("Failed since")["value"] == "soon"
    receiver.answer(200)
    page = visitor.submit(page, "Retry all since")
    assert "2 events are posted again." in page.main
    wait_for_states(hooked, "delivered")
    assert audited(hooked) == ["webhook.retried"]


def test_events_are_paged(account: TestAccount) -> None:
    publish_events(account, 20)
    visitor = signed_in(account)
    first = visitor.get("/webhooks")
    assert len(cells(first, "attempts")) == 15
    second = visitor.get(first.links()["Older"])
    assert len(cells(second, "attempts")) == 5
    assert (
        visitor.get(second.links()["Newer"]).soup.select("#attempts tbody tr")[0]["id"]
        == (first.soup.select("#attempts tbody tr")[0]["id"])
    )
    assert visitor.get("/webhooks?cursor=nonsense").status == 400
    oldest = visitor.get(first.links()["When"])
    assert oldest.one("#attempts th[aria-sort]")["aria-sort"] == "ascending"
    rows = [one["id"] for seen in (first, second) for one in seen.soup.select("#attempts tbody tr")]
    assert [one["id"] for one in oldest.soup.select("#attempts tbody tr")] == rows[:4:-1]


def test_the_doctor_says_exactly_why(hooked: TestAccount, receiver: Receiver) -> None:
    send(hooked)
    [request] = receiver.wait_for(1)
    headers = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
    body, secret = request.body.decode(), hooked.secret
    visitor = signed_in(hooked, "developer")
    assert checked(visitor, headers, body, secret) == (True, ["secret_current"])
    assert checked(visitor, headers, body) == (True, ["valid"])
    assert checked(visitor, headers, body, "whsec_wrong") == (False, ["secret_unknown"])
    assert checked(visitor, headers, body, f" {secret}") == (False, ["secret_spaces"])
    anew = json.dumps(request.json(), indent=2)
    assert checked(visitor, headers, anew, secret)[1][0] == "body_changed"
    unsigned = "\n".join(line for line in headers.splitlines() if "signature" not in line)
    assert checked(visitor, unsigned, body, secret)[1][0] == "missing_header"
    page = visitor.submit(visitor.get("/webhooks"), "Check", {"Headers": "no colon", "Body": body})
    assert page.status == 422 and "no colon" in page.errors[0]
    assert page.field("Body").get_text().strip() == body


@pytest.mark.parametrize("role", ["viewer", "sender"])
def test_who_may_only_read_sees_attempts_and_no_buttons(hooked: TestAccount, role: str) -> None:
    [webhook_id] = publish_events(hooked)
    visitor = signed_in(hooked, role)
    page = visitor.get("/webhooks")
    assert len(cells(page, "attempts")) == 1
    for button in ("Save", "Send test event", "Rotate secret", "Retry", "Check"):
        assert not page.has_button(button)
    assert visitor.get(f"/webhooks/{webhook_id}").status == 200
    for action in ("save", "test", "secret", "retry", "retry-since", "check"):
        assert visitor.post("/webhooks", {"action": action}).status_code == 403
    assert signed_in(hooked, "billing").raw("GET", "/webhooks").status_code == 403


def test_an_event_of_another_account_is_not_found(
    service: TestService, account: TestAccount
) -> None:
    [theirs] = publish_events(service.account())
    visitor = signed_in(account)

    def shown(webhook_id: str) -> Any:
        answer = visitor.raw("GET", f"/webhooks/{webhook_id}")
        assert answer.status_code == 404
        return answer.text.count("\n")

    assert shown(theirs) == shown("whk_none")
    fields = {"action": "retry", "id": theirs}
    assert visitor.post("/webhooks", fields).status_code == 404
    assert visitor.post("/webhooks", {"action": "dance"}).status_code == 404


def test_without_events_the_page_says_what_will_come(account: TestAccount) -> None:
    page = signed_in(account).get("/webhooks")
    assert "No events yet" in page.main and "Failed" not in page.main
    assert "Nothing has failed" in signed_in(account).get("/webhooks?status=failed").main


def test_charts_tell_how_posts_went_hour_by_hour(hooked: TestAccount, receiver: Receiver) -> None:
    receiver.answer(reply(200))
    visitor = signed_in(hooked)
    visitor.submit(visitor.get("/webhooks"), "Send test event", {"Event": "guest.confirmed"})
    receiver.wait_for(1)
    wait_for_states(hooked, "delivered")
    charts = visitor.get("/webhooks").soup.select("#charts .card")
    assert text_of(charts[0].select_one("tbody tr:last-child td")) == "1"
    assert "Time until your server answered" in text_of(charts[1])
