"""The answer of POST /messages/upload, as OpenAPI shows it."""

import msgspec


class Upload(msgspec.Struct, rename="camel"):
    """2.5; `mediaId` is valid for 90 days from its last use, `mimetype` is what the content is,
    `bytes` its size."""

    media_id: str
    mimetype: str
    bytes: int
