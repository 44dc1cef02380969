"""Bodies of requests: bounded, counted, and the large ones in memory shared fairly (8; 2.14).

A large body takes of the room for them what has arrived of it, whatever length it declares: who
trickles holds what it sent, and no more. Requests without a key (the platform's callbacks, which
anybody can begin to send before a signature is checked) have a room of their own.
"""

from typing import Any

from tidings import limits
from tidings.engine.budget import Allocation, Budget, account_owner, address_owner
from tidings.engine.http.client_address import NO_PROXIES, Proxies
from tidings.engine.http.endpoint import Route
from tidings.engine.http.exchange import Exchange
from tidings.engine.http.protocol import FAULT
from tidings.engine.metrics import Metrics
from tidings.errors import ApiError, Code

_PLAIN_TYPES = frozenset(
    {b"application/json", b"application/json; charset=utf-8", b"application/json;charset=utf-8"}
)


class Disconnected(Exception):
    """The client went away before its body was whole. Nobody is left to answer."""


class BodyReader:
    """Reads them: at most 20MB each, whatever length is declared."""

    def __init__(
        self,
        metrics: Metrics,
        proxies: Proxies = NO_PROXIES,
        large_bytes_max: int = limits.LARGE_BODIES_BYTES_MAX,
    ) -> None:
        self._refused = metrics.refused_bodies
        self._proxies = proxies
        self._room = _room(large_bytes_max, limits.REQUEST_BYTES_MAX)
        self._anonymous = _room(limits.CALLBACKS_BYTES_MAX, limits.CALLBACK_BYTES_MAX)

    def require_size(self, exchange: Exchange, route: Route) -> None:
        """By the declared length, before a byte is read."""
        length = exchange.headers.get(b"content-length")
        if length is not None and int(length) > route.bytes_max:
            raise self._too_large(exchange, route)

    async def read(self, exchange: Exchange, route: Route) -> bytes:
        """The whole body where the route takes one; elsewhere it is only kept within bounds."""
        headers = exchange.headers
        coding = headers.get(b"transfer-encoding")
        if route.body is None and not route.raw_body:
            return b"" if coding is None else await self._collect(exchange, route, keep=False)
        _require_plain_coding(headers)
        length = int(headers.get(b"content-length", b"0"))
        if not length and coding is None:
            return b""
        if route.body is not None:
            _require_json(headers.get(b"content-type", b""))
        message = await _receive(exchange)
        if message["type"] == "http.request" and not message["more_body"]:
            body: bytes = message["body"]
            return body
        return await self._collect(exchange, route, keep=True, message=message)

    def release(self, exchange: Exchange) -> None:
        if exchange.large is not None:
            exchange.large.close()
            exchange.large = None

    async def _collect(
        self, exchange: Exchange, route: Route, *, keep: bool, message: Any = None
    ) -> bytes:
        chunks: list[bytes] = []
        size = 0
        while True:
            message = message or await _receive(exchange)
            if message["type"] != "http.request":
                raise Disconnected
            size += len(message["body"])
            if size > route.bytes_max:
                raise self._too_large(exchange, route)
            if keep:
                chunks.append(message["body"])
                if size > limits.LARGE_BODY_BYTES:
                    await self._make_room(exchange, size)
            if not message["more_body"]:
                return b"".join(chunks)
            self._require_sound(exchange)
            message = None

    async def _make_room(self, exchange: Exchange, size: int) -> None:
        """For what has arrived. Who waits is not read from meanwhile."""
        if exchange.large is None:
            exchange.large = self._hold(exchange)
        more = size - exchange.large.amount
        if not await exchange.large.grow(more, limits.LARGE_BODY_WAIT):
            self._refused.labels("busy").inc()
            exchange.must_close = True
            text = "too many large requests at once; send this one again shortly"
            raise ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=1)

    def _hold(self, exchange: Exchange) -> Allocation:
        address = exchange.address(self._proxies)
        if exchange.account is None:
            return self._anonymous.open(address_owner(address, alpha=1))
        return self._room.open(account_owner(exchange.account.id), address_owner(address))

    def _require_sound(self, exchange: Exchange) -> None:
        fault = exchange.scope.get(FAULT)
        if fault is not None:
            self._refused.labels("fault").inc()
            exchange.must_close = True
            raise ApiError(Code.VALIDATION_ERROR, fault, field="body")

    def _too_large(self, exchange: Exchange, route: Route) -> ApiError:
        self._refused.labels("size").inc()
        exchange.must_close = True
        most = route.bytes_max
        text = f"request exceeds {most // limits.MIB}MB: the body may be at most {most} bytes"
        return ApiError(Code.VALIDATION_ERROR, text, field="body")


async def _receive(exchange: Exchange) -> Any:
    exchange.has_received = True
    return await exchange.receive()


def _room(size: int, reserve: int) -> Budget:
    """`size` in all: what the oldest body may take beyond the others' shares is part of it."""
    return Budget(size - reserve, reserve=reserve)


def _require_plain_coding(headers: dict[bytes, bytes]) -> None:
    coding = headers.get(b"content-encoding", b"identity").strip().lower()
    transfer = headers.get(b"transfer-encoding", b"chunked").strip().lower()
    if coding not in (b"identity", b"") or transfer != b"chunked":
        text = "body: compressed requests are not taken; send it without Content-Encoding"
        raise ApiError(Code.VALIDATION_ERROR, text, field="Content-Encoding")


def _require_json(content_type: bytes) -> None:
    if content_type in _PLAIN_TYPES:
        return
    kind, _, parameters = content_type.lower().partition(b";")
    charset = [
        value.strip(b' "')
        for name, _, value in (part.partition(b"=") for part in parameters.split(b";"))
        if name.strip() == b"charset"
    ]
    if kind.strip() != b"application/json" or charset not in ([], [b"utf-8"], [b"utf8"]):
        came = content_type[:80].decode("latin-1") or "nothing"
        text = f"Content-Type must be application/json in UTF-8, got {came}"
        raise ApiError(Code.VALIDATION_ERROR, text, field="Content-Type")
