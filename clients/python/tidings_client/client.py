"""The clients: `Tidings` blocks, `AsyncTidings` is for asyncio. Both have the same methods."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import httpx

from .endpoint import M
from .failures import ConfigurationError
from .resources.account import Account, Charges, Invoices, Partner
from .resources.events import Events, Feedback, Forms, Media
from .resources.links import Links, Numbers, OptOuts, Templates
from .resources.messages import Batches, Messages
from .resources.sandbox import Sandbox
from .resources.webhooks import Webhooks
from .retries import Retries
from .transport import AsyncTransport, Settings, SyncTransport

if TYPE_CHECKING:
    from typing_extensions import Self

KEY_VARIABLE, URL_VARIABLE = "TIDINGS_API_KEY", "TIDINGS_URL"
LOCAL = "http://127.0.0.1:8080"  # where `tidings serve` listens
TIMEOUT_SECONDS = 60.0
MAX_RETRIES = 3


class _Client(Account[M]):
    """The resources of a client."""

    def __init__(self, transport: M) -> None:
        super().__init__(transport)
        self.messages = Messages(transport)
        self.batches = Batches(transport)
        self.events = Events(transport)
        self.feedback = Feedback(transport)
        self.forms = Forms(transport)
        self.links = Links(transport)
        self.numbers = Numbers(transport)
        self.optouts = OptOuts(transport)
        self.templates = Templates(transport)
        self.media = Media(transport)
        self.webhooks = Webhooks(transport)
        self.invoices = Invoices(transport)
        self.charges = Charges(transport)
        self.partner = Partner(transport)
        self.sandbox = Sandbox(transport)


class Tidings(_Client[SyncTransport]):
    """A client for one account.

    The key comes from TIDINGS_API_KEY and the address from TIDINGS_URL where they are not given.
    `http` is an `httpx.Client` of your own, for a proxy or certificates; you close it yourself.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http: httpx.Client | None = None,
    ) -> None:
        settings = _settings(api_key, base_url, timeout, max_retries)
        super().__init__(SyncTransport(settings, http))

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncTidings(_Client[AsyncTransport]):
    """The same for asyncio: `await client.messages.send_text(...)`."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        settings = _settings(api_key, base_url, timeout, max_retries)
        super().__init__(AsyncTransport(settings, http))

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()


def _settings(
    api_key: str | None, base_url: str | None, timeout: float, max_retries: int
) -> Settings:
    key = (os.environ.get(KEY_VARIABLE, "") if api_key is None else api_key).strip()
    if not key:
        raise ConfigurationError(f"there is no API key: give api_key, or set {KEY_VARIABLE}")
    if not re.fullmatch("[!-~]+", key):
        raise ConfigurationError("the API key has spaces or other characters that no key has")
    url = ((os.environ.get(URL_VARIABLE) or LOCAL) if base_url is None else base_url).strip()
    if not re.match("https?://.", url):
        raise ConfigurationError(f"the address must begin with https:// or http://, not {url!r}")
    address = url.rstrip("/").removesuffix("/api/v1")  # the paths have it
    return Settings(key, address, timeout, Retries(max_retries))
