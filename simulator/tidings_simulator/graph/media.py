"""Media endpoints: upload, show, download, delete (platform.md, section 2)."""

import base64
import hashlib
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode

from tidings.platforms.sandbox.guest_messages import SampleFile
from tidings_simulator.connection import Request, Response
from tidings_simulator.graph.errors import GraphError, invalid, param_must, required
from tidings_simulator.graph.request_fields import UploadedFile, read_fields, text_of
from tidings_simulator.model import MediaFile, Number, UploadSession, Waba
from tidings_simulator.world import World

UPLOADED_LIFE = timedelta(days=30)
RECEIVED_LIFE = timedelta(days=7)
URL_LIFE = timedelta(minutes=5)
DOWNLOADS = "/whatsapp_business/attachments/"
MIB = 1024 * 1024
_DOCUMENTS = (
    "application/pdf", "text/plain", "application/msword", "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
)  # fmt: skip
EXAMPLE_TYPES = ("application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4")
LIMITS = {
    "image/jpeg": 5 * MIB,
    "image/png": 5 * MIB,
    "image/webp": 500 * 1024,
    **dict.fromkeys(("audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"), 16 * MIB),
    **dict.fromkeys(("video/mp4", "video/3gpp"), 16 * MIB),
    **dict.fromkeys(_DOCUMENTS, 100 * MIB),
}


def upload(world: World, number: Number, request: Request) -> dict[str, str]:
    fields = read_fields(request)
    if text_of(fields, "messaging_product") != "whatsapp":
        raise required("messaging_product")
    file = fields.get("file")
    if not isinstance(file, UploadedFile):
        raise required("file")
    mimetype = file.mimetype
    if mimetype not in LIMITS:
        allowed = ", ".join(LIMITS)
        raise param_must("file", f"be a file with one of the following types: {allowed}. "
                         f"Received file of type '{mimetype}'.")  # fmt: skip
    said = text_of(fields, "type").partition(";")[0].strip()
    if said and said not in (mimetype, mimetype.partition("/")[0]):
        raise invalid(f"Param type is {said}, but the file is {mimetype}.")
    if not file.data:
        raise invalid("The file is empty.")
    if len(file.data) > LIMITS[mimetype]:
        raise GraphError(131053, f"{mimetype} must not exceed {LIMITS[mimetype]} bytes.")
    media = _store(world, number.waba, world.new_id(), mimetype, file.data, UPLOADED_LIFE)
    return {"id": media.id}


def receive(world: World, waba: Waba, id_: str, file: SampleFile) -> None:
    """Stores a guest's file for download."""
    if id_ not in world.nodes:
        _store(world, waba, id_, file.mimetype, file.data, RECEIVED_LIFE)


def _store(
    world: World, waba: Waba, id_: str, mimetype: str, data: bytes, life: timedelta
) -> MediaFile:
    digest = hashlib.sha256(data).hexdigest()
    media = MediaFile(id_, waba, mimetype, data, digest, world.clock.now() + life)
    world.add(media)
    return media


def show(world: World, media: MediaFile, request: Request, address: str) -> dict[str, object]:
    require_own(world, media, request)
    until = int((world.clock.now() + URL_LIFE).timestamp())
    query = urlencode({"mid": media.id, "ext": until, "hash": _hash(media.id, until)})
    return {
        "messaging_product": "whatsapp",
        "url": f"{address}{DOWNLOADS}?{query}",
        "mime_type": media.mimetype,
        "sha256": media.sha256,
        "file_size": len(media.data),
        "id": media.id,
    }


def require_own(world: World, media: MediaFile, request: Request) -> None:
    """A given `phone_number_id` must belong to the same account."""
    if is_expired(media, world.clock.now()):
        raise invalid(f"Media {media.id} has expired.")
    asked = request.query.get("phone_number_id")
    number = world.nodes.get(asked or "")
    if asked is not None and (not isinstance(number, Number) or number.waba is not media.waba):
        raise invalid("Param phone_number_id is not the number that the media belongs to.")


def is_expired(media: MediaFile, now: datetime) -> bool:
    return media.expires_at <= now


def download(world: World, request: Request) -> Response:
    """404 for an expired URL, like the platform's file server."""
    asked = parse_qs(request.raw_query)
    id_, until, hash_ = ((asked.get(name) or [""])[0] for name in ("mid", "ext", "hash"))
    media = world.nodes.get(id_)
    now = world.clock.now()
    if (
        not isinstance(media, MediaFile)
        or is_expired(media, now)
        or not until.isdecimal()
        or hash_ != _hash(id_, int(until))
        or int(until) <= now.timestamp()
    ):
        return Response(404, b"URL signature expired", "text/plain")
    return Response(200, media.data, media.mimetype)


def _hash(id_: str, until: int) -> str:
    return hashlib.blake2b(f"{id_}/{until}".encode(), digest_size=12).hexdigest()


# Resumable uploads: the example file of a template's header


def begin_upload(world: World, request: Request) -> dict[str, Any]:
    fields = read_fields(request)
    length, mimetype = text_of(fields, "file_length"), text_of(fields, "file_type")
    if not length.isdecimal():
        raise required("file_length")
    if mimetype not in EXAMPLE_TYPES:
        raise invalid(f"Param file_type must be one of {{{', '.join(EXAMPLE_TYPES)}}}")
    name = text_of(fields, "file_name")
    upload = UploadSession(f"upload:{world.new_id()}", name, mimetype, int(length))
    world.add(upload)
    return {"id": upload.id}


def continue_upload(upload: UploadSession, request: Request) -> dict[str, Any]:
    """Appends the bytes at `file_offset`; the last part returns the handle."""
    offset = request.header(b"file_offset")
    if offset != str(len(upload.data)):
        raise invalid(f"The header file_offset must be {len(upload.data)}")
    upload.data += request.body
    if len(upload.data) != upload.length:
        return show_upload(upload)
    kind = base64.b64encode(upload.mimetype.encode()).decode()
    return {"h": f"4::{kind}:{hashlib.sha256(upload.data).hexdigest()}"}


def show_upload(upload: UploadSession) -> dict[str, Any]:
    return {"id": upload.id, "file_offset": len(upload.data)}
