"""Webhooks: when they are tried again, how they are signed, what their body is (6.1)."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from tidings import limits
from tidings.features.messages.state.events import STATUS
from tidings.features.webhooks import publish
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.rules import (
    Delivered,
    GivenUp,
    RetryAt,
    after_attempt,
    is_success,
    signature,
    signed_headers,
    standard_signature,
)
from tidings.routes import EVENTS

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECRET = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"


# The schedule


@pytest.mark.parametrize(
    ("attempt", "wait"),
    [
        (1, timedelta(seconds=10)),
        (2, timedelta(minutes=1)),
        (3, timedelta(minutes=5)),
        (4, timedelta(minutes=30)),
        (5, timedelta(hours=2)),
    ],
)
def test_a_failed_attempt_is_followed_by_the_wait_of_the_specification(
    attempt: int, wait: timedelta
) -> None:
    assert after_attempt(attempt, succeeded=False, now=NOON) == RetryAt(NOON + wait)


def test_the_sixth_failure_is_the_last() -> None:
    assert after_attempt(6, succeeded=False, now=NOON) == GivenUp()
    assert limits.WEBHOOK_ATTEMPTS_MAX == 6


def test_an_attempt_beyond_the_sixth_starts_nothing_anew() -> None:
    assert after_attempt(7, succeeded=False, now=NOON) == GivenUp()


@pytest.mark.parametrize("attempt", range(1, 7))
def test_a_success_ends_it_at_any_attempt(attempt: int) -> None:
    assert after_attempt(attempt, succeeded=True, now=NOON) == Delivered()


@pytest.mark.parametrize(
    ("status", "good"),
    [
        (200, True), (201, True), (204, True), (299, True), (None, False), (100, False),
        (199, False), (300, False), (302, False), (400, False), (410, False), (500, False),
    ],
)  # fmt: skip
def test_any_2xx_is_success_and_nothing_else(status: int | None, good: bool) -> None:
    assert is_success(status) is good


# The signature


def test_the_signature_covers_the_timestamp_a_dot_and_the_exact_body() -> None:
    # printf '1767268800.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
    expected = "92b0e01559c03e7aa16335807711cc7ffb950dc8cf9f1f3a03a18c9519313074"
    assert signature("whsec_test", 1767268800, b'{"a":1}') == "sha256=" + expected


def test_the_signature_is_of_bytes_and_the_key_is_the_whole_secret() -> None:
    # printf '1767268800.{"text":"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xf0\x9f\x8e\x89"}' \
    #   | openssl dgst -sha256 -hmac whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG
    expected = "73fb4e5d8ca5388f92c9685ccaf6bf49886fae021ff992ec7adf6b30d3b39938"
    body = '{"text":"שלום 🎉"}'.encode()
    assert signature(SECRET, 1767268800, body) == "sha256=" + expected
    assert signature(SECRET.removeprefix("whsec_"), 1767268800, body) != "sha256=" + expected


def test_another_second_body_or_secret_is_another_signature() -> None:
    ours = signature(SECRET, 1767268800, b"{}")
    others = {
        signature(SECRET, 1767268801, b"{}"),
        signature(SECRET, 1767268800, b"{ }"),
        signature(SECRET + "x", 1767268800, b"{}"),
    }
    assert len(others) == 3
    assert ours not in others


# The headers


def headers(**fields: Any) -> dict[str, str]:
    values = {"attempt": 1, "timestamp": 1767268800, "secret": SECRET, "previous": None}
    return signed_headers("whk_1", b"{}", **values | fields)


def test_the_headers_are_those_of_the_specification() -> None:
    assert headers(attempt=3) == {
        "Content-Type": "application/json",
        "X-Timestamp": "1767268800",
        "X-Signature": signature(SECRET, 1767268800, b"{}"),
        "X-Webhook-Id": "whk_1",
        "X-Delivery-Attempt": "3",
        "webhook-id": "whk_1",
        "webhook-timestamp": "1767268800",
        "webhook-signature": standard_signature(SECRET, "whk_1", 1767268800, b"{}"),
    }


def test_while_a_secret_is_rotated_the_previous_one_signs_too() -> None:
    both = headers(previous="whsec_old")
    assert both["X-Signature"] == signature(SECRET, 1767268800, b"{}")
    assert both["X-Signature-Previous"] == signature("whsec_old", 1767268800, b"{}")


def test_each_attempt_is_signed_afresh() -> None:
    first, second = headers(), headers(attempt=2, timestamp=1767268810)
    assert first["X-Signature"] != second["X-Signature"]
    assert first["X-Webhook-Id"] == second["X-Webhook-Id"]


# The body


@dataclass
class Account:
    """The part of an account that a body contains."""

    id: UUID
    environment: str


def body(data: bytes, kind: EventKind = STATUS) -> bytes:
    account: Any = Account(UUID(int=0xABC), "sandbox")
    return publish.body("whk_1", publish.Event(account, kind, NOON, msgspec.Raw(data)))


def test_the_body_has_the_fields_of_the_contract_in_order() -> None:
    envelope = json.loads(body(b'{"status":"sent"}'))
    assert list(envelope) == ["id", "type", "createdAt", "environment", "accountId", "data"]
    assert envelope == {
        "id": "whk_1",
        "type": "message.status",
        "createdAt": "2026-01-01T12:00:00.000Z",
        "environment": "sandbox",
        "accountId": f"acc_{UUID(int=0xABC).hex}",
        "data": {"status": "sent"},
    }


def test_meta_is_echoed_byte_for_byte() -> None:
    meta = b'{"big":123456789012345678901234567890,"f":1.50,"t":"\\u05d0 \xd7\x90"}'
    assert b'"meta":' + meta in body(b'{"meta":' + meta + b"}")


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.name)
def test_every_kind_stands_in_json_as_it_is(kind: EventKind) -> None:
    assert json.loads(body(b"null", kind))["type"] == kind.name
