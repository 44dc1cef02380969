"""One HTTP exchange: the request as it is known so far, and sending the response."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

from tidings.engine.budget import Allocation
from tidings.engine.http.client_address import Proxies, network_of
from tidings.engine.http.endpoint import PlainResponse
from tidings.engine.http.envelope import COMMON, header_lines, header_pairs, request_id
from tidings.engine.http.protocol import DISCONNECTED


class Exchange:
    """A request, and the results of the checks so far."""

    __slots__ = (
        "account",
        "body",
        "body_bytes",
        "environment",
        "has_received",
        "has_repeats",
        "headers",
        "id",
        "is_started",
        "large",
        "method",
        "must_close",
        "rate_headers",
        "receive",
        "scope",
        "send",
        "status",
        "template",
    )

    def __init__(self, scope: Any, receive: Any, send: Any) -> None:
        pairs = scope["headers"]
        self.scope = scope
        self.receive: Callable[[], Awaitable[Any]] = receive
        self.send: Callable[[Any], Awaitable[None]] = send
        self.id = request_id()
        self.method: str = scope["method"]
        self.headers: dict[bytes, bytes] = dict(pairs)
        self.has_repeats = len(self.headers) != len(pairs)
        if self.has_repeats:
            self.headers = _joined(pairs)
        self.template = ""
        self.account: Any = None
        self.body: bytes | None = None  # where it is small and may be logged
        self.body_bytes = 0
        self.environment: str | None = None
        self.rate_headers = b""
        self.status = 0
        self.is_started = False
        self.must_close = False
        self.has_received = False  # whether the body was asked for
        self.large: Allocation | None = None  # its share of the memory for large bodies

    def count(self, name: bytes) -> int:
        return sum(1 for found, _ in self.scope["headers"] if found == name)

    def address(self, proxies: Proxies) -> str:
        """The address of the peer; behind our own proxies, that of the client."""
        client = self.scope.get("client")
        peer: str = client[0] if client else ""
        if peer in proxies:
            peer = proxies.client(peer, self.headers.get(b"x-forwarded-for", b""))
        return network_of(peer)


def _joined(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """A repeated header is a list (RFC 9110, 5.3): its values are joined."""
    values: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: b", ".join(several) for name, several in values.items()}


async def send_bytes(exchange: Exchange, head: bytes, body: bytes) -> None:
    """Send a whole response. `head` holds header lines; the common ones are added here."""
    head += b"content-length: %d\r\n" % len(body)
    await exchange.send(_start(exchange, head))
    await exchange.send({"type": "http.response.body", "body": body})


async def send_plain(exchange: Exchange, response: PlainResponse) -> None:
    """A response outside the envelope; its own headers override the common ones."""
    given = header_lines([(b"content-type", response.content_type.encode()), *response.headers])
    names = {name for name, _ in header_pairs(given)}
    given += header_lines(pair for pair in header_pairs(COMMON) if pair[0] not in names)
    if isinstance(response.body, bytes):
        await send_bytes(exchange, given, response.body)
    else:
        await _send_stream(exchange, given, response.body)


async def _send_stream(exchange: Exchange, head: bytes, chunks: AsyncIterator[bytes]) -> None:
    """Send chunks as they come; none of them for HEAD."""
    try:
        await exchange.send(_start(exchange, head))
        if exchange.method != "HEAD":
            async for chunk in chunks:
                await exchange.send(
                    {"type": "http.response.body", "body": chunk, "more_body": True}
                )
                if DISCONNECTED in exchange.scope:
                    return  # uvicorn would discard the writes, with the source open
        await exchange.send({"type": "http.response.body", "body": b""})
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            await close()


def _start(exchange: Exchange, head: bytes) -> dict[str, Any]:
    head += b"x-request-id: %b\r\n%b" % (exchange.id.encode(), exchange.rate_headers)
    # Without `100 Continue` the client may send its body next, or a new request: the two cannot be
    # distinguished.
    if exchange.must_close or (b"expect" in exchange.headers and not exchange.has_received):
        head += b"connection: close\r\n"
    exchange.is_started = True
    headers = header_pairs(head)
    return {"type": "http.response.start", "status": exchange.status, "headers": headers}
