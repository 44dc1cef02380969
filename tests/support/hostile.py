"""Bodies made to cost much: of each shape that was seen to keep a server, up to 20 MB."""

import json
from collections.abc import Callable

MOST = 20 << 20
ITEM = {"clientMessageId": "hostile-0001", "to": "972501234567", "templateName": "plain"}


def batch(items: list[bytes]) -> bytes:
    return b'{"messages":[' + b",".join(items) + b"]}"


def item(**more: object) -> bytes:
    return json.dumps(ITEM | more).encode()


def with_field(name: bytes, value: bytes) -> bytes:
    return b"%b,%b:%b}" % (item()[:-1], json.dumps(name.decode()).encode(), value)


def _fill(part: bytes, size: int) -> bytes:
    return b"[" + b",".join([part] * (size // (len(part) + 1))) + b"]"


DEEP = b"[" * 28 + b"]" * 28
HOST = ".".join("".join(chr(0x4E00 + 61 * n + 7 * m) for m in range(20)) for n in range(10))

SHAPES: dict[str, Callable[[], bytes]] = {
    "deep_arrays_in_items": lambda: batch([with_field(b"x", _fill(DEEP, 17_000))] * 1000),
    "deep_arrays_in_meta": lambda: batch([with_field(b"meta", _fill(DEEP, 17_000))] * 1000),
    "one_deep_value": lambda: with_field(b"x", b"[" * 5_000_000 + b"]" * 5_000_000),
    "brackets_of_one_item": lambda: batch([with_field(b"x", b"[" + b"[" * 100_000)]),
    "lists_of_lists": lambda: batch([with_field(b"x", _fill(b"[]", 12_000))] * 1600),
    "lists_in_few_items": lambda: batch([with_field(b"x", _fill(_fill(b"0", 8000), 200_000))] * 90),
    "ten_million_items": lambda: b'{"messages":[' + b"1," * (MOST // 2 - 20) + b"1]}",
    "fifty_thousand_items": lambda: b'{"messages":[' + b"1," * 50_000 + b"1]}",
    "four_thousand_items": lambda: batch([item(meta={"a": "b" * 4000})] * 4000),
    "unknown_fields": lambda: batch(
        [b"{" + b",".join(b'"field%d":1' % n for n in range(1500)) + b"}"] * 900
    ),
    "fields_of_the_body": lambda: (
        b"{" + b",".join(b'"field%d":%b' % (n, b"1" * 5000) for n in range(4000)) + b"}"
    ),
    "idna_urls": lambda: batch(
        [item(buttonUrl=f"https://{chr(0x5000 + n)}{HOST}/") for n in range(1000)]
    ),
    "bad_items": lambda: batch([item(to="x", kind="y", scheduledFor="z")] * 1000),
    "items_of_a_wrong_type": lambda: batch([b'{"to":' + b"1" * 20_000 + b"}"] * 1000),
    "escapes_in_a_string": lambda: with_field(b"mediaBase64", b'"' + b"\\/" * 10_000_000 + b'"'),
    "escapes_in_a_field": lambda: with_field(b"message", b'"' + b"\\u00e9" * 3_000_000 + b'"'),
    "escapes_in_items": lambda: batch([with_field(b"message", b'"' + b"\\/" * 9000 + b'"')] * 1000),
    "characters_of_four_bytes": lambda: with_field(
        b"mediaBase64", b'"' + "😀".encode() * 5_000_000 + b'"'
    ),
    "an_open_string": lambda: b'{"messages":["' + b'\\"' * 10_000_000,
    "a_small_open_string": lambda: b'{"messages":["' + b'\\"' * 120_000,
    "a_number": lambda: with_field(b"x", b"1" * 20_000_000),
    "numbers_in_meta": lambda: batch([with_field(b"meta", _fill(b"1" * 4000, 16_000))] * 1000),
    "blanks": lambda: b'{"messages":' + b" " * 20_000_000 + b"[]}",
    "a_long_name": lambda: b'{"' + b"n" * 20_000_000 + b'":1}',
    "long_names": lambda: batch([with_field(b"n" * 18_000, b"1")] * 1000),
    "maximal_items": lambda: batch(
        [item(templateName="hello", templateParams=["p" * 1024] * 14, meta={"a": "b" * 4000})]
        * 1000
    ),
    "invalid_utf8": lambda: batch([with_field(b"x", b'"' + b"a" * 19_000_000 + b'\xff"')]),
}
