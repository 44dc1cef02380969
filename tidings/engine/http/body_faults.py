"""Errors of a body as a whole: not JSON, nested too deep, too long, contains U+0000. Pure.

`faults` explains errors of single fields. Both are the slow path of `fields`, used only for what
msgspec refused.
"""

import json
import math
import re
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import inspect

from tidings.engine.http.faults import (
    Unread,
    describe,
    in_fields,
    join,
    name_shown,
    of_body,
    refusal,
)
from tidings.engine.http.rules import name_of
from tidings.errors import ApiError, Code, ErrorCode
from tidings.limits import JSON_DEPTH_MAX, JSON_ITEMS_MAX

# An unterminated string matches up to the end of the text, so it is tried once, not at each quote.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_LEVELS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ESCAPE = re.compile(rb"\\u0000")
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def holds_nul(raw: bytes | msgspec.Raw) -> bool:
    """Whether a string in it contains U+0000, which PostgreSQL text cannot store. It first searches
    for the escape, which is almost never there."""
    view = memoryview(raw)  # does not copy a Raw
    return _ESCAPE.search(view) is not None and _NUL.search(view) is not None


def is_harmless(raw: bytes | msgspec.Raw) -> bool:
    """Whether a glance shows that it is neither crowded nor too deep, and holds no U+0000."""
    text = raw if isinstance(raw, bytes) else bytes(raw)
    return text.count(b"[") + text.count(b"{") <= JSON_DEPTH_MAX and b"\\u0000" not in text


def require_no_nul(kind: type[msgspec.Struct], raw: bytes | msgspec.Raw, path: str) -> None:
    """Refuse an object that contains U+0000, naming the field. A list whose items are decoded one
    by one is skipped: each item is checked, and fails, on its own."""
    parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    found = [field for field in describe(kind) if holds_nul(parts.get(field.encode_name, b""))]
    for field in found:
        if not is_list_of_raws(field.type):
            place = join(path, field.encode_name)
            text = f"`{place}` holds the character U+0000; leave it out"
            raise refusal(field, place, text)
    if not found:  # in a duplicate field: only the last one is among the parts
        raise of_body(path, "a string holds the character U+0000; leave it out")


def is_list_of_raws(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.ListType) and isinstance(kind.item_type, inspect.RawType)


def in_body(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError:
    """The error of a body that did not decode to `kind`."""
    if not raw.strip(b" \t\r\n"):
        return of_body(path, "it is empty; send a JSON object")
    try:
        raw.decode()
        if is_too_deep(raw, extra=1):
            return too_deep(path)
        value = _read_parts(raw)
    except _Beyond as fault:
        named = _beyond_numbers(kind, raw, path)
        return named or of_body(
            join(path, name_shown(fault.name)), "it holds a number that is out of range"
        )
    except RecursionError:
        return too_deep(path)
    except UnicodeDecodeError as fault:
        return not_utf8(path, fault.start)
    except msgspec.MsgspecError as fault:
        named = _beyond_numbers(kind, raw, path)
        return named or of_body(path, f"it is not valid JSON: {_in_words(fault, raw)}")
    if not isinstance(value, dict):
        return of_body(path, f"it must be a JSON object, got {name_of(value)}")
    return in_fields(kind, value, path)


def not_utf8(path: str, at: int) -> ApiError:
    return of_body(path, f"it is not valid UTF-8 (byte {at}); send JSON in UTF-8")


def _beyond_numbers(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError | None:
    """NaN or 1e400 in a field that declares its own error code."""
    try:
        given = json.loads(raw.decode(), parse_int=float)  # accepts NaN and Infinity, unlike JSON
    except (ValueError, RecursionError):
        return None
    for field in describe(kind) if isinstance(given, dict) else ():
        value = given.get(field.encode_name)
        own = field.code is not Code.VALIDATION_ERROR
        if own and isinstance(value, float) and not math.isfinite(value):
            place = join(path, field.encode_name)
            return refusal(field, place, f"`{place}` is no number; give {field.rule}")
    return None


def _read_parts(raw: bytes) -> Any:
    """The members of an object, each checked to be decodable."""
    try:
        parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        return msgspec.json.decode(raw)
    for name, part in parts.items():
        try:
            if not is_crowded(part):
                msgspec.json.decode(part)
        except msgspec.ValidationError:  # every other error was found before
            raise _Beyond(name) from None
    return parts


class _Beyond(Exception):
    """A number such as 1e400 in the field of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _in_words(fault: msgspec.MsgspecError, raw: bytes) -> str:
    if "truncated" in str(fault) and b"\\ud" in raw.lower():
        return "it ends early, or an escape such as \\ud83d stands in it without its other half"
    return str(fault)


def too_deep(path: str) -> ApiError:
    return of_body(path, f"it is nested more than {JSON_DEPTH_MAX} levels deep; flatten it")


def is_crowded(raw: bytes | msgspec.Raw) -> bool:
    """Whether it has more lists and objects than any accepted value; each takes time to build."""
    if len(memoryview(raw)) <= JSON_ITEMS_MAX:
        return False
    text = bytes(raw)
    return text.count(b"[") + text.count(b"{") > JSON_ITEMS_MAX


def crowded(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError:
    """The error of such an object: names the field that has too many, without decoding it."""
    try:
        parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError):
        return in_body(kind, raw, path)
    sizes = {name: len(memoryview(part)) for name, part in parts.items() if is_crowded(part)}
    if sizes:
        return in_fields(kind, parts | {name: Unread(sizes[name]) for name in sizes}, path)
    return of_body(path, f"it has more than {JSON_ITEMS_MAX} lists and objects in it; send fewer")


def is_too_deep(raw: bytes, extra: int = 0) -> bool:
    """Whether brackets nest beyond the limit. Too few brackets to do so are not scanned."""
    limit = JSON_DEPTH_MAX + extra
    if raw.count(b"[") + raw.count(b"{") <= limit:
        return False
    bare = _STRING.sub(b"", raw).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_LEVELS.__getitem__, bare)), default=0) > limit


def too_long(kind: type[msgspec.Struct], path: str, fault: str) -> ApiError:
    code: ErrorCode = getattr(kind, "TOO_LONG", Code.VALIDATION_ERROR)
    place = path or "body"
    return ApiError(code, f"{place}: {fault}", field=place)
