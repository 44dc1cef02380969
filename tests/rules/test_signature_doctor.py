"""The signature doctor: for each way a receiver goes wrong, it names that one and no other."""

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tidings.features.webhooks.responses import Diagnosis
from tidings.features.webhooks.rules import signature, signed_headers
from tidings.features.webhooks.verification.diagnose import Case, diagnose
from tidings.features.webhooks.verification.headers import parse_headers

SECRET = "whsec_" + "s" * 40 + "A-_"
OLD = "whsec_" + "o" * 43
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
STAMP = int(NOW.timestamp())
BODY = (
    '{"id":"whk_1","type":"message.status","data":{"text":"שלום & 🎉","n":1.50,"a":[1,2]}}'.encode()
)


def headers(body: bytes = BODY, secret: str = SECRET, stamp: int = STAMP) -> dict[str, str]:
    made = signed_headers("whk_1", body, attempt=1, timestamp=stamp, secret=secret, previous=None)
    return {name.lower(): text for name, text in made.items()}


def examine(body: bytes = BODY, *, of: dict[str, str] | None = None, **more: Any) -> Diagnosis:
    return diagnose(Case(headers() if of is None else of, body, NOW, SECRET, OLD, **more))


def codes(diagnosis: Diagnosis) -> list[str]:
    return [finding.code for finding in diagnosis.findings]


def test_a_good_post_is_good() -> None:
    found = examine(sent=BODY)
    assert found.valid and codes(found) == ["valid"]


# The headers


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"x-signature": ""}, "missing_header"),
        ({"x-timestamp": ""}, "missing_header"),
        ({"x-signature": signature(SECRET, STAMP, BODY)[7:]}, "bad_prefix"),
        ({"x-signature": signature(SECRET, STAMP, BODY).upper()}, "bad_prefix"),
        ({"x-signature": signature(SECRET, STAMP, BODY)[:-4]}, "bad_digits"),
        ({"x-signature": "sha256=" + "z" * 64}, "bad_digits"),
        ({"x-signature": "sha256=" + signature(SECRET, STAMP, BODY)[7:].upper()}, "upper_case"),
        ({"x-signature": signature(SECRET, STAMP, BODY) + " "}, "spaces"),
        ({"x-timestamp": "noon"}, "bad_timestamp"),
        ({"x-timestamp": "1767268800.5"}, "bad_timestamp"),
        ({"x-timestamp": "١٢٣"}, "bad_timestamp"),
        ({"x-timestamp": "9" * 400}, "bad_timestamp"),
        ({"x-timestamp": f"{STAMP}000"}, "milliseconds"),
    ],
)
def test_a_header_that_is_wrong_is_named(change: dict[str, str], code: str) -> None:
    found = examine(of=headers() | change)
    assert not found.valid
    assert codes(found)[0] == code


def test_case_and_spaces_of_a_signature_are_all_that_is_wrong_with_it() -> None:
    digits = signature(SECRET, STAMP, BODY)[7:]
    assert codes(examine(of=headers() | {"x-signature": digits})) == ["bad_prefix"]
    assert codes(examine(of=headers() | {"x-signature": "sha256=" + digits.upper()})) == [
        "upper_case"
    ]


@pytest.mark.parametrize(("off", "good"), [(300, True), (-300, True), (301, False), (-301, False)])
def test_a_timestamp_may_be_five_minutes_off(off: int, good: bool) -> None:
    found = examine(of=headers(stamp=STAMP + off))
    assert found.valid is good
    assert good or codes(found) == ["timestamp_skew"]
    assert good or "301 seconds" in found.findings[0].message


def test_the_previous_secret_is_recognised() -> None:
    found = examine(of=headers(secret=OLD))
    assert not found.valid and codes(found) == ["previous_secret"]


# The body


@pytest.mark.parametrize("sent", [BODY, None], ids=["known to us", "purged"])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda body: body + b"\n", "white space"),
        (lambda body: b"\xef\xbb\xbf" + body, "byte order mark"),
        (lambda body: json.dumps(body.decode()).encode(), "second time"),
        (base64.b64encode, "base64"),
        (lambda body: body.decode("latin-1").encode(), "Latin-1"),
    ],
)
def test_what_was_done_to_the_body_is_named(change: Any, words: str, sent: bytes | None) -> None:
    found = examine(change(BODY), sent=sent)
    assert codes(found) == ["body_changed"]
    assert words in found.findings[0].message
    assert "raw bytes" in found.findings[0].message


@pytest.mark.parametrize(
    "written",
    [
        {}, {"indent": 2}, {"sort_keys": True}, {"ensure_ascii": False},
        {"separators": (",", ":")},
    ],
)  # fmt: skip
def test_a_body_written_anew_is_recognised(written: dict[str, Any]) -> None:
    found = examine(json.dumps(json.loads(BODY), **written).encode(), sent=BODY)
    assert codes(found) == ["body_changed"]
    assert "anew" in found.findings[0].message


def test_also_where_the_post_is_no_longer_known() -> None:
    body = b'{"a":1,"b":[true,null]}'
    anew = json.dumps(json.loads(body), indent=2).encode()
    found = examine(anew, of=headers(body))
    assert codes(found) == ["body_changed"] and "anew" in found.findings[0].message


def test_another_body_is_detected_by_its_first_byte() -> None:
    found = examine(BODY.replace(b"status", b"STATUS"), sent=BODY)
    assert codes(found) == ["body_changed"]
    assert f"byte {BODY.index(b'status') + 1} is the first" in found.findings[0].message


def test_the_right_body_with_anothers_signature() -> None:
    assert codes(examine(of=headers(b"{}"), sent=BODY)) == ["wrong_signature"]


def test_what_is_not_ours_is_not_explained_away() -> None:
    assert codes(examine(b"{}", of=headers(b"[]", secret="whsec_other"))) == ["unknown_post"]


# What the receiver uses


@pytest.mark.parametrize(
    ("secret", "code"),
    [
        (SECRET, "secret_current"), (OLD, "secret_previous"), (SECRET[6:], "secret_without_prefix"),
        (SECRET + "\n", "secret_spaces"), (f'"{SECRET}"', "secret_spaces"),
        ("td_sandbox_" + "k" * 43, "secret_is_api_key"), ("whsec_other", "secret_unknown"),
        ("", "secret_unknown"), ("ש", "secret_unknown"),
    ],
)  # fmt: skip
def test_a_secret_is_compared_with_the_accounts(secret: str, code: str) -> None:
    found = examine(secret=secret)
    assert found.valid and codes(found) == [code]


def made(key: str | bytes, text: bytes, digest: str = "sha256") -> str:
    whole = key.encode() if isinstance(key, str) else key
    return hmac.new(whole, text, digest).hexdigest()


RIGHT = f"{STAMP}.".encode() + BODY


@pytest.mark.parametrize(
    ("computed", "words"),
    [
        (made(SECRET, RIGHT), "without sha256="),
        ("sha256=" + made(SECRET, BODY), "body alone"),
        ("sha256=" + made(SECRET, f"{STAMP}".encode() + BODY), "without the dot"),
        ("sha256=" + made(SECRET[6:], RIGHT), "less its beginning"),
        ("sha256=" + made(base64.urlsafe_b64decode(SECRET[6:] + "="), RIGHT), "base64-decoded"),
        ("sha256=" + made(OLD, RIGHT), "previous secret"),
        (made(SECRET, RIGHT).upper(), "upper case"),
        (base64.b64encode(bytes.fromhex(made(SECRET, RIGHT))).decode(), "base64"),
        (made(SECRET, RIGHT, "sha1"), "SHA-1"),
        (made(SECRET, RIGHT, "sha512"), "SHA-512"),
        (hashlib.sha256(RIGHT).hexdigest(), "without any key"),
        (
            "sha256=" + made(SECRET, f"{STAMP}.".encode() + json.dumps(json.loads(BODY)).encode()),
            "written anew",
        ),
        ("sha256=" + made(SECRET, f"{STAMP}000.".encode() + BODY), "milliseconds"),
        ("sha256=" + made(SECRET, f"whk_1.{STAMP}.".encode() + BODY), "webhook id"),
        (made(SECRET[6:], BODY), "less its beginning"),
    ],
)
def test_what_a_receiver_worked_out_is_traced_to_its_mistake(computed: str, words: str) -> None:
    found = examine(computed=computed)
    assert found.valid and codes(found) == ["computed_wrong"]
    assert words in found.findings[0].message


def test_what_is_right_is_said_to_be() -> None:
    assert codes(examine(computed=signature(SECRET, STAMP, BODY))) == ["computed_right"]


@pytest.mark.parametrize("computed", ["", "sha256=", "nonsense", "ש", "0" * 64])
def test_what_comes_from_no_known_mistake_is_said_to_be_strange(computed: str) -> None:
    assert codes(examine(computed=computed)) == ["computed_unknown"]


@pytest.mark.parametrize(
    "body", [b"[" * 60_000, b'{"a":' * 12_000, rb'{"a":"\ud800"}', rb'"\udc00"', b"1" * 9000]
)
def test_a_body_that_nobody_can_write_anew_is_judged_all_the_same(body: bytes) -> None:
    for more in ({"computed": "0" * 64}, {"sent": BODY}, {"sent": BODY, "computed": "AA=="}):
        assert not examine(body, **more).valid


@pytest.mark.parametrize("pasted", ['{"a":' * 50_000, "{" * 50_000, '{"a": [' * 30_000])
def test_pasted_headers_nested_too_deep_are_refused(pasted: str) -> None:
    with pytest.raises(ValueError):
        parse_headers(pasted)


def test_half_a_character_in_a_pasted_header_is_replaced() -> None:
    assert parse_headers(r'{"X-Signature": "a\ud800", "b\udfff": 1}') == {
        "x-signature": "a?", "b?": "1",
    }  # fmt: skip


def test_no_signature_of_ours_is_ever_disclosed() -> None:
    for body in (BODY, b"{}"):
        for sent in (BODY, None):
            findings = str(examine(body, of=headers(secret="whsec_x"), sent=sent, computed="x"))
            for secret in (SECRET, OLD):
                assert signature(secret, STAMP, body)[7:] not in findings
                assert secret not in findings
