"""One request on its way through the shell, and the answer's way out."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

from tidings.engine.budget import Allocation
from tidings.engine.http.answering import has_left
from tidings.engine.http.endpoint import PlainResponse
from tidings.engine.http.envelope import COMMON, header_lines, header_pairs, request_id
from tidings.engine.http.intake import network_of
from tidings.engine.http.protocol import RESPOND
from tidings.engine.http.proxies import Proxies


class Exchange:
    """A request and what is known of it so far."""

    __slots__ = (
        "account",
        "environment",
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
        self.environment: str | None = None
        self.rate_headers = b""
        self.status = 0
        self.is_started = False
        self.must_close = False
        self.large: Allocation | None = None  # its part of the room for large bodies

    def count(self, name: bytes) -> int:
        return sum(1 for found, _ in self.scope["headers"] if found == name)

    def address(self, proxies: Proxies) -> str:
        """The peer's; behind our own proxies, the client's."""
        client = self.scope.get("client")
        peer: str = client[0] if client else ""
        if peer in proxies:
            peer = proxies.client(peer, self.headers.get(b"x-forwarded-for", b""))
        return network_of(peer)


def _joined(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """A header that stands twice is a list (RFC 9110, 5.3): none of its values is overlooked."""
    values: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: b", ".join(several) for name, several in values.items()}


async def send_bytes(exchange: Exchange, head: bytes, body: bytes) -> None:
    """The whole answer. `head` are header lines without the length, ours are added."""
    head += b"x-request-id: %b\r\n%b" % (exchange.id.encode(), exchange.rate_headers)
    exchange.is_started = True
    respond = exchange.scope.get(RESPOND)
    if respond is not None and respond(exchange.status, head, body):
        return
    head += b"content-length: %d\r\n" % len(body)
    await exchange.send(_start(exchange, head))
    await exchange.send({"type": "http.response.body", "body": body})


async def send_plain(exchange: Exchange, reply: PlainResponse) -> None:
    """An answer outside the envelope; its own headers win over the common ones."""
    given = header_lines([(b"content-type", reply.content_type.encode()), *reply.headers])
    names = {name for name, _ in header_pairs(given)}
    given += header_lines(pair for pair in header_pairs(COMMON) if pair[0] not in names)
    if isinstance(reply.body, bytes):
        await send_bytes(exchange, given, reply.body)
    else:
        await _send_stream(exchange, given, reply.body)


async def _send_stream(exchange: Exchange, head: bytes, chunks: AsyncIterator[bytes]) -> None:
    """Send what comes as it comes. A HEAD asks for none of it."""
    head += b"x-request-id: %b\r\n%b" % (exchange.id.encode(), exchange.rate_headers)
    try:
        exchange.is_started = True
        await exchange.send(_start(exchange, head))
        if exchange.method != "HEAD":
            async for chunk in chunks:
                await exchange.send(
                    {"type": "http.response.body", "body": chunk, "more_body": True}
                )
                if has_left(exchange.scope.get(RESPOND)):
                    return  # uvicorn goes on without a word; what we pass on is held for others
        await exchange.send({"type": "http.response.body", "body": b""})
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            await close()


def _start(exchange: Exchange, head: bytes) -> dict[str, Any]:
    headers = header_pairs(head)
    return {"type": "http.response.start", "status": exchange.status, "headers": headers}
