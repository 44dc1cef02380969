"""Large bodies decoded in pieces: the values and refusals of small ones, in little memory."""

import json
import tracemalloc
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Meta, UnsetType

from tidings import limits
from tidings.engine.http.fields import decode, decode_item, decode_steps
from tidings.engine.http.outline import Malformed, outline
from tidings.errors import ApiError, Code

LARGE = 2 * limits.JSON_PIECE_BYTES


class Upload(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    data: str
    items: list[msgspec.Raw] | UnsetType = UNSET
    note: Annotated[str, Meta(max_length=20)] | UnsetType = UNSET
    meta: msgspec.Raw | UnsetType = UNSET


class Batch(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    TOO_LONG = Code.BATCH_TOO_LARGE

    messages: Annotated[list[msgspec.Raw], Meta(min_length=1)]
    batch_name: str | UnsetType = UNSET


def refused(kind: type[msgspec.Struct], raw: bytes) -> ApiError:
    with pytest.raises(ApiError) as caught:
        decode(kind, raw)
    return caught.value


def spans(raw: bytes, chunk: int) -> dict[str, tuple[bytes, list[bytes] | None]]:
    """The members as the outline finds them."""
    steps = outline(memoryview(raw), chunk)
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            return {
                json.loads(raw[slice(*one.name)]): (
                    raw[slice(*one.value)],
                    one.items and [raw[slice(*item)] for item in one.items],
                )
                for one in ended.value
            }


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from('"\\[]{},:'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=30,
)
bodies = st.dictionaries(st.text(max_size=5), values, max_size=6)


@given(bodies, st.sampled_from([None, 1]), st.booleans(), st.integers(2, 40))
def test_the_outline_finds_every_member_and_item(body: Any, indent: Any, plain: bool, chunk: int):
    raw = json.dumps(body, indent=indent, ensure_ascii=plain).encode()
    try:
        found = spans(raw, chunk)
    except Malformed as fault:
        assert "number or a blank" in str(fault), "longer than the chunks of this test"
        return
    assert {name: json.loads(value) for name, (value, _) in found.items()} == body
    for name, (_, items) in found.items():
        if items is not None:
            assert [json.loads(item) for item in items] == body[name]


@settings(max_examples=30)
@given(st.text(min_size=1, max_size=13), st.booleans())
def test_a_text_in_pieces_is_the_text(part: str, plain: bool):
    text = part.replace("\0", "") * (LARGE // len(part))
    raw = json.dumps({"data": text, "note": "ok"}, ensure_ascii=plain).encode(errors="replace")
    if "\\ud" in raw.decode():  # halves of characters are no text
        return
    found = decode(Upload, raw)
    assert (found.data, found.note) == (json.loads(raw)["data"], "ok")


@pytest.mark.parametrize("shift", range(14))
def test_no_escape_is_cut_in_two(shift: int):
    part = r"\ud83d\ude00\u00e9\\\"\/"
    raw = ('{"data":"' + "x" * shift + part * (LARGE // len(part)) + '"}').encode()
    assert decode(Upload, raw).data == json.loads(raw)["data"]


def test_the_items_of_a_large_batch_are_those_of_a_small_one():
    items = [{"a": [1, {"b": "x" * 3000}], "n": n, "t": '],[{"'} for n in range(300)]
    raw = json.dumps({"batchName": "b", "messages": items}, indent=1).encode()
    found = decode(Batch, raw)
    assert [json.loads(bytes(item)) for item in found.messages] == items
    assert found.batch_name == "b"


class Item(msgspec.Struct, forbid_unknown_fields=True):
    to: str
    tags: list[str] | UnsetType = UNSET
    more: list[Any] | UnsetType = UNSET


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        (b'"note":"' + b"n" * LARGE + b'"', "note", "give a string of at most 20 characters"),
        (b'"note":"' + b"n" * 21 + b'"', "note", 'got "nnn'),
        (b'"meta":[' + b"1," * 200_000 + b"1]", "body", "a list in it has more than 4096 items"),
        (b'"meta":"' + b"n" * LARGE + b'"', "meta", "is too large"),
        (b'"note":5', "note", "must be a string of at most 20 characters, got number 5"),
        (b'"nota":"x"', "nota", "did you mean `note`?"),
        (b'"nota":"' + b"n" * LARGE + b'"', "nota", "did you mean `note`?"),
        (b'"' + b"n" * LARGE + b'":1', "n" * 64 + "…", "is not a known field"),
        (b'"note":1 2', "body", "not valid JSON"),
        (b'"note" 1', "body", "not valid JSON: a field has no name"),
        (b'"note":', "body", "not valid JSON: a field has no value"),
        (b'"items":[1,,2]', "body", "not valid JSON"),
        (b'"items":[1,tru]', "body", "not valid JSON"),
        (b'"items":[1}', "body", "not valid JSON: a bracket closes that is not open"),
        (b'"note":"x"}]', "body", "not valid JSON: something stands after its end"),
        (b'"note":[[["x"', "body", "not valid JSON"),
        (b'"note":"\\u0000"', "note", "U+0000"),
        (b'"note":"\xff"', "body", "not valid UTF-8"),
        (b'"meta":' + b"[" * 40 + b"]" * 40, "body", "nested more than 32 levels"),
        (b'"meta":' + b"[" * 600 + b"]" * 600, "body", "nested more than 32 levels"),
    ],
    ids=lambda value: repr(value[:30]),
)
def test_what_is_wrong_beside_a_large_value_is_named(change: bytes, field: str, words: str):
    fault = refused(Upload, b'{"data":"' + b"d" * LARGE + b'",' + change + b"}")
    assert fault.field == field
    assert words in fault.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\\ud800 " * (LARGE // 7), "not valid JSON"),
        (b"\\q" * LARGE, "not valid JSON"),
        (b"a\n" * LARGE, "not valid JSON"),
        (b"\\u0000" * LARGE, "`data` holds the character U+0000"),
        (b'\\"' * LARGE + b"\\", "it ends early, within a string"),
    ],
)
def test_what_is_wrong_in_a_large_text_is_named(data: bytes, words: str):
    assert words in refused(Upload, b'{"data":"' + data + b'"}').message


@pytest.mark.parametrize("raw", [b"[1]", b'"x"', b"7", b"{} {}", b",", b"]"])
def test_a_large_body_must_be_one_object(raw: bytes):
    raw = raw[:1] + b" " * 10 + raw[1:] + b'"' + b"x" * LARGE + b'"'
    assert "not valid JSON" in refused(Upload, raw).message


LISTS = b"[" + b"[]," * 2100 + b"[]]"


@pytest.mark.parametrize(
    ("item", "field", "words"),
    [
        (
            b'{"to":"1","tags":[%b,%b]}',
            "tags",
            "is too large (12,611 bytes); give an array of strings",
        ),
        (b'{"tag":[%b,%b]}', "tag", "did you mean `tags`?"),
        (b'{"tags":%b,"more":%b}', "messages[3]", "has more than 4096 lists and objects in it"),
        (b'{"tags":%b,%b', "messages[3]", "not valid JSON"),
        (b"[%b,%b]", "messages[3]", "must be a JSON object, got array"),
    ],
    ids=repr,
)
def test_an_item_too_crowded_for_any_use_is_refused_unread(item: bytes, field: str, words: str):
    with pytest.raises(ApiError) as caught:
        decode_item(Item, item % (LISTS, LISTS), "messages[3]")
    assert words in caught.value.message
    assert (caught.value.field or "").endswith(field)


def test_ten_million_tiny_items_are_refused_in_little_memory():
    raw = b'{"messages":[' + b"1," * 10_000_000 + b"1]}"
    tracemalloc.start()
    fault = refused(Batch, raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (fault.code, fault.field) == (Code.BATCH_TOO_LARGE, "body")
    assert peak < 2_000_000


def test_a_large_body_is_decoded_in_many_steps():
    raw = b'{"data":"' + b"\\/" * 2_000_000 + b'"}'
    assert sum(1 for _ in decode_steps(Upload, raw)) > 20
