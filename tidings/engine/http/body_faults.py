"""What is wrong with a body as a whole: no JSON, too deep, too long, U+0000 in it. Pure.

What is wrong with one of its fields, `faults` says. Both are the slow path of `fields`: only what
msgspec refused comes here.
"""

import json
import math
import re
from typing import Any

import msgspec
from msgspec import inspect

from tidings.engine.http.faults import (
    READ_BYTES_MAX,
    describe,
    in_fields,
    join,
    of_body,
    refusal,
)
from tidings.engine.http.rules import name_of
from tidings.errors import ApiError, Code
from tidings.limits import JSON_DEPTH_MAX, JSON_ITEMS_MAX

_OPENING_OR_CLOSING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_INNERMOST = re.compile(r"\[[^\[\]{}]*\]|\{[^\[\]{}]*\}")
_ESCAPE = re.compile(rb"\\u0000")
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_LONG = re.compile(r"[\[{](?:[^\[\]{},]*,){" + str(JSON_ITEMS_MAX) + "}")


def holds_nul(raw: bytes | msgspec.Raw) -> bool:
    """Whether a string in it holds U+0000, which no text column takes. The escape itself is looked
    for first: almost never is it there."""
    view = memoryview(raw)  # a Raw is not copied
    return _ESCAPE.search(view) is not None and _NUL.search(view) is not None


def require_no_nul(kind: type[msgspec.Struct], raw: bytes | msgspec.Raw, path: str) -> None:
    """Of an object that holds one: names the field. The items of a list that are read one by one
    are looked at when they are: each fails alone."""
    parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    found = [field for field in describe(kind) if holds_nul(parts.get(field.encode_name, b""))]
    for field in found:
        if not _is_list_of_raws(field.type):
            place = join(path, field.encode_name)
            text = f"`{place}` holds the character U+0000; leave it out"
            raise refusal(field, place, text)
    if not found:  # in a field that stands in it twice: the first is not among the parts
        raise of_body(path, "a string holds the character U+0000; leave it out")


def _is_list_of_raws(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.ListType) and isinstance(kind.item_type, inspect.RawType)


def in_body(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError:
    """The fault of a body that did not decode to `kind`."""
    if not raw.strip(b" \t\r\n"):
        return of_body(path, "it is empty; send a JSON object")
    try:
        raw.decode()
        if is_too_deep(raw, extra=1):
            return too_deep(path)
        value = _read_parts(raw)
    except _Beyond as fault:
        named = _beyond_numbers(kind, raw, path)
        return named or of_body(join(path, fault.name), "it holds a number that is out of range")
    except RecursionError:
        return too_deep(path)
    except UnicodeDecodeError as fault:
        return of_body(path, f"it is not valid UTF-8 (byte {fault.start}); send JSON in UTF-8")
    except msgspec.MsgspecError as fault:
        named = _beyond_numbers(kind, raw, path)
        return named or of_body(path, f"it is not valid JSON: {_in_words(fault, raw)}")
    if not isinstance(value, dict):
        return of_body(path, f"it must be a JSON object, got {name_of(value)}")
    return in_fields(kind, value, path)


def _beyond_numbers(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError | None:
    """NaN or 1e400 in a field that has its own code for whatever is wrong with it."""
    if len(raw) > READ_BYTES_MAX:
        return None
    try:
        given = json.loads(raw.decode(), parse_int=float)  # reads what JSON does not have
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
    """An object as its parts unread, so that a large one is not held a second time."""
    try:
        parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        return msgspec.json.decode(raw)
    for name, part in parts.items():
        if len(bytes(part)) <= READ_BYTES_MAX:
            try:
                msgspec.json.decode(part)
            except msgspec.ValidationError:  # all else that is wrong was seen on the way here
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


def is_too_deep(raw: bytes, extra: int = 0) -> bool:
    """Whether brackets nest beyond the limit. Few brackets cannot, and are not looked at."""
    limit = JSON_DEPTH_MAX + extra
    if raw.count(b"[") + raw.count(b"{") <= limit:
        return False
    depth = 0
    for found in _OPENING_OR_CLOSING.finditer(raw):
        mark = raw[found.start()]
        if mark in b"[{":
            depth += 1
            if depth > limit:
                return True
        elif mark in b"]}":
            depth -= 1
    return False


def has_long_list(raw: bytes) -> bool:
    """Whether any list or object in it has more than JSON_ITEMS_MAX members, seen without reading
    it: strings are taken out, then the innermost brackets, until a long one is innermost."""
    # As text: to join millions of pieces of bytes takes 80 bytes for each.
    bare = _STRING.sub("", raw.decode("latin-1"))
    for _ in range(JSON_DEPTH_MAX + 2):
        if _LONG.search(bare):
            return True
        shorter = _INNERMOST.sub("", bare)
        if len(shorter) == len(bare):
            break
        bare = shorter
    return False


def too_long(kind: type[msgspec.Struct]) -> ApiError:
    code: Code = getattr(kind, "TOO_LONG", Code.VALIDATION_ERROR)
    return ApiError(code, f"body: a list in it has more than {JSON_ITEMS_MAX} items", field="body")
