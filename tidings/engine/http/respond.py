"""Responses of the API on an exchange: in one write, or a stream part by part."""

from collections.abc import AsyncIterator
from functools import lru_cache

from tidings.engine.http.endpoint import PlainResponse
from tidings.engine.http.envelope import COMMON, header_lines, header_pairs
from tidings.engine.http.exchange import Exchange

_NOT_MODIFIED = 304


async def send_bytes(exchange: Exchange, lines: bytes, body: bytes) -> None:
    """Send a whole response. `lines` holds headers; those of every response are added here."""
    await exchange.respond(
        b"%bcontent-length: %d\r\n%b" % (lines, len(body), _own_lines(exchange)), body
    )


async def send_plain(exchange: Exchange, response: PlainResponse) -> None:
    """A response outside the envelope; its own headers override the common ones."""
    lines = _lines_of(response.content_type, response.headers)
    if response.status == _NOT_MODIFIED:  # its length would be that of the body left out
        await exchange.respond(lines + _own_lines(exchange), b"")
    elif isinstance(response.body, bytes):
        await send_bytes(exchange, lines, response.body)
    else:
        await _send_stream(exchange, lines, response.body)


@lru_cache(maxsize=256)
def _lines_of(content_type: str, headers: tuple[tuple[bytes, bytes], ...]) -> bytes:
    given = header_lines([(b"content-type", content_type.encode()), *headers])
    names = {name for name, _ in header_pairs(given)}
    return given + header_lines(pair for pair in header_pairs(COMMON) if pair[0] not in names)


async def _send_stream(exchange: Exchange, lines: bytes, chunks: AsyncIterator[bytes]) -> None:
    """Send chunks as they come; none of them for HEAD."""
    length = dict(header_pairs(lines)).get(b"content-length")
    try:
        lines += _own_lines(exchange)
        await exchange.start(lines, None if length is None else int(length))
        if exchange.method != "HEAD":
            async for chunk in chunks:
                await exchange.send(chunk)
                if exchange.is_disconnected:
                    return
        exchange.end()
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            await close()


def _own_lines(exchange: Exchange) -> bytes:
    return b"x-request-id: %b\r\n%b" % (exchange.id.encode(), exchange.rate_headers)
