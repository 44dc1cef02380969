"""What is wrong with a body or its fields, in words a caller can act on. Pure.

The slow path of `fields`: only what msgspec refused comes here. The first offending field is the
first in the struct's order, whatever the order in the document; unknown fields come before all,
since a misspelt name explains a missing one.
"""

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect
from rapidfuzz import fuzz, process

from tidings.engine.http.rules import name_of, rule_of
from tidings.errors import ApiError, Code
from tidings.limits import JSON_DEPTH_MAX, JSON_ITEMS_MAX

_OPENING_OR_CLOSING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[{]|[\]}]', re.DOTALL)
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_INNERMOST = re.compile(r"\[[^\[\]{}]*\]|\{[^\[\]{}]*\}")
_LONG = re.compile(r"[\[{](?:[^\[\]{},]*,){" + str(JSON_ITEMS_MAX) + "}")
_PLACE = re.compile(r" - at `(?:key in )?\$?([^`]*)`$")
_SHOWN_CHARS_MAX = 40
_NEAR_ENOUGH = 60
_READ_BYTES_MAX = 1 << 20


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    encode_name: str
    type: inspect.Type
    decoder: msgspec.json.Decoder[Any]
    required: bool
    code: Code
    is_secret: bool
    rule: str


@lru_cache(maxsize=1024)
def describe(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The struct's fields, in its order, with what their annotations add."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    assert info.forbid_unknown_fields, f"{kind.__name__} must forbid unknown fields"
    annotations = {field.name: field.type for field in msgspec.structs.fields(kind)}
    return tuple(_describe(field, annotations[field.name]) for field in info.fields)


def _describe(field: inspect.Field, annotation: Any) -> Field:
    bare, extra = _unwrap(field.type)
    return Field(
        name=field.name,
        encode_name=field.encode_name,
        type=bare,
        decoder=msgspec.json.Decoder(annotation),
        required=field.required,
        code=extra.get("code", Code.VALIDATION_ERROR),
        is_secret=bool(extra.get("secret")),
        rule=extra.get("rule") or rule_of(bare),
    )


def _unwrap(kind: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    if isinstance(kind, inspect.Metadata):
        return kind.type, kind.extra or {}
    if isinstance(kind, inspect.UnionType):
        extras = [_unwrap(part)[1] for part in kind.types]
        return kind, {name: value for extra in extras for name, value in extra.items()}
    return kind, {}


# Bodies


def in_body(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError:
    """The fault of a body that did not decode to `kind`."""
    if not raw.strip(b" \t\r\n"):
        return of_body(path, "it is empty; send a JSON object")
    try:
        raw.decode()
        if is_too_deep(raw, extra=1):
            return too_deep(path)
        value = _read_parts(raw)
    except RecursionError:
        return too_deep(path)
    except UnicodeDecodeError as fault:
        return of_body(path, f"it is not valid UTF-8 (byte {fault.start}); send JSON in UTF-8")
    except msgspec.MsgspecError as fault:
        return _beyond_numbers(kind, raw, path) or of_body(path, f"it is not valid JSON: {fault}")
    if not isinstance(value, dict):
        return of_body(path, f"it must be a JSON object, got {name_of(value)}")
    return in_fields(kind, value, path)


def _beyond_numbers(kind: type[msgspec.Struct], raw: bytes, path: str) -> ApiError | None:
    """NaN or 1e400 in a field that has its own code for whatever is wrong with it."""
    if len(raw) > _READ_BYTES_MAX:
        return None
    try:
        given = json.loads(raw.decode(), parse_int=float)  # reads what JSON does not have
    except (ValueError, RecursionError):
        return None
    for field in describe(kind) if isinstance(given, dict) else ():
        value = given.get(field.encode_name)
        own = field.code is not Code.VALIDATION_ERROR
        if own and isinstance(value, float) and not math.isfinite(value):
            place = _join(path, field.encode_name)
            return _refusal(field, place, f"`{place}` is no number; give {field.rule}")
    return None


def _read_parts(raw: bytes) -> Any:
    """An object as its parts unread, so that a large one is not held a second time."""
    try:
        parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        return msgspec.json.decode(raw)
    for part in parts.values():
        if len(bytes(part)) <= _READ_BYTES_MAX:
            msgspec.json.decode(part)  # numbers beyond all bounds are no JSON of ours
    return parts


def of_body(path: str, fault: str) -> ApiError:
    place = path or "body"
    return ApiError(Code.VALIDATION_ERROR, f"{place}: {fault}", field=place)


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


# Fields


def in_fields(kind: type[msgspec.Struct], given: dict[str, Any], path: str) -> ApiError:
    """The first offending field of an object that does not fit `kind`."""
    fields = describe(kind)
    names = [field.encode_name for field in fields]
    for name in given:
        if name not in names:
            return _misplaced(kind, name, path) or unknown_field(name, names, path)
    for field in fields:
        fault = _find_fault(field, given, path)
        if fault is not None:
            return fault
    # As read here, the last of equal names wins; the one before it is what was refused.
    return of_body(path, "a field stands in it twice, once with an invalid value; give it once")


def _misplaced(kind: type[msgspec.Struct], name: str, path: str) -> ApiError | None:
    """A field that is known, but not here: a struct may say so in `MISPLACED`."""
    code: Code | None = getattr(kind, "MISPLACED", {}).get(name)
    if code is None:
        return None
    place = _join(path, name)
    return ApiError(code, f"`{place}`: {code.condition}; move it", field=place)


def _nearest(name: str, names: list[str]) -> str:
    """The known name that was meant; where that is a guess, all of them."""
    near, score, _ = process.extractOne(name, names, scorer=fuzz.ratio, processor=str.lower)
    if score >= _NEAR_ENOUGH:
        return f"did you mean `{near}`?"
    return f"the nearest is `{near}`; known are {', '.join(names)}"


def unknown_field(name: str, names: list[str], path: str) -> ApiError:
    hint = _nearest(name, names) if names else "none are known"
    shown = name if len(name) <= 64 else name[:64] + "…"
    text = f"`{_join(path, shown)}` is not a known field; {hint}"
    return ApiError(Code.VALIDATION_ERROR, text, field=_join(path, shown))


def _find_fault(field: Field, given: dict[str, Any], path: str) -> ApiError | None:
    place = _join(path, field.encode_name)
    if field.encode_name not in given:
        if not field.required:
            return None
        return _refusal(field, place, f"`{place}` is missing; give {field.rule}")
    value = given[field.encode_name]
    fault = _misfit(field.decoder, value)
    if fault is None:
        return None
    value = _read(value)
    return _find_inner(field, value, place) or _refuse_value(field, value, place, fault)


def _misfit(decoder: msgspec.json.Decoder[Any], value: Any) -> str | None:
    """msgspec's complaint about one value, or None."""
    try:
        decoder.decode(msgspec.json.encode(value))
    except msgspec.MsgspecError as fault:
        return str(fault)
    return None


def _read(value: Any) -> Any:
    """A part of a body, read now that it is to be named; a very large one stays unread."""
    if isinstance(value, msgspec.Raw) and len(bytes(value)) <= _READ_BYTES_MAX:
        return msgspec.json.decode(value)
    return value


def _find_inner(field: Field, value: Any, place: str) -> ApiError | None:
    """Where the value is an object of ours, or a list of them: the field inside it."""
    if field.code is not Code.VALIDATION_ERROR:
        return None
    parts = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
    for part in parts:
        if isinstance(part, inspect.StructType) and isinstance(value, dict):
            return in_fields(part.cls, value, place)
        if isinstance(part, inspect.ListType) and isinstance(value, list):
            return _find_in_list(part.item_type, value, place)
    return None


def _find_in_list(item_type: inspect.Type, values: list[Any], place: str) -> ApiError | None:
    kind, _ = _unwrap(item_type)
    if not isinstance(kind, inspect.StructType):
        return None
    decoder = msgspec.json.Decoder(kind.cls)
    for index, item in enumerate(values):
        if _misfit(decoder, item) is not None:
            inner = f"{place}[{index}]"
            if isinstance(item, dict):
                return in_fields(kind.cls, item, inner)
            return of_body(inner, f"it must be a JSON object, got {name_of(item)}")
    return None


def _refuse_value(field: Field, value: Any, place: str, fault: str) -> ApiError:
    inside = _PLACE.search(fault)
    if inside and inside[1]:
        place += inside[1]
        text = f"`{place}`: {fault[: inside.start()]}; `{field.encode_name}` must be {field.rule}"
    elif value is None:
        text = f"`{place}` is null; leave it out or give {field.rule}"
    else:
        text = f"`{place}` must be {field.rule}, got {_shown(field, value)}"
    return _refusal(field, place, text)


def _refusal(field: Field, place: str, text: str) -> ApiError:
    return ApiError(field.code, text, field=place)


def _shown(field: Field, value: Any) -> str:
    if field.is_secret or isinstance(value, dict | list):
        size = f" of {len(value)}" if isinstance(value, list) else ""
        return name_of(value) + size
    if isinstance(value, msgspec.Raw):
        return f"a value of {len(bytes(value))} bytes"
    if not isinstance(value, str):
        return f"{name_of(value)} {msgspec.json.encode(value).decode()[:_SHOWN_CHARS_MAX]}"
    if len(value) <= _SHOWN_CHARS_MAX:
        return msgspec.json.encode(value).decode()
    return f"a string of {len(value)} characters"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
