"""Endpoint 10 of the specification: POST /messages/upload (4.5)."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits
from tidings.context import Context
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response

from . import rules
from .rules import FILE_ERRORS
from .upload import upload

MediaBase64 = Annotated[
    str,
    Meta(
        description="A jpeg, png or pdf of at most 5MB, in standard base64 with padding.",
        extra_json_schema={"contentEncoding": "base64"},
    ),
]


class UploadBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /messages/upload"""

    media_base64: MediaBase64
    mimetype: (
        Annotated[
            str,
            Meta(
                max_length=limits.MIMETYPE_CHARS_MAX,
                description="Must agree with the content, which decides.",
                extra_json_schema={"examples": list(limits.MEDIA_TYPES)},
            ),
        ]
        | UnsetType
    ) = UNSET
    filename: (
        Annotated[
            str,
            Meta(
                max_length=limits.FILENAME_GIVEN_CHARS_MAX,
                description="The name a guest sees of a document.",
            ),
        ]
        | UnsetType
    ) = UNSET


class Upload(msgspec.Struct, rename="camel"):
    """2.5; `mediaId` is valid for 90 days from its last use, `mimetype` is what the content is,
    `bytes` its size."""

    media_id: str
    mimetype: str
    bytes: int


_PIXEL = (  # a PNG file of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)


@Endpoint(
    body=UploadBody,
    data=Upload,
    errors=FILE_ERRORS,
    tag="Messages",
    example=Example(
        data={
            "mediaId": "med_01a1e4035a7399b505c0e4e937dd92",
            "mimetype": "image/png",
            "bytes": 70,
        },
        body={
            "mediaBase64": _PIXEL,
            "mimetype": "image/png",
            "filename": "pixel.png",
        },
    ),
)
async def post_upload(ctx: Context, request: Request) -> Response:
    """Upload media.

    A file that was uploaded once can be sent in many messages, by its `mediaId`.
    """
    body: UploadBody = request.body
    mimetype = None if body.mimetype is UNSET else body.mimetype
    filename = "" if body.filename is UNSET else body.filename
    file = await asyncio.to_thread(rules.decode_file, body.media_base64, "mediaBase64", mimetype)
    media = await upload(ctx, request.account, file, filename)
    return Response(Upload(media.ref, media.mimetype, media.size))
