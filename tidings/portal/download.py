"""Files to download."""

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse


def csv_file(name: str, parts: AsyncIterator[bytes]) -> Response:
    """A CSV file that is sent while it is made: it is never in memory as a whole."""
    disposition = f'attachment; filename="{name}.csv"'
    return StreamingResponse(
        parts, media_type="text/csv", headers={"content-disposition": disposition}
    )
