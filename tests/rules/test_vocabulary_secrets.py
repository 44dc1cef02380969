"""Keys, and values that must not be readable at rest or in a log."""

import base64
import hashlib
import pickle
import re

import msgspec
import pytest
import structlog
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from tidings import secrets
from tidings.secrets import Sealer, Secret, Unsealable

CANARY = "canary-7f3a9c"
MASTER = bytes(range(32))


@pytest.mark.parametrize("environment", ["sandbox", "live"])
def test_a_key_names_its_environment_and_is_long_and_plain(environment: str) -> None:
    key = secrets.new_api_key(environment)
    assert re.fullmatch(rf"td_{environment}_[0-9A-Za-z]{{43}}", key)
    assert key != secrets.new_api_key(environment)


def test_a_signing_secret_has_its_prefix() -> None:
    assert re.fullmatch(r"whsec_[0-9A-Za-z+/]{43}=", secrets.new_signing_secret())


def test_a_key_is_stored_as_its_sha256() -> None:
    assert secrets.key_hash("td_live_x") == hashlib.sha256(b"td_live_x").digest()


def test_comparing_takes_any_text_and_does_not_raise() -> None:
    assert secrets.is_same("sha256=é", "sha256=é")
    assert secrets.is_same(b"abc", "abc")
    assert not secrets.is_same("abc", "abd")
    assert not secrets.is_same("abc", "abc\udcff")


def test_no_way_of_printing_shows_a_secret() -> None:
    hidden = Secret(CANARY)
    shown = [
        repr(hidden),
        str(hidden),
        f"{hidden}",
        f"{hidden!r:>40}",
        f"{[hidden]}",
    ]
    assert not [text for text in shown if CANARY in text]
    assert hidden.reveal() == CANARY


def test_neither_msgspec_nor_pickle_encodes_a_secret() -> None:
    with pytest.raises(TypeError):
        msgspec.json.encode({"secret": Secret(CANARY)})
    with pytest.raises(TypeError):
        pickle.dumps(Secret(CANARY))


@pytest.mark.parametrize(
    "renderer", [structlog.processors.JSONRenderer(), structlog.dev.ConsoleRenderer()]
)
def test_a_log_shows_stars_in_place_of_a_secret(renderer) -> None:
    line = renderer(
        None, "info", {"event": "seen", "secret": Secret(CANARY), "deep": [Secret(CANARY)]}
    )
    assert CANARY not in line
    assert "***" in line


def test_secrets_compare_by_value_and_are_no_dictionary_keys() -> None:
    assert Secret("a") == Secret("a") != Secret("b")
    assert Secret("a") != "a"
    with pytest.raises(TypeError):
        hash(Secret("a"))


@given(st.text(), st.text())
def test_what_is_sealed_opens_in_its_own_context(plaintext: str, context: str) -> None:
    sealer = Sealer(MASTER)
    sealed = sealer.seal(plaintext, context)
    assert sealer.open(sealed, context).reveal() == plaintext


def test_what_is_sealed_does_not_show_and_differs_each_time() -> None:
    sealer = Sealer(MASTER)
    first, second = sealer.seal(CANARY, "x"), sealer.seal(CANARY, "x")
    assert first != second
    assert CANARY.encode() not in first
    assert first.startswith(sealer.prefix) and second.startswith(sealer.prefix)


def test_another_context_or_another_key_does_not_open_it() -> None:
    sealed = Sealer(MASTER).seal(CANARY, "signing_secrets/1")
    for sealer, context in [
        (Sealer(MASTER), "signing_secrets/2"),
        (Sealer(bytes(32)), "signing_secrets/1"),
    ]:
        with pytest.raises(Unsealable, match="TIDINGS_MASTER_KEY") as refusal:
            sealer.open(sealed, context)
        assert CANARY not in str(refusal.value)


def test_no_altered_byte_and_no_cut_goes_unnoticed() -> None:
    sealer = Sealer(MASTER)
    sealed = sealer.seal(CANARY, "x")
    altered = [sealed[:i] + bytes([sealed[i] ^ 1]) + sealed[i + 1 :] for i in range(len(sealed))]
    for wrong in [*altered, *(sealed[:i] for i in range(len(sealed)))]:
        with pytest.raises(Unsealable):
            sealer.open(wrong, "x")


def test_several_keys_open_and_the_first_one_seals() -> None:
    old, new = Sealer(MASTER), Sealer(bytes(32))
    both = Sealer(bytes(32), MASTER)
    assert both.open(old.seal(CANARY, "x"), "x").reveal() == CANARY
    assert new.open(both.seal(CANARY, "x"), "x").reveal() == CANARY
    assert not old.opens(both.seal(CANARY, "x"), "x")
    assert both.fingerprints == [*new.fingerprints, *old.fingerprints]
    assert both.signing_keys("a") == [new.signing_key("a"), old.signing_key("a")]


def test_a_key_that_another_process_made_is_read_when_it_is_met() -> None:
    keys = [MASTER]
    running = Sealer(*keys, reload=lambda: keys)
    before = running.seal(CANARY, "x")
    keys.insert(0, bytes(32))
    sealed = Sealer(*keys).seal(CANARY, "x")
    assert running.open(sealed, "x").reveal() == CANARY
    assert running.seal(CANARY, "x").startswith(Sealer(bytes(32)).prefix)
    keys.pop()
    running.reload()
    assert running.open(before, "x").reveal() == CANARY, "a running process forgets no key"


def test_values_that_name_no_key_still_open() -> None:
    nonce = bytes(12)
    sealed = b"\x01" + nonce + AESGCM(MASTER).encrypt(nonce, CANARY.encode(), b"\x01x")
    assert Sealer(bytes(32), MASTER).open(sealed, "x").reveal() == CANARY
    with pytest.raises(Unsealable):
        Sealer(bytes(32)).open(sealed, "x")


def test_several_master_keys_are_separated_by_commas_or_lines() -> None:
    one, two = secrets.new_master_key(), secrets.new_master_key()
    parsed = [secrets.parse_master_key(one), secrets.parse_master_key(two)]
    assert secrets.parse_master_keys(f"{one}, {two}") == parsed
    assert secrets.parse_master_keys(f"{one}\n{two}\n") == parsed


def test_a_master_key_is_32_bytes_of_base64_with_or_without_a_line_end() -> None:
    assert secrets.parse_master_key(base64.b64encode(MASTER).decode() + "\n") == MASTER
    assert len(secrets.parse_master_key(secrets.new_master_key())) == 32


@pytest.mark.parametrize(
    "text", ["", CANARY, "AAAA", base64.b64encode(bytes(31)).decode(), "A" * 43, "é" * 44, "AA AA"]
)
def test_a_wrong_master_key_says_what_to_do_and_not_what_it_was(text: str) -> None:
    with pytest.raises(ValueError, match="openssl rand -base64 32") as refusal:
        secrets.parse_master_key(text)
    assert not text or text not in str(refusal.value)


def test_a_sealer_refuses_a_key_of_another_length() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Sealer(bytes(16))


def test_every_purpose_and_every_master_key_has_a_signing_key_of_its_own() -> None:
    sealer, other = Sealer(MASTER), Sealer(bytes(range(1, 33)))
    keys = {sealer.signing_key("a"), sealer.signing_key("b"), other.signing_key("a"), MASTER}
    assert len(keys) == 4
    assert Sealer(MASTER).signing_key("a") == sealer.signing_key("a")
