"""Every stored text has a maximum and every answer a bound in bytes (8), black box."""

from typing import Any

import pytest

from tests.support.answers import refused
from tests.support.forms import form_toml, sent
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.waiting import wait_for_feed
from tests.support.webhooks import publish_events
from tidings import limits

LONG = "x" * 20_000


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({"q1": "5", "q4": "c" * 601}, "form.answers.q4"),
        ({"q3": ["Food", "Hall", "Food", "Hall"]}, "form.answers.q3"),
        ({LONG: "5"}, "form.answers"),
        ({f"q{n}": "5" for n in range(65)}, "form.answers"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_a_sandbox_guest_fills_in_is_bounded(
    service: TestService, answers: dict[str, Any], field: str
) -> None:
    account = service.account(form_toml())
    sent(account)
    answer = account.post("/sandbox/v1/replies", {"from": GUEST, "form": {"answers": answers}})
    refused(answer, 400, "VALIDATION_ERROR", field=field)


@pytest.mark.quick
def test_a_comment_as_long_as_the_form_takes_comes_through(service: TestService) -> None:
    account = service.account(form_toml())
    sent(account)
    answers = {"q1": "5", "q4": "c" * 600}
    answer = account.post("/sandbox/v1/replies", {"from": GUEST, "form": {"answers": answers}})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/messages/text", {"eventId": LONG}, "eventId"),
        ("/messages/text", {"mediaId": LONG, "type": "image"}, "mediaId"),
        ("/messages/upload", {"mediaBase64": "AAAA", "filename": LONG}, "filename"),
        ("/messages/upload", {"mediaBase64": "AAAA", "mimetype": LONG}, "mimetype"),
        ("/messages/bulk", {"messages": [{}], "eventId": LONG}, "eventId"),
        ("/sandbox/v1/replies", {"from": GUEST, "text": "a", "quoted": LONG}, "quoted"),
        ("/sandbox/v1/replies", {"from": GUEST, "button": {"text": LONG}}, "button.text"),
    ],
)
def test_a_text_without_a_rule_of_its_own_has_a_maximum(
    account: TestAccount, path: str, body: dict[str, Any], field: str
) -> None:
    if path == "/messages/text":
        body = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"} | body
    error = refused(account.post(path, body), 400, "VALIDATION_ERROR", field=field)
    assert "characters" in error["message"]


def test_meta_is_bounded_as_it_is_sent_too(account: TestAccount) -> None:
    blank = '{"clientMessageId":"order-0001","to":"%s","templateName":"plain","meta":{"a":%s1}}'
    headers = {"content-type": "application/json"}
    content = blank % (GUEST, " " * 20_000)
    answer = account.post("/messages/text", content=content, headers=headers)
    error = refused(answer, 400, "VALIDATION_ERROR", field="meta")
    assert error["message"] == "meta must be at most 4096 bytes as compact JSON, and 16384 as sent"
    content = blank % (GUEST, " " * 10_000)
    assert account.post("/messages/text", content=content, headers=headers).status_code == 200


def test_a_phone_shows_the_newest_and_not_more_than_it_can_hold(account: TestAccount) -> None:
    account.service.sql(
        """
        INSERT INTO inbound (account_id, platform_id, phone, number, at, type, text, raw)
        SELECT $1, 'wamid.' || n, $2, $3, now() - n * interval '1 minute', 'text', NULL,
               json_build_object('id', 'wamid.' || n, 'type', 'text', 'text',
                                 json_build_object('body', repeat('x', 300000)))::text
          FROM generate_series(1, 20) AS n RETURNING 1
        """,
        account.id,
        GUEST,
        NUMBER,
    )
    answer = account.get(f"/sandbox/v1/phones/{GUEST}")
    shown = [message["messageId"] for message in answer.json()["data"]["messages"]]
    assert shown == ["wamid.3", "wamid.2", "wamid.1"]
    assert len(answer.content) < 2 * limits.PHONE_BYTES_MAX


def exhaust(account: TestAccount) -> None:
    """As if six attempts had failed, without the megabytes on the wire."""
    account.service.sql(
        """
        UPDATE webhooks SET state = 'failed', failed_at = created_at, attempts = (
            SELECT jsonb_agg(jsonb_build_object('cycle', cycle, 'attempt', n, 'at', created_at,
                                                'status', 500, 'error', NULL, 'ms', 1))
              FROM generate_series(1, 6) n)
         WHERE account_id = $1 RETURNING 1
        """,
        account.id,
    )


@pytest.mark.parametrize("path", ["/webhooks/events", "/webhooks/failed"])
def test_a_page_of_webhooks_ends_where_its_bytes_do(account: TestAccount, path: str) -> None:
    published = publish_events(account, 30, data={"number": "x" * 300_000})
    if path == "/webhooks/failed":
        exhaust(account)
    wait_for_feed(account)
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 200}
    name = "after" if path == "/webhooks/events" else "cursor"
    pages = 0
    while True:
        answer = account.get(path, params=query)
        assert len(answer.content) < 3 * limits.LIST_BYTES_MAX
        body = answer.json()
        seen += [one["webhookId"] for one in body["data"]]
        pages += 1
        if body["nextCursor"] is None:
            break
        query[name] = body["nextCursor"]
    assert sorted(seen) == sorted(published)
    assert pages == 5
