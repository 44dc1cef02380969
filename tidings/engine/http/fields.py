"""Strict decoding from bytes to a struct: bodies, items of a batch, query strings. Pure.

The fast path is msgspec's decoder. What it refuses is read again by `faults`, which names the first
invalid field in the struct's order. A field may carry `Meta(extra=...)`:
`code` (a Code): the code of all its errors; `secret` (True): its value is never shown;
`rule` (str): replaces the rule that is derived from its type.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import inspect

from tidings import limits
from tidings.engine.http import body_faults, faults, large
from tidings.engine.http.outline import Steps
from tidings.errors import ApiError, Code, ErrorCode

T = TypeVar("T", bound=msgspec.Struct)

_INTEGER = re.compile(r"[0-9]{1,18}")
_PIECE_END = limits.JSON_PIECE_BYTES + 4  # a character has at most four bytes
_MANY = 50_000  # commas: with more, lists are checked before they are decoded
_UNEXPLAINED = (
    "it is not valid; too many before it are not valid either for each to be explained: "
    "correct those, and send it again"
)

_Faults = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def decode(kind: type[T], raw: bytes) -> T:
    """A struct from a JSON body, or the ApiError that names what is wrong."""
    if not is_large(raw):
        return decode_small(kind, raw)
    steps = decode_steps(kind, raw)
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            struct: T = ended.value
            return struct


def is_large(raw: bytes) -> bool:
    """Whether to decode it in pieces: it is long, or may contain a very long list."""
    return len(raw) > limits.JSON_PIECE_BYTES or (len(raw) > _MANY and raw.count(b",") > _MANY)


def decode_small(kind: type[T], raw: bytes) -> T:
    """Decode in one call."""
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError as fault:
            raise body_faults.not_utf8("", fault.start) from None
    return decode_item(kind, raw, "")


def decode_steps(kind: type[T], raw: bytes) -> Steps[T]:
    """Decode in short steps, so that other tasks can run in between."""
    if not raw.isascii():
        yield from _require_utf8(raw)
    return (yield from large.decode_large(kind, raw, "", decode_item))


def is_large_item(raw: msgspec.Raw) -> bool:
    return len(memoryview(raw)) > limits.JSON_PIECE_BYTES


def decode_item_steps(kind: type[T], raw: msgspec.Raw, path: str) -> Steps[T]:
    """`decode_item` for a large item, in short steps."""
    return (yield from large.decode_large(kind, raw, path, decode_item))


def find_members(raw: msgspec.Raw) -> Steps[dict[str, msgspec.Raw]]:
    """The undecoded members of a large item that was refused; large members are null."""
    return (yield from large.find_members(raw))


def decode_item(kind: type[T], raw: bytes | msgspec.Raw, path: str, *, explained: bool = True) -> T:
    """`decode` for one value inside a body, such as `messages[3]`. `decode` has already checked the
    body's encoding, but not whether an item of a list contains U+0000.
    `explained=False` skips naming the invalid field, which takes much longer than decoding."""
    plan = _plan(kind)
    if body_faults.is_harmless(raw):  # almost every value; what is refused here is explained below
        with suppress(*_Faults):
            decoded: T = _decode_harmless(plan, raw)
            return decoded
    if plan.may_be_crowded and body_faults.is_crowded(raw):
        if not explained:
            raise faults.of_body(path, _UNEXPLAINED)
        raise body_faults.crowded(kind, bytes(raw), path)
    try:
        struct: T = plan.decoder.decode(raw)
        for name in plan.raws:
            _require_readable(getattr(struct, name), path)
        for name in plan.anything:
            _require_shallow(getattr(struct, name), path)
    except _Faults:
        if not explained:
            raise faults.of_body(path, _UNEXPLAINED) from None
        raise body_faults.in_body(kind, bytes(raw), path) from None
    if plan.holds_open and body_faults.is_too_deep(bytes(raw)):
        raise body_faults.too_deep(path)
    if body_faults.holds_nul(raw):
        body_faults.require_no_nul(kind, raw, path)
    return struct


def _decode_harmless(plan: "_Plan", raw: bytes | msgspec.Raw) -> Any:
    struct = plan.decoder.decode(raw)
    for name in plan.raws:
        value = getattr(struct, name)
        if value is not msgspec.UNSET:
            msgspec.json.decode(value)  # msgspec does not check the numbers of a Raw field
    return struct


def query(kind: type[T], raw: bytes) -> T:
    """A struct from a query string: known names, each once, numbers as digits only. The struct's
    `MALFORMED`, if any, is the error for everything else."""
    try:
        return _query(kind, raw)
    except ApiError as fault:
        code: ErrorCode | None = getattr(kind, "MALFORMED", None)
        if code is None:
            raise
        raise ApiError(code, fault.message, field=fault.field) from None


def _query(kind: type[T], raw: bytes) -> T:
    given = _read_query(kind, raw) if raw else {}
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError:
        raise faults.in_fields(kind, given, "") from None


def _require_shallow(value: Any, path: str) -> None:
    """For a field of any type. Most values are strings, which have no depth."""
    if isinstance(value, dict | list) and body_faults.is_too_deep(msgspec.json.encode(value)):
        raise body_faults.too_deep(path)


def _require_utf8(raw: bytes) -> Steps[None]:
    """In pieces, so that a large body is not copied; needed because msgspec skips Raw fields."""
    start = 0
    while start < len(raw):
        end = start + limits.JSON_PIECE_BYTES
        while end < len(raw) and raw[end] & 0xC0 == 0x80 and end < start + _PIECE_END:
            end += 1  # do not split a character
        try:
            raw[start:end].decode()
        except UnicodeDecodeError as fault:
            raise body_faults.not_utf8("", start + fault.start) from None
        start = end
        yield


def _require_readable(value: Any, path: str) -> None:
    """msgspec does not check the numbers and the depth of a Raw field, so this does."""
    if value is not msgspec.UNSET:
        if body_faults.is_too_deep(bytes(value)):
            raise body_faults.too_deep(path)
        msgspec.json.decode(value)


@dataclass(frozen=True, slots=True)
class _Plan:
    decoder: msgspec.json.Decoder[Any]
    raws: tuple[str, ...]  # fields of type Raw
    anything: tuple[str, ...]  # fields of any type
    may_be_crowded: bool  # False where a field is a list of items that are decoded one by one
    holds_open: bool  # whether a value of arbitrary depth may be nested inside


@lru_cache(maxsize=1024)
def _plan(kind: type[msgspec.Struct]) -> _Plan:
    described = faults.describe(kind)
    raws = tuple(field.name for field in described if isinstance(field.type, inspect.RawType))
    anything = tuple(field.name for field in described if _is_anything(field.type))
    return _Plan(
        decoder=msgspec.json.Decoder(kind),
        raws=raws,
        anything=anything,
        may_be_crowded=not any(body_faults.is_list_of_raws(field.type) for field in described),
        holds_open=any(_is_open(field.type) for field in described if field.name not in anything),
    )


def _is_anything(kind: inspect.Type) -> bool:
    parts = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return any(isinstance(part, inspect.AnyType | inspect.DictType) for part in parts)


def _is_open(kind: inspect.Type) -> bool:
    """Whether values of this type may nest arbitrarily deep. The struct's own Raw fields and lists
    of Raw do not count: they are checked separately."""
    if isinstance(kind, inspect.AnyType | inspect.DictType):
        return True
    if isinstance(kind, inspect.Metadata):
        return _is_open(kind.type)
    if isinstance(kind, inspect.UnionType):
        return any(_is_open(part) for part in kind.types)
    if isinstance(kind, inspect.StructType):
        return any(_is_raw(field.type) or _is_open(field.type) for field in kind.fields)
    if isinstance(kind, inspect.ListType):
        return _is_open(kind.item_type)
    return False


def _is_raw(kind: inspect.Type) -> bool:
    return isinstance(kind.type if isinstance(kind, inspect.Metadata) else kind, inspect.RawType)


def _read_query(kind: type[msgspec.Struct], raw: bytes) -> dict[str, object]:
    known = {field.encode_name: field for field in faults.describe(kind)}
    given: dict[str, object] = {}
    for pair in raw.split(b"&"):
        if not pair:
            continue
        raw_name, _, raw_value = pair.partition(b"=")
        name = _read_text(raw_name, "query")
        value = _read_text(raw_value, name)
        field = known.get(name)
        if field is None:
            raise faults.unknown_field(name, list(known), "")
        if name in given:
            raise ApiError(
                Code.VALIDATION_ERROR, f"`{name}` is given twice; give it once", field=name
            )
        given[name] = _typed(field, value)
    return given


def _read_text(part: bytes, field: str) -> str:
    """`field` is named where the text cannot be read."""
    try:
        text = unquote_to_bytes(part.replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ApiError(
            Code.VALIDATION_ERROR, "the query string is not valid UTF-8 text", field=field
        )
    return text


def _typed(field: faults.Field, value: str) -> object:
    """Text that does not parse as the field's type stays text, so validation refuses it."""
    if isinstance(field.type, inspect.IntType) and _INTEGER.fullmatch(value):
        return int(value)
    if isinstance(field.type, inspect.BoolType) and value in ("true", "false"):
        return value == "true"
    return value
