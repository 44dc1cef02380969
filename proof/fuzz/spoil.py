"""Good bodies, spoilt: in their values, in their JSON, in their bytes."""

import json
from random import Random
from typing import Any

from proof.fuzz.catalogue import NAMES, NUMBERS, nested, odd

Path = tuple[Any, ...]
_RAW_VALUES = [
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"01", b"+1", b".5", b"1.", b"0x1",
    b"1" * 5000, b"1e" + b"9" * 500, b"0." + b"0" * 400 + b"1", b"tru", b"nul", b"'a'",
    b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\x00"', b'"\x1f"', b'"\\x41"', b'"\\u12"',
    b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b"/**/1", b"[1,]",
    b'{"a":1,}',
    b"[" * 2000, b"{" * 600, b'{"a":' * 700, b"-", b"", b'"', b"\xef\xbb\xbf1", b"1 2", b"1e5",
    b'"' + b"a" * 300_000 + b'"', b"[" * 31 + b"]" * 31, b"[" * 33 + b"]" * 33,
]  # fmt: skip
_TOPS = [
    b"", b" ", b"null", b"[]", b"{}", b'""', b"0", b"true", b"\xef\xbb\xbf{}", b"{}x", b"{}{}",
    b"[{}]", b"\x00", b"{\x00}", b"\xff\xfe{\x00}\x00", b"<x/>", b"a=b&c=d", b"--x\r\n",
    b"\x1f\x8b\x08",
    b"{" * 100_000, b"[" * 100_000, b'{"a":' * 50_000, b'{"a":1' + b',"a":1' * 50_000 + b"}",
]  # fmt: skip


def places(value: Any, path: Path = ()) -> list[Path]:
    """The path of every value inside."""
    found = [path]
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            found += places(each, (*path, key))
    return found


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy with another value at this path."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


def _drop(value: Any, path: Path) -> Any:
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = _drop(value[path[0]], path[1:])
    return copy


def spoil_values(rng: Random, body: Any, fields: list[str]) -> Any:
    """One to three values replaced, left out or added."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        path = rng.choice(places(body))
        roll = rng.random()
        if roll < 0.6:
            last = next((str(key) for key in reversed(path) if isinstance(key, str)), "")
            body = put(body, path, odd(rng, last))
        elif roll < 0.7 and path:
            body = _drop(body, path)
        elif isinstance(body, dict):
            name = rng.choice(fields or NAMES) if rng.random() < 0.7 else rng.choice(NAMES)
            body = {**body, name: odd(rng, name)}
    return body


def spoil_text(rng: Random, body: Any) -> bytes:
    """The JSON text broken, or with something in it that no encoder writes."""
    mark = 918_273_645
    path = rng.choice(places(body))
    raw = dump(put(body, path, mark)) if path else b"%d" % mark
    roll = rng.random()
    if roll < 0.5:
        return raw.replace(b"%d" % mark, rng.choice(_RAW_VALUES), 1)
    if roll < 0.65 and isinstance(body, dict) and body:  # a name twice
        name = rng.choice(list(body))
        pair = dump({name: odd(rng, name)})
        return pair[:-1] + b"," + dump(body)[1:]
    return raw.replace(b"%d" % mark, dump(nested(rng)), 1)


def spoil_bytes(rng: Random, raw: bytes) -> bytes:
    """Cut, flipped, doubled, or in another encoding."""
    roll = rng.random()
    at = rng.randrange(len(raw) + 1)
    if roll < 0.25:
        return raw[:at]
    if roll < 0.5:
        return raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]
    if roll < 0.6:
        return raw[:at] + raw[at:] * 2
    if roll < 0.75:
        encoding = rng.choice(["utf-16", "utf-16-le", "utf-32", "utf-7", "utf-8-sig", "latin-1"])
        return raw.decode("utf-8", "replace").encode(encoding, "replace")
    if roll < 0.9:
        return rng.choice(_TOPS)
    return rng.randbytes(rng.choice([1, 10, 1000]))


def dump(value: Any) -> bytes:
    """JSON, escaped: also what UTF-8 cannot hold, and numbers beyond those of JSON."""
    return json.dumps(value, separators=(",", ":")).encode()


def number_text(rng: Random) -> str:
    return str(rng.choice(NUMBERS))[:400]
