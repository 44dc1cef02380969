"""Files that a page offers to download."""

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from tidings.engine.http.disposition import disposition

CSV = "text/csv; charset=utf-8"
PDF = "application/pdf"


def download(body: bytes | AsyncIterator[bytes], name: str, media_type: str) -> Response:
    """A whole file, or one that is written while it is sent."""
    headers = {"content-disposition": disposition("attachment", name).decode()}
    if isinstance(body, bytes):
        return Response(body, media_type=media_type, headers=headers)
    return StreamingResponse(body, media_type=media_type, headers=headers)
