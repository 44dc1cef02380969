"""Decodes a large JSON body in pieces, so that no decoder call takes long (8). Pure.

The large members are cut out first, located by the outline: a list whose items are decoded one by
one, or an unlimited string such as base64. The rest is decoded like a small body, and the large
values are then inserted. A large value anywhere else is refused by its size without decoding it.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from tidings import limits
from tidings.engine.http import body_faults, faults
from tidings.engine.http.outline import Malformed, Member, Steps, TooDeep, TooLong, outline

T = TypeVar("T", bound=msgspec.Struct)

_PIECE = limits.JSON_PIECE_BYTES
_NAME_BYTES_MAX = 400
_BYTE = re.compile(r"\(byte ([0-9]+)\)")
# The content of a string: characters, escapes, and surrogate pairs of escapes.
_WHOLE = re.compile(
    rb"(?:[^\\]++|\\[^u]|\\u(?![dD][89abAB])....|\\u[dD][89abAB]..\\u....)*+", re.DOTALL
)


def decode_large(
    kind: type[T],
    raw: bytes | msgspec.Raw,
    path: str,
    decode_small: Callable[[type[T], bytes, str], T],
) -> Steps[T]:
    """The struct, or the ApiError that names what is wrong with the body."""
    text = memoryview(raw)
    try:
        members = yield from outline(text)
        found = _read_names(text, members)
    except TooLong as fault:
        raise body_faults.too_long(kind, path, str(fault)) from None
    except TooDeep:
        raise body_faults.too_deep(path) from None
    except Malformed as fault:
        raise faults.of_body(path, f"it is not valid JSON: {fault}") from None
    known = {field.encode_name: field for field in faults.describe(kind)}
    parts, held = _split(text, found, known)
    if not known.keys() >= parts.keys() or faults.Unread in map(type, parts.values()):
        raise faults.in_fields(kind, parts, path)
    yield
    struct = decode_small(kind, msgspec.json.encode(parts), path)
    for name, member in held.items():
        if member.items is None:
            value: Any = yield from _read_text(text, member, known[name], path)
        else:
            value = yield from _read_items(text, member.items, path)
        setattr(struct, known[name].name, value)
    return struct


def find_members(raw: msgspec.Raw) -> Steps[dict[str, msgspec.Raw]]:
    """The undecoded members of an object; a large member is replaced by null."""
    text = memoryview(raw)
    try:
        members = yield from outline(text)
        found = _read_names(text, members)
    except (TooLong, TooDeep, Malformed):
        return {}
    return {
        name: msgspec.Raw(text[slice(*one.value)] if one.size <= _PIECE else b"null")
        for name, one in found.items()
    }


def _read_names(text: memoryview, members: list[Member]) -> dict[str, Member]:
    """Members by name; of duplicates the last wins, as in the decoder."""
    found = {}
    for member in members:
        raw = bytes(text[slice(*member.name)])
        try:
            name = msgspec.json.decode(raw, type=str) if len(raw) <= _NAME_BYTES_MAX else _cut(raw)
        except msgspec.MsgspecError as fault:
            raise Malformed(_placed(fault, member.name[0])) from None
        found[name] = member
    return found


def _cut(name: bytes) -> str:
    return name[1:_NAME_BYTES_MAX].decode(errors="ignore")


def _split(
    text: memoryview, members: dict[str, Member], known: dict[str, faults.Field]
) -> tuple[dict[str, Any], dict[str, Member]]:
    """The members to decode now, and the large ones, each replaced by a short value of its type.
    A value that is too large for its field is marked as Unread."""
    parts: dict[str, Any] = {}
    held: dict[str, Member] = {}
    room = _PIECE
    for name, member in members.items():
        field = known.get(name)
        if (
            field is not None
            and member.items is not None
            and body_faults.is_list_of_raws(field.type)
        ):
            held[name] = member
            parts[name] = [0] * min(len(member.items), 1)
        elif field is not None and member.is_text and _takes_any_text(field.type):
            held[name] = member
            parts[name] = ""
        elif member.size <= room:
            parts[name] = msgspec.Raw(text[slice(*member.value)])
            room -= member.size
        else:
            parts[name] = faults.Unread(member.size)
    return parts, held


def _takes_any_text(kind: inspect.Type) -> bool:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return any(isinstance(one, inspect.StrType) and one.max_length is None for one in kinds)


def _read_items(text: memoryview, spans: list[tuple[int, int]], path: str) -> Steps[Any]:
    """Undecoded items, each checked to be JSON; a large item is checked when it is decoded."""
    items = []
    for start, end in spans:
        piece = text[start:end]
        if end - start <= _PIECE:
            try:
                msgspec.json.decode(piece, type=msgspec.Raw)
            except (msgspec.MsgspecError, RecursionError) as fault:
                words = _placed(fault, start)
                raise faults.of_body(path, f"it is not valid JSON: {words}") from None
        items.append(msgspec.Raw(piece))
        yield
    return items


def _read_text(text: memoryview, member: Member, field: faults.Field, path: str) -> Steps[str]:
    place = faults.join(path, field.encode_name)
    start, last = member.value[0] + 1, member.value[1] - 1
    pieces = []
    while start < last:
        end = _end_of_piece(text, start, last)
        try:
            piece = msgspec.json.decode(b'"%b"' % bytes(text[start:end]), type=str)
        except msgspec.MsgspecError as fault:
            words = _placed(fault, start - 1)
            raise faults.of_body(path, f"it is not valid JSON: {words}") from None
        if "\0" in piece:
            words = f"`{place}` holds the character U+0000; leave it out"
            raise faults.refusal(field, place, words)
        pieces.append(piece)
        start = end
        yield
    return "".join(pieces)


def _end_of_piece(text: memoryview, start: int, last: int) -> int:
    """Where to split a string: not inside a character, an escape or a surrogate pair."""
    if last - start <= _PIECE:
        return last
    found = _WHOLE.match(text, start, start + _PIECE)
    end = found.end() if found else start
    while end > start and text[end] & 0xC0 == 0x80:
        end -= 1
    return end if end > start else last  # an invalid escape: the decoder reports it


def _placed(fault: Exception, offset: int) -> str:
    """The decoder's message, with the offset counted from the start of the body."""
    return _BYTE.sub(lambda at: f"(byte {int(at[1]) + offset})", str(fault))
