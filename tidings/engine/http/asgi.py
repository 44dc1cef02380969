"""An exchange as the ASGI connection that the portal's requests and responses expect."""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote

from tidings.engine.http.envelope import header_lines
from tidings.engine.http.exchange import Exchange

EXCHANGE = "tidings.exchange"  # in the scope: the exchange itself


class AsgiConnection:
    """`scope`, `receive` and `send` of one exchange."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        peer = exchange.channel.peer
        self.path = unquote(exchange.raw_path.decode("ascii"))
        self.scope: MutableMapping[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": exchange.version,
            "method": exchange.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": exchange.raw_path,
            "query_string": exchange.raw_query,
            "root_path": "",
            "headers": exchange.pairs,
            "client": (peer, 0) if peer else None,
            "server": None,
            "state": {},
            EXCHANGE: exchange,
        }

    async def receive(self) -> MutableMapping[str, Any]:
        exchange = self._exchange
        await exchange.wait()
        more = not exchange.is_complete
        has_failed = more and exchange.fault  # ASGI has no other word for it
        if exchange.is_disconnected or exchange.is_finished or has_failed:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": exchange.take(), "more_body": more}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        exchange = self._exchange
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            await self._start(message.get("headers", ()))
            return
        await exchange.send(message.get("body", b""))
        if not message.get("more_body", False):
            exchange.end()

    async def _start(self, headers: Any) -> None:
        length = dict(headers).get(b"content-length")
        lines = header_lines(headers)
        await self._exchange.start(lines, None if length is None else int(length))
