"""The headers of Standard Webhooks beside our own (contract2 C), checked by a library not ours."""

import base64
import hashlib
import hmac
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from tidings.features.webhooks.rules import signed_headers
from tidings.secrets import new_signing_secret

BODY = '{"id":"whk_1","data":{"text":"שלום 🎉"}}'.encode()
OLDER = "whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"  # base62, 43 characters


def headers(secret: str, previous: str | None = None, at: int | None = None) -> dict[str, str]:
    timestamp = int(time.time()) if at is None else at
    return signed_headers(
        "whk_1", BODY, attempt=1, timestamp=timestamp, secret=secret, previous=previous
    )


def by_hand(key: bytes, timestamp: int) -> str:
    signed = b"whk_1." + str(timestamp).encode() + b"." + BODY
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def test_the_id_and_the_time_are_those_of_our_own_headers() -> None:
    made = headers(new_signing_secret())
    assert made["webhook-id"] == made["X-Webhook-Id"] == "whk_1"
    assert made["webhook-timestamp"] == made["X-Timestamp"]


def test_the_signature_by_hand() -> None:
    # printf 'whk_1.1767268800.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:616263
    #   -binary | base64, where YWJj is the base64 of abc
    made = signed_headers(
        "whk_1", b'{"a":1}', attempt=1, timestamp=1767268800, secret="whsec_YWJj", previous=None
    )
    assert made["webhook-signature"] == "v1,PMQm+q2Of5VhyXaCyi8lDerzM7LH1FojOdLfm04ngWQ="


@pytest.mark.parametrize(
    "secret",
    [new_signing_secret(), OLDER, "whsec_YWJjZA", "whsec_YWJjZA==", "whsec_" + "+/" * 16],
    ids=["new", "older", "unpadded", "padded", "all of the alphabet"],
)
def test_the_library_verifies_our_events_as_they_are(secret: str) -> None:
    assert Webhook(secret).verify(BODY, headers(secret))["id"] == "whk_1"
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY + b" ", headers(secret))
    with pytest.raises(WebhookVerificationError):
        Webhook(new_signing_secret()).verify(BODY, headers(secret))


def test_during_a_rotation_there_are_two_signatures() -> None:
    old, new = new_signing_secret(), new_signing_secret()
    now = int(time.time())  # the library takes only what was signed a moment ago
    made = headers(new, previous=old, at=now)
    first, second = made["webhook-signature"].split(" ")
    assert headers(new, at=now)["webhook-signature"] == first != second
    for secret in (old, new):
        assert Webhook(secret).verify(BODY, made)


@pytest.mark.parametrize(
    "secret",
    ["whsec_given", "whsec_a-b_c-d_", "whsec_YWJj=YWJj", "whsec_a", "whsec_===", "whsec_!"],
)
def test_a_secret_that_is_no_base64_is_used_as_it_is(secret: str) -> None:
    made = headers(secret, at=1767268800)
    assert made["webhook-signature"] == by_hand(secret.encode(), 1767268800)


def test_a_secret_that_is_base64_is_decoded() -> None:
    key = base64.b64decode(OLDER.removeprefix("whsec_") + "=")
    assert headers(OLDER, at=1767268800)["webhook-signature"] == by_hand(key, 1767268800)
    assert len(key) == 32


def test_a_new_secret_is_the_base64_of_32_bytes() -> None:
    secret = new_signing_secret()
    part = secret.removeprefix("whsec_")
    key = base64.b64decode(part, validate=True)
    assert len(key) == 32 and secret == "whsec_" + base64.b64encode(key).decode()
    assert secret != new_signing_secret()
