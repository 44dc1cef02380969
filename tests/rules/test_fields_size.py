"""Bodies too large to be looked at twice: refused before they are read, or in pieces."""

import tracemalloc
from typing import Any

import msgspec
import pytest

from tidings.engine.http.fields import decode
from tidings.errors import ApiError


class Listed(msgspec.Struct, forbid_unknown_fields=True):
    items: list[msgspec.Raw]
    anything: Any = None


def _refused(raw: bytes) -> ApiError:
    with pytest.raises(ApiError) as refused:
        decode(Listed, raw)
    return refused.value


@pytest.mark.parametrize(
    "item", [b"1", b"[]", b"{}", b'"a,b"', b'{"a":[1,{"b":2}]}'], ids=lambda item: item.decode()
)
def test_a_list_beyond_all_sense_is_refused_before_it_is_read(item):
    raw = b'{"items":[' + b",".join([item] * 60_000) + b"]}"
    assert "more than 4096 items" in _refused(raw).message


def test_many_commas_in_text_or_in_small_lists_are_no_long_list():
    text = b'{"items":["' + b"," * 100_000 + b'"]}'
    lists = b'{"items":[' + b",".join([b"[1,2,3]"] * 4000) + b",[" + b"1," * 3000 + b"1]]}"
    assert len(decode(Listed, text).items) == 1
    assert len(decode(Listed, lists).items) == 4001


def test_a_large_body_is_not_held_a_second_time_to_name_its_fault():
    raw = b'{"items":[' + b"[]," * 3000 + b'1],"anything":1e999}'
    wide = b'{"itemz":[' + b",".join([b"[" + b"[]," * 4000 + b"1]"] * 25) + b"]}"
    assert _refused(raw).field == "anything"
    tracemalloc.start()
    assert "did you mean `items`" in _refused(wide).message
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(wide)
