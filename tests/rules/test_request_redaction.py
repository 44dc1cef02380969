"""What the request log shows of a body and a path."""

import json
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from tidings import limits, routes
from tidings.features.requests.rules import HARMLESS, HIDDEN, redact_body, redact_path

SECRET = "never-shown-972501234567"


def shown(body: Any) -> Any:
    return json.loads(redact_body(json.dumps(body).encode()))


def test_only_harmless_fields_keep_their_values() -> None:
    body = {
        "to": "972501234567",
        "clientMessageId": "order-1",
        "templateName": "hello",
        "templateParams": ["Dana", {"deep": [SECRET]}],
        "message": SECRET,
        "meta": {"kind": {"name": SECRET}},
        "code": 123456,
        "confirmLockedChange": True,
    }
    assert shown(body) == {
        "to": HIDDEN,
        "clientMessageId": "order-1",
        "templateName": "hello",
        "templateParams": [HIDDEN, {"deep": [HIDDEN]}],
        "message": HIDDEN,
        "meta": {"kind": {"name": HIDDEN}},
        "code": HIDDEN,
        "confirmLockedChange": True,
    }


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'"' + SECRET.encode() + b'"',
        b"[[[[[[[[[[[[" + b'"' + SECRET.encode() + b'"' + b"]]]]]]]]]]]]",
        json.dumps({SECRET: 1, "972501234567": 2, "a" * 41: 3}).encode(),
        b"\xff\xfe",
        b'{"message": "' + SECRET.encode(),
    ],
)
def test_what_is_no_request_shows_nothing(raw: bytes) -> None:
    text = redact_body(raw)
    assert SECRET not in text and "972501234567" not in text and "aaaaa" not in text


def test_a_long_list_and_a_long_body_are_cut() -> None:
    found = shown({"messages": [{"clientMessageId": f"m{n}"} for n in range(100)]})
    assert len(found["messages"]) == 21
    assert found["messages"][-1] == "… 80 more"
    long = redact_body(json.dumps({"clientMessageId": "x" * 10_000}).encode())
    assert len(long) < limits.REQUEST_LOG_BODY_CHARS_MAX + 20


@pytest.mark.parametrize(
    ("path", "query", "expected"),
    [
        ("/api/v1/messages/a%2Fb", "", "/api/v1/messages/a%2Fb"),
        ("/api/v1/optouts/972501234567", "", f"/api/v1/optouts/{HIDDEN}"),
        ("/api/v1/guests/%2B972501234567/x", "", f"/api/v1/guests/{HIDDEN}/x"),
        ("/sandbox/v1/phones/00972501234567", "", f"/sandbox/v1/phones/{HIDDEN}"),
        ("/api/v1/invoices/2026-0001", "", "/api/v1/invoices/2026-0001"),
        ("/charges", "limit=5&to=972501234567", f"/charges?limit=5&to={HIDDEN}"),
        ("/x", "972501234567=1", f"/x?{HIDDEN}={HIDDEN}"),
    ],
)
def test_people_are_hidden_in_addresses(path: str, query: str, expected: str) -> None:
    assert redact_path(path.encode(), query.encode()) == expected


def test_every_harmless_field_is_a_field_of_the_interface() -> None:
    """A name that nothing uses any more may come back for something that is not harmless."""
    known: set[str] = set()
    for route in [*routes.API, *routes.EXTENSIONS]:
        for kind in (route.body, route.query):
            if kind is not None:
                known |= names(kind)
    assert known >= HARMLESS


def names(kind: type[msgspec.Struct]) -> set[str]:
    found: set[str] = set()
    waiting: list[Any] = [inspect.type_info(kind)]
    while waiting:
        info = waiting.pop()
        if isinstance(info, inspect.StructType):
            found |= {field.encode_name for field in info.fields}
            waiting += [field.type for field in info.fields]
        elif isinstance(info, inspect.UnionType):
            waiting += info.types
        elif isinstance(info, inspect.ListType):
            waiting.append(info.item_type)
    return found


SECRETS = st.text(min_size=6, max_size=30).map(lambda text: f"{SECRET}{text}")
NAMES = st.sampled_from(
    ["to", "message", "code", "templateParams", "meta", "secret", "url", "items", "caption", SECRET]
)
BODIES = st.recursive(
    SECRETS | st.none() | st.booleans(),
    lambda held: st.lists(held, max_size=4) | st.dictionaries(NAMES, held, max_size=5),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None)
@given(BODIES)
def test_no_value_outside_harmless_fields_is_ever_written(body: Any) -> None:
    text = redact_body(json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    assert SECRET not in text


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(NAMES, SECRETS, max_size=5))
def test_no_value_of_a_query_is_ever_written(query: dict[str, str]) -> None:
    raw = urlencode(query, errors="replace").encode()
    assert SECRET not in redact_path(b"/api/v1/messages", raw)
