"""The Graph simulator for tests: a platform over real sockets, in a thread of its own.

with RunningSimulator(callback_url=service.callbacks) as simulator:
    simulator.fault(answer="error", code=131016, to="972501234567")
    ...
    simulator.advance(2)
    assert simulator.sends()[0]["status"] == 500"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import uvloop

from tests.support.database import fresh_database
from tests.support.plain_http import NO_TLS
from tests.support.service import TestService
from tests.support.threaded import Threaded
from tidings.clock import Clock
from tidings.doctor import check
from tidings_simulator.model import Number
from tidings_simulator.plan import ACCESS_TOKEN
from tidings_simulator.simulator import VERSION, GraphSimulator


class RunningSimulator(Threaded):
    """Takes what `GraphSimulator` takes; `port` 0 is a free one.

    Callbacks go out one after another, so that tests know their order.
    """

    def __init__(
        self, *, host: str = "127.0.0.1", port: int = 0, post_concurrency: int = 1, **options: Any
    ) -> None:
        super().__init__(uvloop.new_event_loop)
        self.simulator = GraphSimulator(post_concurrency=post_concurrency, **options)
        self._host, self._port = host, port

    def start(self) -> None:
        super().start()
        self.url = self.simulator.url
        self.http = httpx.Client(base_url=self.url, timeout=30, verify=NO_TLS)

    def close(self) -> None:
        self.http.close()
        super().close()

    async def _serve(self) -> None:
        await self.simulator.start(self._host, self._port)
        await self._until_closed()
        await self.simulator.stop()

    # Who is there

    @property
    def number(self) -> Number:
        """The first sending number."""
        return self.simulator.state.world.numbers()[0]

    @property
    def waba_id(self) -> str:
        return self.number.waba.id

    @property
    def settings(self) -> dict[str, str]:
        """The environment that points Tidings at it."""
        return {
            "TIDINGS_GRAPH_URL": self.url,
            "TIDINGS_GRAPH_VERSION": VERSION,
            "TIDINGS_APP_SECRET": self.simulator.app_secret,
            "TIDINGS_VERIFY_TOKEN": self.simulator.verify_token,
        }

    @property
    def numbers_toml(self) -> str:
        """`[[accounts.numbers]]` of every sending number."""
        return "".join(
            f'[[accounts.numbers]]\nnumber = "{n.number}"\nphoneNumberId = "{n.id}"\n'
            f'wabaId = "{n.waba.id}"\nportfolioId = "{n.waba.portfolio_id}"\n'
            f'accessToken = "{n.waba.access_token}"\n'
            for n in self.simulator.state.world.numbers()
        )

    def call_back(self, url: str) -> None:
        """From now on callbacks go there."""
        self.simulator.state.callback_sender.url = url

    # The platform's side, as a gateway calls it

    def graph(
        self, method: str, path: str, *, token: str | None = ACCESS_TOKEN, **kwargs: Any
    ) -> httpx.Response:
        headers = kwargs.pop("headers", {})
        if token is not None:
            headers = {"Authorization": f"Bearer {token}", **headers}
        return self.http.request(method, f"/{VERSION}/{path}", headers=headers, **kwargs)

    def send(self, **message: Any) -> httpx.Response:
        """POST /messages: `send(to=..., text={"body": "hi"})`; the type is that of the part."""
        parts = [name for name in message if name not in _BESIDE]
        whole = {"messaging_product": "whatsapp", "type": (parts or ["text"])[0], **message}
        return self.graph("POST", f"{self.number.id}/messages", json=whole)

    def template(self, to: str, name: str, *params: str, lang: str = "en") -> httpx.Response:
        body = [{"type": "text", "text": param} for param in params]
        components = [{"type": "body", "parameters": body}] if body else []
        said = {"name": name, "language": {"code": lang}, "components": components}
        return self.send(to=to, template=said)

    # The control side

    def control(self, method: str, path: str, json: Any = None, **query: str) -> Any:
        answer = self.http.request(method, f"/simulator{path}", json=json, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def reply(self, from_: str, text: str | None = None, **more: Any) -> str:
        """The guest answers; the id of the message. Its callback goes out at once."""
        body = {"from": from_, **({"text": text} if text is not None else {}), **more}
        id_: str = self.control("POST", "/replies", body)["messageId"]
        return id_

    def phone(self, number: str) -> list[dict[str, Any]]:
        shown: list[dict[str, Any]] = self.control("GET", f"/phones/{number}")["messages"]
        return shown

    def fault(self, **fault: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.control("POST", "/faults", fault)
        return made

    def sends(self, **query: str) -> list[dict[str, Any]]:
        """Every call to send, successful or not, oldest first."""
        found: list[dict[str, Any]] = self.control("GET", "/sends", **query)
        return found

    def callbacks(self) -> list[dict[str, Any]]:
        """Every callback posted, oldest first."""
        found: list[dict[str, Any]] = self.control("GET", "/callbacks")
        return found

    def advance(self, seconds: float) -> None:
        """Advance its clock; callbacks that become due have been answered on return."""
        self.call(lambda: self.simulator.advance(timedelta(seconds=seconds)))

    def flush(self) -> None:
        """Advance until no callback is scheduled."""
        self.call(self.simulator.flush)

    def reset(self) -> None:
        self.control("POST", "/reset")


_BESIDE = {
    "to", "recipient", "recipient_type", "context", "biz_opaque_callback_data", "type",
    "messaging_product", "status", "message_id", "typing_indicator",
}  # fmt: skip


@contextmanager
def service_with_simulator(
    platform: RunningSimulator, folder: Path, *, clock: Clock | None = None, **settings: str
) -> Iterator[TestService]:
    """Joined to this platform; at the end every invariant must hold."""
    settings = platform.settings | settings
    with TestService(fresh_database(), folder, clock=clock, settings=settings) as service:
        platform.call_back(f"{service.url}/platform/whatsapp/webhook")
        yield service
        assert service.call(lambda: check(service.ctx.db)) == []
        assert service.sql("SELECT reason FROM callback_dead_letters") == []
