"""The resumable upload: how an example file of a template's header gets its handle."""

import base64
import hashlib
from typing import Any

from .connection import Call
from .errors import invalid, required
from .fields import read_fields, text_of
from .model import Upload
from .world import World

TYPES = ("application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4")


def begin(world: World, call: Call) -> dict[str, Any]:
    fields = read_fields(call)
    length, mimetype = text_of(fields, "file_length"), text_of(fields, "file_type")
    if not length.isdecimal():
        raise required("file_length")
    if mimetype not in TYPES:
        raise invalid(f"Param file_type must be one of {{{', '.join(TYPES)}}}")
    name = text_of(fields, "file_name")
    upload = Upload(f"upload:{world.new_id()}", name, mimetype, int(length))
    world.add(upload)
    return {"id": upload.id}


def put(upload: Upload, call: Call) -> dict[str, Any]:
    """The bytes from `file_offset` on; the whole of them gives the handle."""
    offset = call.header(b"file_offset")
    if offset != str(len(upload.data)):
        raise invalid(f"The header file_offset must be {len(upload.data)}")
    upload.data += call.body
    if len(upload.data) != upload.length:
        return show(upload)
    kind = base64.b64encode(upload.mimetype.encode()).decode()
    return {"h": f"4::{kind}:{hashlib.sha256(upload.data).hexdigest()}"}


def show(upload: Upload) -> dict[str, Any]:
    return {"id": upload.id, "file_offset": len(upload.data)}
