"""The signature doctor on the headers of Standard Webhooks (contract2 C)."""

import base64
import hashlib
import hmac
from typing import Any

import pytest

from tests.rules.test_signature_doctor import BODY, NOW, STAMP, codes
from tidings.features.webhooks.responses import Diagnosis
from tidings.features.webhooks.rules import signed_headers, standard_key
from tidings.features.webhooks.verification.diagnose import Case, diagnose

SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()
OLD = "whsec_" + base64.b64encode(b"o" * 32).decode()
NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")


def headers(secret: str = SECRET, previous: str | None = None, **more: Any) -> dict[str, str]:
    """Of Standard Webhooks alone, as a library's user has them at hand."""
    at = {"attempt": 1, "timestamp": STAMP} | more
    made = signed_headers("whk_1", BODY, secret=secret, previous=previous, **at)
    return {name: made[name] for name in NAMES}


def examine(of: dict[str, str], body: bytes = BODY, **more: Any) -> Diagnosis:
    return diagnose(Case(of, body, NOW, SECRET, OLD, **more))


def test_they_are_enough() -> None:
    found = examine(headers())
    assert found.valid and codes(found) == ["valid"]
    assert examine(headers(previous=OLD)).valid


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"webhook-id": ""}, "missing_header"),
        ({"webhook-timestamp": ""}, "missing_header"),
        ({"webhook-timestamp": "noon"}, "bad_timestamp"),
        ({"webhook-timestamp": f"{STAMP}000"}, "milliseconds"),
        ({"webhook-timestamp": f"{STAMP - 301}"}, "timestamp_skew"),
        ({"webhook-signature": "sha256=" + "0" * 64}, "bad_standard_signature"),
        ({"webhook-signature": headers()["webhook-signature"][3:]}, "bad_standard_signature"),
        ({"webhook-signature": "v1,abc"}, "bad_standard_signature"),
        ({"webhook-signature": headers(OLD)["webhook-signature"]}, "previous_secret"),
        ({"webhook-id": "whk_2"}, "unknown_post"),
    ],
)
def test_a_header_that_is_wrong_is_named(change: dict[str, str], code: str) -> None:
    found = examine(headers() | change)
    assert not found.valid
    assert codes(found)[0] == code
    assert "X-Signature" not in found.findings[0].message


def test_what_was_done_to_the_body_is_named() -> None:
    assert codes(examine(headers(), BODY + b"\n")) == ["body_changed"]
    assert codes(examine(headers(), BODY + b"\n", sent=BODY)) == ["body_changed"]


def test_both_kinds_of_headers_are_judged_and_a_fault_of_both_is_reported_once() -> None:
    at = {"attempt": 1, "timestamp": STAMP, "secret": SECRET, "previous": None}
    made = {name.lower(): text for name, text in signed_headers("whk_1", BODY, **at).items()}
    assert codes(examine(made)) == ["valid"]
    assert codes(examine(made, BODY + b"\n")) == ["body_changed"]
    other = headers("whsec_" + base64.b64encode(b"x" * 32).decode())["webhook-signature"]
    assert codes(examine(made | {"webhook-signature": other})) == ["unknown_post"]


def made(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


TEXT = f"whk_1.{STAMP}.".encode() + BODY
RIGHT = base64.b64encode(made(standard_key(SECRET), TEXT)).decode()


@pytest.mark.parametrize("computed", [RIGHT, f"v1,{RIGHT}"])
def test_what_is_right_is_said_to_be(computed: str) -> None:
    assert codes(examine(headers(), computed=computed)) == ["computed_right"]


@pytest.mark.parametrize(
    ("computed", "words"),
    [
        ("v1," + base64.b64encode(made(SECRET.encode(), TEXT)).decode(), "secret as text"),
        (base64.b64encode(made(SECRET[6:].encode(), TEXT)).decode(), "secret as text"),
        (made(standard_key(SECRET), TEXT).hex(), "in hexadecimal instead of base64"),
        ("v1," + base64.b64encode(made(standard_key(OLD), TEXT)).decode(), "previous secret"),
    ],
)
def test_the_usual_mistakes_are_named(computed: str, words: str) -> None:
    found = examine(headers(), computed=computed)
    assert codes(found) == ["computed_wrong"]
    assert words in found.findings[0].message
    assert RIGHT not in str(found)
