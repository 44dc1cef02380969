"""Bodies and their fields: what is taken, and how a refusal names field, rule and fix."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tests.support.bodies import GOOD, Batch, Message, Topup
from tidings.engine.http.fields import decode, decode_item
from tidings.errors import ApiError
from tidings.features.partner.rules import PartnerCode


def refusal(struct=Message, **changes):
    body = {**GOOD, **changes} if struct is Message else changes
    body = {name: value for name, value in body.items() if value is not UNSET}
    with pytest.raises(ApiError) as caught:
        decode(struct, msgspec.json.encode(body))
    return caught.value


def test_a_good_body_becomes_a_struct():
    message = decode(Message, msgspec.json.encode({**GOOD, "meta": {"a": [1, 2]}}))
    assert message.client_message_id == "order-0001"
    assert bytes(message.meta) == b'{"a":[1,2]}'
    assert message.kind == "notification"


@pytest.mark.parametrize(
    ("changes", "code", "field", "message"),
    [
        (
            {"to": UNSET},
            "VALIDATION_ERROR",
            "to",
            "`to` is missing; give a string",
        ),
        (
            {"to": None},
            "VALIDATION_ERROR",
            "to",
            "`to` is null; leave it out or give a string",
        ),
        (
            {"to": 972501234567},
            "VALIDATION_ERROR",
            "to",
            "`to` must be a string, got number 972501234567",
        ),
        (
            {"clientMessageId": "short"},
            "VALIDATION_ERROR",
            "clientMessageId",
            '`clientMessageId` must be a string of 8 to 128 characters, got "short"',
        ),
        (
            {"clientMessageId": "x" * 129},
            "VALIDATION_ERROR",
            "clientMessageId",
            "`clientMessageId` must be a string of 8 to 128 characters, "
            f'got "{"x" * 40}…" (129 characters)',
        ),
        (
            {"kind": "party"},
            "VALIDATION_ERROR",
            "kind",
            '`kind` must be one of invitation, notification, got "party"',
        ),
        (
            {"colour": "green"},
            "VALIDATION_ERROR",
            "colour",
            '`colour` must be one of red, blue, got "green"',
        ),
        (
            {"amount": 0},
            "VALIDATION_ERROR",
            "amount",
            "`amount` must be a number, above 0, got number 0",
        ),
        (
            {"flag": "yes"},
            "VALIDATION_ERROR",
            "flag",
            '`flag` must be true or false, got "yes"',
        ),
        (
            {"when": 5},
            "VALIDATION_ERROR",
            "when",
            "`when` must be an RFC 3339 time, got number 5",
        ),
        (
            {"params": "a"},
            "VALIDATION_ERROR",
            "params",
            '`params` must be an array of strings, got "a"',
        ),
        (
            {"params": ["a", 2]},
            "VALIDATION_ERROR",
            "params[1]",
            "`params[1]` must be a string, got number 2",
        ),
        (
            {"params": [None]},
            "VALIDATION_ERROR",
            "params[0]",
            "`params[0]` must be a string, got null",
        ),
        (
            {"rows": [[1], [2, "b"]]},
            "VALIDATION_ERROR",
            "rows[1][1]",
            '`rows[1][1]` must be an integer, at least 0, got "b"',
        ),
        (
            {"rows": [[1], {"a": 1}]},
            "VALIDATION_ERROR",
            "rows[1]",
            "`rows[1]` must be an array, got object",
        ),
        (
            {"headers": {"a": "b", "c": 5}},
            "VALIDATION_ERROR",
            "headers.c",
            "`headers.c` must be a string of at most 3 characters, got number 5",
        ),
        (
            {"headers": {"a": "b", "c": "defg"}},
            "VALIDATION_ERROR",
            "headers.c",
            '`headers.c` must be a string of at most 3 characters, got "defg"',
        ),
        (
            {"headers": {"a": "", "b": "", "c": ""}},
            "VALIDATION_ERROR",
            "headers",
            "`headers` must be an object of at most 2 fields, got object",
        ),
        (
            {"defaults": {"minutes": 61}},
            "VALIDATION_ERROR",
            "defaults.minutes",
            "`defaults.minutes` must be an integer from 1 to 60, got number 61",
        ),
        (
            {"defaults": {"minuts": 6}},
            "VALIDATION_ERROR",
            "defaults.minuts",
            "`defaults.minuts` is not a known field; did you mean `minutes`?",
        ),
        (
            {"defaults": []},
            "VALIDATION_ERROR",
            "defaults",
            "`defaults` must be an object, got array of 0",
        ),
        (
            {"buttons": [{"id": "1", "text": "ok"}, {"id": "2"}]},
            "VALIDATION_ERROR",
            "buttons[1].text",
            "`buttons[1].text` is missing; give a string of at most 20 characters",
        ),
        (
            {"buttons": [7]},
            "VALIDATION_ERROR",
            "buttons[0]",
            "buttons[0]: it must be a JSON object, got number",
        ),
        (
            {"fromPolicy": "strictly"},
            "INVALID_FROM_POLICY",
            "fromPolicy",
            '`fromPolicy` must be one of auto, prefer, strict, got "strictly"',
        ),
        (
            {"fromPolicy": None},
            "INVALID_FROM_POLICY",
            "fromPolicy",
            "`fromPolicy` is null; leave it out or give one of auto, prefer, strict",
        ),
        (
            {"payloads": []},
            "INVALID_BUTTON_PAYLOAD",
            "payloads",
            "`payloads` must be an array of strings of 1 to 10 items, got array of 0",
        ),
        (
            {"payloads": ["ok", ""]},
            "INVALID_BUTTON_PAYLOAD",
            "payloads[1]",
            '`payloads[1]` must be a string of 1 to 128 characters, got ""',
        ),
        (
            {"payloads": ["ok", {}]},
            "INVALID_BUTTON_PAYLOAD",
            "payloads[1]",
            "`payloads[1]` must be a string of 1 to 128 characters, got object",
        ),
        (
            {"clientMessageID": "order-0001"},
            "VALIDATION_ERROR",
            "clientMessageID",
            "`clientMessageID` is not a known field; did you mean `clientMessageId`?",
        ),
        (
            {"settings": 4},
            "VALIDATION_ERROR",
            "settings",
            "`settings` must be an object, got number 4",
        ),
    ],
)
def test_a_refusal_names_the_field_the_rule_and_what_came(changes, code, field, message):
    fault = refusal(**changes)
    assert (fault.code.name, fault.field, fault.message) == (code, field, message)


def test_a_field_with_its_own_code_uses_it_when_missing_too():
    assert refusal(Topup).code is PartnerCode.INVALID_QUANTITY
    assert refusal(Topup, messages="many").code is PartnerCode.INVALID_QUANTITY
    assert refusal(Topup, messages=11).field == "messages"


def test_the_value_of_a_secret_field_is_never_shown():
    for value in ("1234567890123456", 123456, ["123456"], {"a": "123456"}):
        fault = refusal(code=value)
        assert fault.field == "code"
        assert "123456" not in fault.message
    fault = refusal(hints=["a", 123456])
    assert (fault.field, fault.message) == (
        "hints[1]",
        "`hints[1]` must be a string, got number",
    )


def test_a_value_too_large_to_be_read_is_named_by_its_field_and_rule():
    fault = refusal(params=["x" * (1 << 20), 7])
    words = "`params` is too large (1,048,582 bytes); give an array of strings"
    assert (fault.field, fault.message) == ("params", words)


def test_an_entry_that_an_equal_name_hides_is_refused_by_the_whole_fields_rule():
    raw = b'{"clientMessageId":"order-0001","to":"1","headers":{"a":5,"a":"b"}}'
    with pytest.raises(ApiError) as caught:
        decode(Message, raw)
    assert caught.value.field == "headers"
    words = "must be an object of at most 2 fields, and all in it valid"
    assert caught.value.message == f"`headers` {words}"


def test_the_first_offending_field_is_the_structs_not_the_documents():
    raw = b'{"kind":"party","to":5,"clientMessageId":"x"}'
    with pytest.raises(ApiError) as caught:
        decode(Message, raw)
    assert caught.value.field == "clientMessageId"


def test_a_misspelt_name_is_reported_before_the_field_that_is_then_missing():
    assert refusal(to=UNSET, too="972501234567").field == "too"


def test_an_unknown_name_far_from_all_lists_the_known_ones_too():
    found = refusal(Topup, messages=1, zzz=1).message
    assert "the nearest is `messages`; known are messages" in found


@pytest.mark.parametrize("name", ["To", "TO", "tO"])
def test_letters_of_another_case_are_near(name):
    assert "did you mean `to`?" in refusal(to=UNSET, **{name: "972501234567"}).message


def test_characters_are_code_points():
    body = {**GOOD, "clientMessageId": "😀" * 128}
    assert decode(Message, msgspec.json.encode(body)).client_message_id == "😀" * 128
    assert refusal(clientMessageId="😀" * 129).field == "clientMessageId"


def test_null_is_taken_only_where_the_type_has_it():
    body = {**GOOD, "defaults": {"sentFrom": None}}
    assert decode(Message, msgspec.json.encode(body)).defaults.sent_from is None
    assert refusal(defaults=None).field == "defaults"


def test_a_dictionary_of_anything_is_bounded_in_depth():
    def nested(depth):
        value: Any = 1
        for _ in range(depth):
            value = {"a": value}
        return {**GOOD, "settings": value}

    assert decode(Message, msgspec.json.encode(nested(31)))
    with pytest.raises(ApiError) as caught:
        decode(Message, msgspec.json.encode(nested(33)))
    assert caught.value.field == "body"


def test_a_large_body_of_many_bytes_a_character_is_checked_in_pieces():
    text = "é" * 1_500_000
    raw = msgspec.json.encode({**GOOD, "to": text})
    assert decode(Message, raw).to == text
    broken = raw.replace("é".encode() * 10, b"\xc3\xc3" + "é".encode() * 9, 1)
    with pytest.raises(ApiError) as caught:
        decode(Message, broken)
    assert "UTF-8" in caught.value.message


def test_an_item_of_a_batch_fails_alone_and_names_its_place():
    batch = decode(Batch, b'{"messages":[{"clientMessageId":"order-0001","to":"1"},{"to":4},7]}')
    assert decode_item(Message, batch.messages[0], "messages[0]").to == "1"
    with pytest.raises(ApiError) as second:
        decode_item(Message, batch.messages[1], "messages[1]")
    assert second.value.field == "messages[1].clientMessageId"
    with pytest.raises(ApiError) as third:
        decode_item(Message, batch.messages[2], "messages[2]")
    assert third.value.field == "messages[2]"
    assert "must be a JSON object" in third.value.message


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "\u202e"])
def test_a_name_that_the_caller_made_up_is_shown_on_one_line(name: str):
    for value in (b"1", b"1e999"):
        with pytest.raises(ApiError) as caught:
            decode(Message, b'{"to":"1",%b:%b}' % (msgspec.json.encode(name), value))
        assert caught.value.message.isprintable()
        assert caught.value.field == name.encode("unicode_escape").decode()


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from([field.encode_name for field in msgspec.structs.fields(Message)])


@given(st.dictionaries(names | st.text(max_size=9), anything, max_size=6))
def test_whatever_comes_as_json_is_a_struct_or_a_refusal_with_a_field(body):
    try:
        decode(Message, msgspec.json.encode(body))
    except ApiError as fault:
        assert fault.field is not None
        assert "Expected `" not in fault.message
