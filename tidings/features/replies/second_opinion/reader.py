"""The reader outside: an OpenAI-compatible endpoint that the operator has chosen.

Like the messaging platform its address may be private, and like it a call is never repeated and no
redirect followed: a redirect could take the key and the words elsewhere.
"""

from datetime import timedelta
from http import HTTPStatus

from yarl import URL

from tidings import __version__, limits
from tidings.clock import Clock
from tidings.engine.http.outbound.call_connection import NotAnswered
from tidings.engine.http.outbound.call_pool import CallPool, NotWritten
from tidings.engine.http.outbound.connector import Destination
from tidings.settings import BadSetting, Settings

from . import protocol
from .breaker import Breaker
from .model import Opinion

CONNECTIONS = 4
CONNECT_TIMEOUT = timedelta(seconds=3)
KEEP_ALIVE = timedelta(seconds=15)
RESPONSE_BYTES_MAX = 64 * limits.KIB


class NotRead(Exception):
    """There is no usable answer. The text is for the log: it never quotes the server."""


class OutsideReader:
    """Create it in the running loop."""

    def __init__(
        self, url: str, model: str, key: str | None, *, timeout: timedelta, clock: Clock
    ) -> None:
        self._model = model
        self._breaker = Breaker(clock)
        origin = URL(url)
        self._head = _head(origin.joinpath("chat", "completions"), key)
        assert origin.raw_host is not None and origin.port is not None, "the settings check the URL"
        self._pool = CallPool(
            Destination(origin.raw_host, origin.port, is_tls=origin.scheme == "https"),
            connections=CONNECTIONS,
            connect_timeout=CONNECT_TIMEOUT,
            timeout=timeout,
            keep_alive=KEEP_ALIVE,
            response_bytes_max=RESPONSE_BYTES_MAX,
        )

    @property
    def is_resting(self) -> bool:
        """It failed several times in a row, and is left alone for a while."""
        return self._breaker.is_open

    async def ask(self, text: str) -> Opinion:
        """Raises NotRead."""
        try:
            body = await self._call(protocol.encode(text, self._model))
            opinion = protocol.decode(body)
        except ValueError:
            self._breaker.failed()
            raise NotRead("the response is no chat completion") from None
        except NotRead:
            self._breaker.failed()
            raise
        # A model that breaks the form may have been talked into it by a guest, who must not be
        # able to switch the reader off for everybody.
        self._breaker.succeeded()
        if opinion is None:
            raise NotRead("the answer has not the form that was asked for")
        return opinion

    async def _call(self, body: bytes) -> bytes:
        request = self._head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        try:
            response = await self._pool.call(request)
        except (NotWritten, NotAnswered) as fault:
            raise NotRead(str(fault)) from None
        if response.status != HTTPStatus.OK:
            raise NotRead(f"status {response.status}")
        return response.body

    async def close(self) -> None:
        await self._pool.close()


def open_reader(settings: Settings, clock: Clock) -> OutsideReader | None:
    """None: the operator has set none, and no reply is shown to anybody."""
    if settings.reader_url is None:
        return None
    if settings.reader_model is None:
        raise BadSetting("TIDINGS_READER_URL needs TIDINGS_READER_MODEL: the model to ask there.")
    return OutsideReader(
        settings.reader_url,
        settings.reader_model,
        settings.reader_key,
        timeout=timedelta(seconds=settings.reader_seconds),
        clock=clock,
    )


def _head(url: URL, key: str | None) -> bytes:
    """All that is the same for every request, up to its length."""
    lines = [
        f"POST {url.raw_path_qs} HTTP/1.1",
        f"Host: {url.host_port_subcomponent}",
        f"User-Agent: tidings/{__version__}",
        "Accept: application/json",
        "Accept-Encoding: identity",
        "Content-Type: application/json",
    ]
    if key is not None:
        lines.append(f"Authorization: Bearer {key}")
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")
