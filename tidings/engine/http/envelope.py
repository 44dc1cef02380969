"""The envelope of every response (2.1) as bytes, and the headers all responses share. Pure.

msgspec formats timestamps differently from the contract, so values are converted to JSON types
first. A type that has no JSON form in the contract (Decimal, bytes) raises: it is a bug.
"""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from enum import Enum
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from uuid import UUID

import msgspec
from msgspec import inspect
from uuid_utils import uuid7

from tidings.errors import ApiError, ErrorCode
from tidings.times import to_wire

# Header lines, each with its line end; they are joined to the head of a response.
COMMON = b"cache-control: no-store\r\nx-content-type-options: nosniff\r\n"
COMMON_JSON = b"content-type: application/json\r\n" + COMMON

_FORBIDDEN = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")  # in a header value: it could end the line

_encode = msgspec.json.Encoder().encode
_READY = frozenset({str, int, float, bool, type(None), msgspec.Raw})


def request_id() -> str:
    return f"req_{uuid7().hex}"  # not ids.new_id(): no UUID object is needed, only its text


def success(data: object, extra: dict[str, object], environment: str | None) -> bytes:
    """`{success, environment, data, **extra}`; UNSET data is left out, as health has none."""
    body: dict[str, object] = {"success": True}
    if environment is not None:
        body["environment"] = environment
    if data is not msgspec.UNSET:
        body["data"] = to_json(data)
    for name, value in extra.items():
        body[name] = to_json(value)
    return _encode(body)


def failure(refusal: ApiError, *, environment: str | None, request: str, docs_url: str) -> bytes:
    """`{success: false, environment?, error: {code, message, ..., requestId, docUrl}}`."""
    error: dict[str, object] = {name: to_json(value) for name, value in refusal.error().items()}
    error["requestId"] = request
    error["docUrl"] = f"{docs_url}/{refusal.code.name}"
    if environment is None:
        return _encode({"success": False, "error": error})
    return _encode({"success": False, "environment": environment, "error": error})


def raw_failure(refusal: ApiError, docs_url: str) -> bytes:
    """A complete HTTP response that closes the connection, for errors before the application."""
    request = request_id()
    body = failure(refusal, environment=None, request=request, docs_url=docs_url)
    status = HTTPStatus(refusal.code.status)
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() + COMMON_JSON
    if refusal.retry_after is not None:
        head += b"retry-after: %d\r\n" % refusal.retry_after
    return head + (
        b"x-request-id: %b\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%b"
        % (request.encode(), len(body), body)
    )


def header_lines(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Names and values as lines. Raises for a value with a line end (header injection)."""
    lines = b""
    for name, value in headers:
        if _FORBIDDEN.search(value):
            raise ValueError(f"the header {name!r} holds a control character")
        lines += b"%b: %b\r\n" % (name.lower(), value)
    return lines


def header_pairs(lines: bytes) -> list[tuple[bytes, bytes]]:
    """The same lines as ASGI header pairs."""
    pairs = (line.partition(b": ") for line in lines.split(b"\r\n") if line)
    return [(name, value) for name, _, value in pairs]


def to_json(value: Any) -> object:
    """The value in JSON's own types, timestamps in UTC with milliseconds and Z."""
    kind: Any = type(value)
    if kind in _READY:
        return value
    if kind is dict:
        if _READY.issuperset(map(type, value.values())):  # the usual case: no copy needed
            return value
        return {name: to_json(item) for name, item in value.items()}
    if kind is list or kind is tuple:
        return [to_json(item) for item in value]
    return _convert(kind)(value)


@lru_cache(maxsize=1024)
def _convert(kind: type) -> Callable[[Any], object]:
    """The converter of a type to JSON, chosen once per type."""
    if issubclass(kind, datetime):
        return to_wire
    if issubclass(kind, UUID):
        return str
    if issubclass(kind, ErrorCode):
        return lambda code: code.name
    if issubclass(kind, Enum):
        return lambda member: to_json(member.value)
    if issubclass(kind, msgspec.Struct):
        return _unchanged if _is_encodable(inspect.type_info(kind)) else _struct_writer(kind)
    raise TypeError(f"{kind.__name__} has no form on the wire")


def _unchanged(value: object) -> object:
    return value


_ENCODABLE = (
    inspect.BoolType, inspect.IntType, inspect.FloatType, inspect.StrType, inspect.NoneType,
    inspect.LiteralType, inspect.RawType,
)  # fmt: skip


def _is_encodable(info: inspect.Type) -> bool:
    """Whether msgspec encodes every value of this type as the contract requires: it contains no
    datetime and no unknown type. Such a struct is encoded without a copy."""
    match info:
        case inspect.Metadata():
            return _is_encodable(info.type)
        case inspect.StructType():
            return all(_is_encodable(field.type) for field in info.fields)
        case inspect.UnionType():
            return all(map(_is_encodable, info.types))
        case inspect.ListType():
            return _is_encodable(info.item_type)
        case inspect.DictType():
            return _is_encodable(info.key_type) and _is_encodable(info.value_type)
        case inspect.EnumType():
            return issubclass(info.cls, str)
    return isinstance(info, _ENCODABLE)


def _struct_writer(kind: type[msgspec.Struct]) -> Callable[[Any], object]:
    omits = kind.__struct_config__.omit_defaults
    names = [
        (field.name, field.encode_name, field.default if omits else msgspec.UNSET)
        for field in msgspec.structs.fields(kind)
    ]

    def write(struct: Any) -> object:
        triples = ((wire, getattr(struct, name), default) for name, wire, default in names)
        return {
            wire: to_json(value)
            for wire, value, default in triples
            if value is not msgspec.UNSET and value != default
        }

    return write
