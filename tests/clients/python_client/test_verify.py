"""`webhooks.verify`: what a real service posts is accepted; everything else is refused, and why."""

import base64
import json
import time
from collections.abc import Iterator
from email.message import Message

import pytest

from tests.support.receiver import ReceivedRequest, Receiver
from tests.support.service import GUEST, TestAccount, TestService
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.rules import signed_headers
from tidings.routes import EVENTS as KINDS
from tidings_client import Tidings, WebhookVerificationError, webhooks
from tidings_client.events import EVENTS, MessageStatusEvent

SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
OLD = "whsec_" + base64.b64encode(b"fedcba9876543210fedcba9876543210").decode()
NOW = 1_799_740_800
BODY = json.dumps(
    {
        "id": "whk_1",
        "type": "message.status",
        "createdAt": "2036-01-01T00:00:00.123Z",
        "environment": "sandbox",
        "accountId": "acc_1",
        "data": {
            "clientMessageId": "order-0001",
            "messageId": "wamid.1",
            "to": GUEST,
            "meta": {"name": "דנה", "ratio": 1.50},
            "status": "delivered",
            "at": "2036-01-01T00:00:00.000Z",
        },
    },
    separators=(",", ":"),
    ensure_ascii=False,
).encode()
OURS = ("X-Timestamp", "X-Signature", "X-Webhook-Id", "X-Signature-Previous")


def posted(
    body: bytes = BODY, *, secret: str = SECRET, previous: str | None = None, at: int = NOW
) -> dict[str, str]:
    return signed_headers("whk_1", body, attempt=1, timestamp=at, secret=secret, previous=previous)


def only(headers: dict[str, str], *, ours: bool) -> dict[str, str]:
    return {name: text for name, text in headers.items() if (name in OURS) == ours}


def reason(
    headers: dict[str, str], body: bytes = BODY, secret: str | list[str] = SECRET, now: float = NOW
) -> str:
    with pytest.raises(WebhookVerificationError) as caught:
        webhooks.verify(body, headers, secret, now=now)
    return caught.value.reason


# What a real service posts


@pytest.fixture
def post(service: TestService, receiver: Receiver) -> Iterator[tuple[TestAccount, ReceivedRequest]]:
    account = service.account(webhookUrl=receiver.url)
    account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    yield account, receiver.wait_for(1)[0]


def test_a_post_of_the_service_is_its_event(post: tuple[TestAccount, ReceivedRequest]) -> None:
    account, request = post
    event = webhooks.verify(request.body, request.headers, account.secret)
    assert isinstance(event, MessageStatusEvent) and event.type == "message.status"
    assert event.id == request["X-Webhook-Id"] and event.environment == "sandbox"
    assert event.data.client_message_id == "order-0001" and event.data.at.tzinfo is not None
    for ours in (True, False):
        some = {
            name: text
            for name, text in request.headers.items()
            if name.startswith("x-") == ours or not name.startswith(("x-", "webhook-"))
        }
        assert webhooks.verify(request.body.decode(), some, account.secret) == event
    with pytest.raises(WebhookVerificationError) as caught:
        webhooks.verify(request.body, request.headers, OLD)
    assert caught.value.reason == "wrong_secret"
    with pytest.raises(WebhookVerificationError) as caught:
        webhooks.verify(request.body, request.headers, account.secret, now=time.time() + 301)
    assert caught.value.reason == "too_old"


def test_the_client_verifies_too(
    post: tuple[TestAccount, ReceivedRequest], client: Tidings
) -> None:
    account, request = post
    assert client.webhooks.verify(request.body, request.headers, account.secret).id


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_event_has_its_class(kind: EventKind) -> None:
    event = webhooks.parse(kind.example_body())
    assert type(event) is EVENTS[kind.name] and event.type == kind.name


def test_an_event_of_a_newer_service_is_unknown_and_no_fault() -> None:
    body = BODY.replace(b"message.status", b"message.archived")
    event = webhooks.verify(body, posted(body), SECRET, now=NOW)
    assert isinstance(event, webhooks.UnknownEvent)
    assert event.kind == "message.archived" and event.data["status"] == "delivered"


# Signatures


@pytest.mark.parametrize("ours", [True, False])
def test_either_signature_suffices(ours: bool) -> None:
    assert webhooks.verify(BODY, only(posted(), ours=ours), SECRET, now=NOW).id == "whk_1"


@pytest.mark.parametrize("ours", [True, False])
@pytest.mark.parametrize("secret", [SECRET, OLD, [OLD, SECRET]])
def test_while_a_secret_is_changed_both_verify(ours: bool, secret: str | list[str]) -> None:
    headers = only(posted(previous=OLD), ours=ours)
    assert webhooks.verify(BODY, headers, secret, now=NOW).id == "whk_1"


def test_headers_come_in_any_case_and_kind() -> None:
    headers = posted()
    shapes = [
        {name.upper(): text for name, text in headers.items()},
        {name.lower(): [text] for name, text in headers.items()},
        [(name.encode(), text.encode()) for name, text in headers.items()],
    ]
    plain = Message()  # of http.server
    for name, text in headers.items():
        plain[name] = text
    for shape in [*shapes, plain]:
        assert webhooks.verify(BODY, shape, SECRET, now=NOW).id == "whk_1"


def test_a_secret_that_is_not_base64_is_used_as_it_is() -> None:
    secret = "whsec_not base64!"
    headers = only(posted(secret=secret), ours=False)
    assert webhooks.verify(BODY, headers, secret, now=NOW).id == "whk_1"


@pytest.mark.parametrize("ours", [True, False])
def test_a_body_that_somebody_changed_is_refused(ours: bool) -> None:
    changed = BODY.replace(b"delivered", b"failed")
    assert reason(only(posted(), ours=ours), changed) == "wrong_secret"


def test_one_bad_signature_does_not_spoil_a_good_one() -> None:
    headers = posted() | {"X-Signature": "sha256=" + "0" * 64}
    assert webhooks.verify(BODY, headers, SECRET, now=NOW).id == "whk_1"


# Why not


@pytest.mark.parametrize("missing", ["X-Signature", "X-Timestamp"])
def test_a_missing_header_is_named(missing: str) -> None:
    headers = only(posted(), ours=True)
    del headers[missing]
    with pytest.raises(WebhookVerificationError, match=f"{missing} is missing") as caught:
        webhooks.verify(BODY, headers, SECRET, now=NOW)
    assert caught.value.reason == "missing_header"
    assert reason({}) == "missing_header"


def test_an_old_and_an_early_post_are_told_apart() -> None:
    assert reason(posted(), now=NOW + 301) == "too_old"
    assert reason(posted(), now=NOW - 301) == "too_new"
    assert webhooks.verify(BODY, posted(), SECRET, now=NOW + 300).id
    assert webhooks.verify(BODY, posted(), SECRET, now=NOW + 999, tolerance=1000).id


@pytest.mark.parametrize("text", ["", "soon", "-1", "17997408001799740800", "١٧٩٩٧٤٠٨٠٠"])
def test_a_timestamp_that_is_none_is_refused(text: str) -> None:
    headers = only(posted(), ours=True) | {"X-Timestamp": text}
    assert reason(headers) == ("bad_timestamp" if text else "missing_header")


@pytest.mark.parametrize(
    ("name", "text"), [("X-Signature", "sha256=00"), ("webhook-signature", "v1,00 v2,zz")]
)
def test_a_signature_that_was_cut_off_is_recognised(name: str, text: str) -> None:
    headers = only(posted(), ours=name in OURS) | {name: text}
    assert reason(headers) == "bad_signature"


@pytest.mark.parametrize(
    ("secret", "why"),
    [
        (OLD, "wrong_secret"),
        (SECRET + "\n", "bad_secret"),
        (f'"{SECRET}"', "bad_secret"),
        (SECRET.removeprefix("whsec_"), "bad_secret"),
        ("td_sandbox_abc", "bad_secret"),
        ("", "bad_secret"),
        ([], "bad_secret"),
    ],
)
def test_a_wrong_secret_is_recognised(secret: str | list[str], why: str) -> None:
    assert reason(only(posted(), ours=True), secret=secret) == why


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(json.loads(BODY)).encode(),
        json.dumps(json.loads(BODY), indent=2, ensure_ascii=False).encode(),
        BODY + b"\n",
        b"\xef\xbb\xbf" + BODY,
        json.dumps(BODY.decode()).encode(),
        base64.b64encode(BODY),
        BODY.decode("latin-1").encode(),
    ],
)
@pytest.mark.parametrize("ours", [True, False])
def test_a_body_that_was_written_anew_is_recognised(body: bytes, ours: bool) -> None:
    assert reason(only(posted(), ours=ours), body) == "body_changed"


@pytest.mark.parametrize("body", [b"[" * 100_000, b"\xff" * 2_000_000])
def test_a_hostile_body_is_refused_like_any_other(body: bytes) -> None:
    assert reason(posted(), body) == "wrong_secret"


def test_a_parsed_body_is_refused_with_what_to_give_instead() -> None:
    with pytest.raises(WebhookVerificationError, match="raw body as it came") as caught:
        webhooks.verify(json.loads(BODY), posted(), SECRET, now=NOW)
    assert caught.value.reason == "body_changed"


@pytest.mark.parametrize("body", [b"{}", b"[]", b"null", b"not JSON", b"\xff", b'{"type": []}'])
def test_a_signed_body_that_is_no_event_is_refused(body: bytes) -> None:
    assert reason(posted(body), body) == "bad_body"


# What a stranger may try


@pytest.mark.parametrize("secret", [" ", "\n", "whsec_", " whsec_ ", None, [], [SECRET, ""], b"x"])
def test_a_secret_that_anybody_could_guess_is_none(secret: str) -> None:
    key = secret if isinstance(secret, str) else SECRET
    assert reason(posted(secret=key), secret=secret) == "bad_secret"


@pytest.mark.parametrize("ours", [True, False])
def test_a_header_that_came_twice_is_neither_of_the_two(ours: bool) -> None:
    headers = only(posted(), ours=ours)
    name = "X-Timestamp" if ours else "webhook-timestamp"
    twice = [*headers.items(), (name, str(NOW))]
    for given in (twice, twice[::-1], {**headers, name: [str(NOW), "1"]}):
        with pytest.raises(WebhookVerificationError) as caught:
            webhooks.verify(BODY, given, SECRET, now=NOW)
        assert caught.value.reason == "bad_timestamp"
    cases = {**headers, name.upper(): "1"}
    assert reason(cases) == "bad_timestamp"


@pytest.mark.parametrize(
    "text", ["١٧٩٩٧٤٠٨٠٠", f"0{NOW}", f"{NOW} ", f" {NOW}", f"+{NOW}", f"{NOW}\n"]
)
def test_a_time_in_other_words_is_not_the_one_that_was_signed(text: str) -> None:
    refused = reason({**only(posted(), ours=True), "X-Timestamp": text})
    assert refused in ("bad_timestamp", "wrong_secret")


def test_a_signature_of_one_scheme_says_nothing_about_the_headers_of_the_other() -> None:
    old, other = only(posted(at=NOW - 900), ours=False), only(posted(secret=OLD), ours=True)
    assert reason({**old, **other}) in ("wrong_secret", "too_old")
    fresh = {**old, "X-Timestamp": str(NOW), "X-Signature": "sha256=" + "0" * 64}
    assert reason(fresh) == "wrong_secret"
