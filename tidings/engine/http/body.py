"""Request bodies: limited in size; large ones share a memory budget fairly (8; 2.14).

A large body is charged for the bytes that have arrived, not for its declared length, so a slow
sender holds only what it sent. Requests without a key (the platform's callbacks, which anyone can
start to send before the signature is checked) have a separate budget.
"""

from tidings import limits
from tidings.engine.budget import Allocation, Budget, account_owner, address_owner
from tidings.engine.http.client_address import NO_PROXIES, Proxies
from tidings.engine.http.endpoint import Route
from tidings.engine.http.exchange import Disconnected, Exchange
from tidings.engine.metrics import Metrics
from tidings.errors import ApiError, Code
from tidings.wording import escaped

_PLAIN_TYPES = frozenset(
    {b"application/json", b"application/json; charset=utf-8", b"application/json;charset=utf-8"}
)


class BodyReader:
    """Reads bodies of at most 20MB each, whatever length is declared."""

    def __init__(
        self,
        metrics: Metrics,
        proxies: Proxies = NO_PROXIES,
        large_bytes_max: int = limits.LARGE_BODIES_BYTES_MAX,
    ) -> None:
        self._refused = metrics.refused_bodies
        self._proxies = proxies
        self._large = _make_budget(large_bytes_max, limits.REQUEST_BYTES_MAX)
        self._anonymous = _make_budget(limits.CALLBACKS_BYTES_MAX, limits.CALLBACK_BYTES_MAX)

    def require_size(self, exchange: Exchange, route: Route) -> None:
        """Check the declared length before reading."""
        length = exchange.headers.get(b"content-length")
        if length is not None and int(length) > route.bytes_max:
            raise self._too_large(exchange, route)

    async def read(self, exchange: Exchange, route: Route) -> bytes:
        """The whole body if the route takes one; otherwise only its size is checked."""
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
        if exchange.is_complete and exchange.buffered_bytes <= limits.LARGE_BODY_BYTES:
            if exchange.is_disconnected:
                raise Disconnected
            exchange.has_received = True
            return exchange.take()
        return await self._collect(exchange, route, keep=True)

    def release(self, exchange: Exchange) -> None:
        if exchange.large is not None:
            exchange.large.close()
            exchange.large = None

    async def _collect(self, exchange: Exchange, route: Route, *, keep: bool) -> bytes:
        chunks: list[bytes] = []
        size = 0
        while True:
            await exchange.wait()
            if exchange.is_disconnected:
                raise Disconnected
            chunk = exchange.take()
            size += len(chunk)
            if size > route.bytes_max:
                raise self._too_large(exchange, route)
            if keep:
                chunks.append(chunk)
                if size > limits.LARGE_BODY_BYTES:
                    await self._allocate(exchange, size)
            if exchange.is_complete and not exchange.buffered_bytes:
                return b"".join(chunks)
            self._require_sound(exchange)

    async def _allocate(self, exchange: Exchange, size: int) -> None:
        """Allocate memory for what has arrived. While this waits, the client is not read from."""
        if exchange.large is None:
            exchange.large = self._open_allocation(exchange)
        more = size - exchange.large.amount
        if not await exchange.large.grow(more, limits.LARGE_BODY_WAIT):
            self._refused.labels("busy").inc()
            exchange.must_close = True
            text = "too many large requests at once; send this one again shortly"
            raise ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=1)

    def _open_allocation(self, exchange: Exchange) -> Allocation:
        address = exchange.address(self._proxies)
        if exchange.account is None:
            return self._anonymous.open(address_owner(address, alpha=1))
        return self._large.open(account_owner(exchange.account.id), address_owner(address))

    def _require_sound(self, exchange: Exchange) -> None:
        if exchange.fault:
            self._refused.labels("fault").inc()
            exchange.must_close = True
            raise ApiError(Code.VALIDATION_ERROR, exchange.fault, field="body")

    def _too_large(self, exchange: Exchange, route: Route) -> ApiError:
        self._refused.labels("size").inc()
        exchange.must_close = True
        most = route.bytes_max
        text = f"request exceeds {most // limits.MIB}MB: the body may be at most {most} bytes"
        return ApiError(Code.VALIDATION_ERROR, text, field="body")


def _make_budget(size: int, reserve: int) -> Budget:
    """A budget of `size` in total, including the reserve for the oldest body."""
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
        came = escaped(content_type[:80].decode("latin-1")) or "nothing"
        text = f"Content-Type must be application/json in UTF-8, got {came}"
        raise ApiError(Code.VALIDATION_ERROR, text, field="Content-Type")
