"""What every endpoint is asked with: which of its inputs name something, and what.

The inputs follow from the route table. One that is neither in `KINDS` nor in `PLAIN` makes the test
of the matrix fail, so a new endpoint or field gets a line here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import msgspec
from msgspec import inspect

from tests.tenancy.world import GUEST, SENDER
from tidings.engine.http.endpoint import Auth, Route
from tidings.features.messages.request.text import TextBody
from tidings.routes import API, EXTENSIONS

ROUTES = [*API, *EXTENSIONS]

# By field, or by "path field" where the field alone says too little. The kinds are those of
# `World.ids`; "cursor" is a position in the list of this path.
KINDS = {
    "cid": "message", "clientMessageId": "message", "button.clientMessageId": "invitation",
    "code": "link", "batchId": "batch", "eventId": "event", "formId": "form",
    "webhookId": "webhook", "after": "webhook", "platform_message_id": "inbound",
    "a": "account hex", "phoneNumber": "stopped too", "to": "guest", "from": "guest",
    "numbers": "stopped", "/api/v1/numbers/check numbers": "guest", "mediaId": "media",
    "sentFrom": "sender", "defaults.sentFrom": "sender",
    "templateName": "template", "reference": "reference", "quoted": "invitation",
    "cursor": "cursor",
    "/api/v1/invoices/{number} number": "invoice",
    "/api/v1/invoices/{number}/pdf number": "invoice",
    "/sandbox/v1/invoices/{number}/pay number": "invoice",
    "/sandbox/v1/phones/{number} number": "guest",
    "/sandbox/v1/senders/{number} number": "sender",
    "/sandbox/v1/replies to": "sender",
    "/api/v1/messages/text to": "stopped", "/api/v1/messages/bulk messages[].to": "stopped",
    "/sandbox/v1/replies from": "guest",
    **{f"/api/v1/messages/bulk messages[].{name}": kind for name, kind in (
        ("clientMessageId", "message"), ("mediaId", "media"),
        ("templateName", "template"), ("sentFrom", "sender"), ("eventId", "event"))},
}  # fmt: skip

# Values, not names of anything.
PLAIN = {
    "limit", "status", "since", "until", "state", "kind", "wait", "groupBy", "format", "e", "s",
    "buttonPayloads", "buttonUrl", "deadline", "expiresAt", "fromPolicy", "mediaBase64", "message",
    "meta", "scheduledFor", "templateLang", "templateParams", "type", "ttlSeconds", "batchName",
    "buttons", "copyCode", "footer", "headerImage", "title", "filename", "mimetype", "url",
    "callbackUrl", "confirmLockedChange", "defaults", "defaults.expiresAt", "eventDate",
    "defaults.nudgeAfterMinutes", "defaults.undeliveredTimeoutMinutes", "texts", "texts.expired",
    "texts.invalidReply", "texts.nudge", "amount", "note", "transferDate", "messages", "body",
    "computed", "headers", "secret", "answer", "guests", "advanceSeconds", "button",
    "button.payload", "button.text", "form", "form.answers", "media", "media.caption", "media.type",
    "stop", "text", "quality",
    "/api/v1/messages/otp code", "/api/v1/usage from", "/api/v1/usage to",
    "/api/v1/charges from", "/api/v1/charges to",
}  # fmt: skip

# Not asked with a key of an account: what they know belongs to nobody, or is open to everybody.
OPEN = {
    "GET /api/v1/health", "GET /api/v1/openapi.json", "GET /docs",
    "GET /r/{code}",  # a link is for whoever has its code
    "GET /platform/whatsapp/webhook", "POST /platform/whatsapp/webhook",  # the platform, signed
}  # fmt: skip

_count = count(1)
NEW = "visitors-own"  # becomes a new id in every request
_TEXT = {"clientMessageId": NEW, "to": GUEST, "templateName": "plain"}
_EVENT = {
    "eventId": NEW, "eventDate": "2027-06-01T18:00:00Z",
    "callbackUrl": "http://127.0.0.1:9/hook",
    "texts": {"invalidReply": "Yes or no?", "nudge": "Coming?", "expired": "Closed."},
}  # fmt: skip
_IN_WINDOW = {"clientMessageId": NEW, "to": GUEST, "message": "Look", "type": "image"}
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/messages/text": _TEXT,
    "/api/v1/messages/otp": {"to": GUEST, "code": "4711"},
    "/api/v1/messages/bulk": {"messages": [_TEXT]},
    "/api/v1/messages/rich": {"clientMessageId": NEW, "to": GUEST, "message": "Hello",
                              "buttons": [{"id": "yes", "text": "Yes"}]},
    "/api/v1/messages/upload": {"mediaBase64": "aGVs"},
    "/api/v1/feedback/send": {"formId": "stay-at-ours", "to": GUEST, "clientMessageId": NEW},
    "/api/v1/links": {"url": "https://example.com/"},
    "/api/v1/events": _EVENT,
    "/api/v1/numbers/check": {"numbers": [GUEST]},
    "/api/v1/optouts/check": {"numbers": [GUEST]},
    "/api/v1/partner/topups": {"messages": 1},
    "/api/v1/partner/transfers": {"amount": 5.0, "reference": NEW},
    "/api/v1/events/{eventId}/guests/{to}/answer": {"answer": "yes"},
    "/api/v1/webhooks/failed/retry": {"since": "2026-01-01T00:00:00Z"},
    "/api/v1/webhooks/verify": {"secret": "whsec_x", "headers": {}, "body": "{}"},
    "/sandbox/v1/clock": {"advanceSeconds": 0},
    "/sandbox/v1/webhooks": {"type": "sender.health"},
    "/sandbox/v1/replies": {"from": GUEST, "text": "Yes"},
    "/sandbox/v1/senders/{number}": {"quality": "GREEN"},
}  # fmt: skip
# Instead of the base body, where the field needs another.
BODIES_WITH: dict[str, dict[str, Any]] = {
    "/api/v1/messages/text mediaId": _IN_WINDOW,
    "/api/v1/messages/bulk messages[].mediaId": {"messages": [_IN_WINDOW]},
    "/api/v1/messages/text eventId": _TEXT | {"templateName": "invite", "kind": "invitation"},
    "/sandbox/v1/replies quoted": {"from": GUEST, "text": "Yes"},
    "/sandbox/v1/replies button.clientMessageId": {"from": GUEST, "button": {"text": "Yes"}},
}
# In the path beside what is asked for: of the visitor's own, or what everybody has.
BESIDE = {"eventId": "gala-evening", "to": GUEST, "number": SENDER}


@dataclass(frozen=True)
class Input:
    """One input of one endpoint; `kind` is None for a plain value."""

    route: Route
    place: str  # path, query, body
    name: str
    kind: str | None

    @property
    def title(self) -> str:
        return f"{self.route.method} {self.route.path} {self.place} {self.name}"


def inputs() -> Iterator[Input]:
    for route in ROUTES:
        if f"{route.method} {route.path}" in OPEN:
            assert route.auth is Auth.NONE or not route.has_effects
            continue
        for place, name in dict.fromkeys(_names(route)):
            yield Input(route, place, name, _kind(route, name))


def _kind(route: Route, name: str) -> str | None:
    for known in (f"{route.path} {name}", name):
        if known in PLAIN:
            return None
        if known in KINDS:
            return KINDS[known]
    raise AssertionError(
        f"{route.method} {route.path} takes {name}: does it name something of an account? "
        "Then give its kind in KINDS, else add it to PLAIN"
    )


def _names(route: Route) -> Iterator[tuple[str, str]]:
    for part in route.path.split("/"):
        if part.startswith("{"):
            yield "path", part[1:-1]
    for place, kind in (("query", route.query), ("body", route.body), ("body", route.keyed_body)):
        if kind is not None:
            for name in _fields(inspect.type_info(kind), ""):
                yield place, name
    if route.path.endswith("/messages/bulk"):  # its items are decoded one by one
        for name in _fields(inspect.type_info(TextBody), "messages[]."):
            if f"{route.path} {name}" in KINDS:
                yield "body", name


def _fields(kind: inspect.Type, before: str) -> Iterator[str]:
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            yield before + field.encode_name
            yield from _fields(field.type, f"{before}{field.encode_name}.")
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _fields(one, before)


def request_with(asked: Input, value: str) -> tuple[str, dict[str, str], dict[str, Any] | None]:
    """Path, query and body of a request that names this."""
    path, query = asked.route.path, {}
    body = _body(asked)
    if asked.place == "path":
        path = path.replace(f"{{{asked.name}}}", value)
    elif asked.place == "query":
        query = {asked.name: value}
    else:
        assert body is not None
        _put(body, asked.name, [value] if asked.name == "numbers" else value)
    for name, other in BESIDE.items():
        path = path.replace(f"{{{name}}}", other)
    return path, query, body


def _body(asked: Input) -> dict[str, Any] | None:
    path = asked.route.path
    found = BODIES_WITH.get(f"{path} {asked.name}", BODIES.get(path))
    if found is None:
        return None
    text = msgspec.json.encode(found).decode().replace(NEW, f"{NEW}-{next(_count):06}")
    body: dict[str, Any] = msgspec.json.decode(text)
    return body


def _put(body: dict[str, Any], name: str, value: Any) -> None:
    if name.startswith("messages[]."):
        _put(body["messages"][0], name.removeprefix("messages[]."), value)
        return
    outer, _, inner = name.partition(".")
    if inner:
        body.setdefault(outer, {})[inner] = value
    else:
        body[outer] = value
