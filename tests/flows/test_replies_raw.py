"""Raw accounts: every reply verbatim, with what it may be about (6.2 message.received)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.inbound import ingest, said
from tests.support.invitations import (
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    state,
    texts,
)
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.webhooks import require_described

FIELDS = {
    "messageId", "from", "to", "type", "text", "payload", "mediaUrl", "repliedTo",
    "clientMessageId", "meta", "lastOutbound", "lastOutboundByKind", "windowExpiresAt",
    "receivedAt", "raw",
}  # fmt: skip


@pytest.fixture
def raw(service: TestService) -> TestAccount:
    return service.account(replies="raw")


def received(account: TestAccount) -> list[dict[str, Any]]:
    return [event["data"] for event in account.events("message.received")]


def plain(account: TestAccount, cid: str = "order-0001", **fields: Any) -> dict[str, Any]:
    answer = account.send(clientMessageId=cid, to=GUEST, templateName="plain", **fields)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def test_a_reply_comes_with_every_field(raw: TestAccount) -> None:
    sent = plain(raw, meta={"n": 12345678901234567890})
    replied = reply(raw, text="thanks 🙏")
    (event,) = received(raw)
    assert set(event) == FIELDS
    assert (event["messageId"], event["from"], event["type"]) == (replied, GUEST, "text")
    assert event["to"] == sent["sentFrom"]
    assert (event["text"], event["payload"], event["mediaUrl"]) == ("thanks 🙏", None, None)
    assert (event["repliedTo"], event["clientMessageId"]) == ("last_outbound", "order-0001")
    assert event["meta"] == {"n": 12345678901234567890}
    last = {
        "clientMessageId": "order-0001", "messageId": sent["messageId"], "kind": "notification",
        "at": sent["sentAt"],
    }  # fmt: skip
    assert event["lastOutbound"] == last
    assert event["lastOutboundByKind"] == {"notification": last}
    heard = datetime.fromisoformat(event["receivedAt"])
    assert datetime.fromisoformat(event["windowExpiresAt"]) - heard == timedelta(hours=24)
    assert event["raw"]["id"] == replied
    assert (event["raw"]["from"], event["raw"]["text"]) == (GUEST, {"body": "thanks 🙏"})
    assert kinds(raw) == ["message.received"]


def test_somebody_we_never_wrote_to(raw: TestAccount) -> None:
    reply(raw, text="hello?")
    (event,) = received(raw)
    assert set(event) == FIELDS
    assert (event["repliedTo"], event["clientMessageId"], event["meta"]) == ("none", None, None)
    assert (event["lastOutbound"], event["lastOutboundByKind"]) == (None, {})
    assert event["windowExpiresAt"] is not None


def test_a_reply_names_the_event_and_the_batch_of_its_message(raw: TestAccount) -> None:
    register(raw)
    item = {"clientMessageId": "invite-0001", "to": GUEST, "kind": "invitation"}
    item |= {"templateName": "invite", "templateParams": ["Dana", "Sunday"]}
    batch = raw.post("/messages/bulk", {"eventId": "wedding", "messages": [item]}).json()["data"]
    raw.advance(seconds=5)
    plain(raw, "order-0001")
    reply(raw, text="yes", quoted="invite-0001")
    reply(raw, text="thanks")
    about_invitation, about_order = received(raw)
    assert set(about_invitation) == FIELDS | {"eventId", "batchId"}
    assert about_invitation["eventId"] == "wedding"
    assert about_invitation["batchId"] == batch["batchId"]
    assert set(about_order) == FIELDS


def test_a_quote_and_a_button_name_their_message(raw: TestAccount) -> None:
    invite(raw, "order-0001", eventId=None, kind="notification", meta={"n": 1})
    payloads = {"buttonPayloads": ["a:1", "b:1"]}
    invite(raw, "order-0002", eventId=None, kind="notification", **payloads)
    plain(raw, "order-0003")
    reply(raw, text="about this", quoted="order-0001")
    reply(raw, button={"text": "No", "clientMessageId": "order-0001"})
    reply(raw, button={"payload": "b:1"})
    reply(raw, text="and so on")
    ingest(raw, said(raw, "Yes", id_="r1", type_="button", payload="order-0001"))
    found = [
        (event["repliedTo"], event["clientMessageId"], event["payload"]) for event in received(raw)
    ]
    assert found == [
        ("quoted_message", "order-0001", None),
        ("button_payload", "order-0001", "order-0001"),
        ("button_payload", "order-0002", "b:1"),
        ("last_outbound", "order-0003", None),
        ("button_payload", "order-0001", "order-0001"),
    ]
    assert received(raw)[0]["meta"] == {"n": 1}
    assert received(raw)[0]["lastOutbound"]["clientMessageId"] == "order-0003"


def test_the_last_message_of_each_kind(raw: TestAccount) -> None:
    plain(raw, "order-0001")
    invite(raw, "invite-0001", eventId=None, expiresAt=later(days=1))
    invite(raw, "invite-0002", eventId=None, expiresAt=later(days=1))
    plain(raw, "order-0002")
    plain(raw, "order-0003", scheduledFor=later(hours=-1))
    raw.send(
        clientMessageId="order-0004", to=GUEST, templateName="plain", scheduledFor=later(hours=9)
    )
    reply(raw, text="hi")
    (event,) = received(raw)
    by_kind = {kind: one["clientMessageId"] for kind, one in event["lastOutboundByKind"].items()}
    assert by_kind == {"notification": "order-0003", "invitation": "invite-0002"}
    assert event["lastOutbound"] == event["lastOutboundByKind"]["notification"]


def test_a_photo_and_a_document(raw: TestAccount) -> None:
    plain(raw)
    reply(raw, media={"type": "image"})
    reply(raw, media={"type": "document", "caption": "the bill"}, quoted="order-0001")
    photo, bill = received(raw)
    assert (photo["type"], photo["text"], photo["repliedTo"]) == ("image", None, "last_outbound")
    assert (bill["type"], bill["text"], bill["repliedTo"]) == (
        "document", "the bill", "quoted_message",
    )  # fmt: skip
    assert photo["mediaUrl"] and bill["mediaUrl"] and photo["mediaUrl"] != bill["mediaUrl"]
    assert photo["raw"]["image"]["mime_type"] == "image/jpeg"


@pytest.mark.parametrize("kind", ["reaction", "edit", "system", "order", "unsupported", "new"])
def test_every_other_kind_comes_the_same_way(raw: TestAccount, kind: str) -> None:
    plain(raw)
    ingest(raw, said(raw, None, id_="r1", type_=kind))
    (event,) = received(raw)
    assert set(event) == FIELDS
    assert (event["type"], event["raw"]["type"]) == (kind, kind)


def test_what_the_platform_wrote_stays_as_it_was(raw: TestAccount) -> None:
    body = b'{"id":"r1","type":"new",  "big":123456789012345678901234567890,"x":"\\u05d0"}'
    ingest(raw, said(raw, None, id_="r1", type_="new", raw=body))
    rows = raw.service.sql("SELECT body FROM webhooks WHERE account_id = $1", raw.id)
    assert body in rows[0]["body"]


def test_nothing_is_interpreted_and_nothing_answered(raw: TestAccount) -> None:
    register(raw, defaults={"expiresAt": later(hours=5)})
    invite(raw)
    for words in ("yes", "no", "who is this?"):
        reply(raw, text=words)
    raw.advance(hours=6)
    reply(raw, text="yes")
    assert kinds(raw) == ["message.received"] * 4
    assert (state(raw), texts(raw)) == ("expired", [])


def test_a_stop_word_is_published_both_ways(raw: TestAccount) -> None:
    plain(raw)
    reply(raw, text="STOP")
    reply(raw, text="start")
    require_described(raw.events())
    assert kinds(raw) == [
        "message.received", "guest.opted_out", "message.received", "guest.opted_in",
    ]  # fmt: skip


def test_a_reply_to_a_message_of_an_event_goes_to_the_events_address(service: TestService) -> None:
    with Receiver() as usual, Receiver() as own:
        account = service.account(replies="raw", webhookUrl=usual.url)
        register(account, callbackUrl=own.url)
        invite(account, to="972500009001")
        reply(account, "972500009001", text="yes")
        assert [post.json()["type"] for post in own.wait_for(2)] == [
            "message.status", "message.received",
        ]  # fmt: skip


def test_a_guest_account_that_becomes_raw_hears_everything(service: TestService) -> None:
    account = service.account(name="turncoat")
    register(account)
    invite(account)
    reply(account, text="who is this?")
    service.account(name="turncoat", replies="raw")
    reply(account, text="yes")
    event = guest_events(account)[-1]
    assert event["event"] == "message.received"
    assert event["lastOutbound"]["clientMessageId"] == "invite-0001", "texts of ours aside"
