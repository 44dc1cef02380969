"""Files to download."""

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from tidings.engine.http.disposition import disposition


def csv_file(name: str, parts: AsyncIterator[bytes]) -> Response:
    """A CSV file that is sent while it is made: it is never in memory as a whole."""
    headers = {"content-disposition": disposition("attachment", f"{name}.csv").decode()}
    return StreamingResponse(parts, media_type="text/csv", headers=headers)


def text_file(name: str, parts: AsyncIterator[str]) -> Response:
    """Plain text, and named so: a spreadsheet would run what begins like a formula."""
    headers = {"content-disposition": disposition("attachment", f"{name}.txt").decode()}
    return StreamingResponse(parts, media_type="text/plain; charset=utf-8", headers=headers)


def pdf_file(name: str, content: bytes) -> Response:
    headers = {"content-disposition": disposition("attachment", f"{name}.pdf").decode()}
    return Response(content, media_type="application/pdf", headers=headers)


def json_file(name: str, parts: AsyncIterator[str]) -> Response:
    """Sent while it is made, as a CSV file is."""
    headers = {"content-disposition": disposition("attachment", f"{name}.json").decode()}
    return StreamingResponse(parts, media_type="application/json", headers=headers)
