"""The fields of a request: from JSON, a form, or a multipart body with files. Pure."""

from dataclasses import dataclass
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from tidings_simulator.connection import Request
from tidings_simulator.graph.errors import GraphError, invalid


@dataclass(frozen=True, slots=True)
class UploadedFile:
    name: str
    mimetype: str
    data: bytes


Fields = dict[str, Any]  # in a form: str or UploadedFile


def read_fields(request: Request) -> Fields:
    """The fields of the body and of the query; the body has precedence."""
    content_type = request.header(b"content-type")
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        given = _read_parts(request.body, content_type)
    elif kind == "application/x-www-form-urlencoded":
        given = dict(parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True))
    else:
        given = read_json(request.body) if request.body else {}
    return {**request.query, **given}


def read_json(body: bytes) -> Fields:
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        raise invalid("The request body is not valid JSON.") from None
    if not isinstance(value, dict):
        raise invalid("The request body must be a JSON object.")
    return value


def decoded(fields: Fields, name: str) -> Any:
    """A JSON field; in a form, its text is decoded as JSON."""
    value = fields.get(name)
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value


def text_of(fields: Fields, name: str) -> str:
    """A field as text; "" if it is missing."""
    value = fields.get(name, "")
    if isinstance(value, UploadedFile):
        return value.data.decode("utf-8", "replace")
    return value if isinstance(value, str) else str(value)


def _read_parts(body: bytes, content_type: str) -> Fields:
    boundary = _parameters("Content-Type", content_type).get("boundary", "")
    if not boundary:
        raise GraphError(1, message="(#1) The multipart body has no boundary.", status=400)
    found: Fields = {}
    # The first boundary has no line break before it; adding one makes them all equal.
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1"))[1:]:
        if part.startswith(b"--"):
            break
        head, _, data = part.partition(b"\r\n\r\n")
        name, value = _read_part(head, data)
        found[name] = value
    return found


def _read_part(head: bytes, data: bytes) -> tuple[str, str | UploadedFile]:
    headers = {}
    for line in head.decode("utf-8", "replace").split("\r\n"):
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    said = _parameters("Content-Disposition", headers.get("content-disposition", ""))
    name = said.get("name", "")
    if "filename" in said:
        mimetype = headers.get("content-type", "application/octet-stream")
        return name, UploadedFile(said["filename"], mimetype.partition(";")[0].strip(), data)
    return name, data.decode("utf-8", "replace")


def _parameters(header: str, value: str) -> dict[str, str]:
    """`form-data; name="file"` as {"name": "file"}."""
    message = Message()
    message[header] = value
    found = message.get_params(header=header, failobj=[])
    return {name.lower(): collapse_rfc2231_value(text) for name, text in found[1:]}
