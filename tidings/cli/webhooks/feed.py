"""Where `tidings listen` reads events: the API, or the database on the service's own machine."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import aiohttp
import msgspec

from tidings import limits
from tidings.cli import client
from tidings.cli.database import load_account, opened
from tidings.cli.runner import load_settings
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts import credentials
from tidings.features.accounts.master_key import load_sealer
from tidings.features.webhooks.feed import read as feed
from tidings.secrets import forwarding_secret

WAIT_SECONDS = limits.WEBHOOK_FEED_WAIT_SECONDS.high
RETRY_SECONDS = 1.0
RETRYABLE = (429, 502, 503, 504)


class FeedEntry(msgspec.Struct, rename="camel"):
    """An event of the feed; the payload is unparsed, so that it is forwarded byte for byte."""

    webhook_id: str
    type: str
    payload: msgspec.Raw


class Source(Protocol):
    """Reads the feed of one account."""

    secret: str  # signs forwarded posts

    @property
    def signer(self) -> str:
        """Describes the secret. An account's own is not shown: it was when it was issued."""
        ...

    async def newest(self) -> str | None: ...
    async def after(self, webhook_id: str | None) -> list[FeedEntry]: ...


class _Page(msgspec.Struct):
    data: list[FeedEntry]


@dataclass(slots=True)
class ApiSource:
    session: aiohttp.ClientSession
    secret: str

    @property
    def signer(self) -> str:
        return f"{self.secret} (made for this command and key)"

    async def newest(self) -> str | None:
        found = await self._read({"after": "latest"})
        return found[0].webhook_id if found else None

    async def after(self, webhook_id: str | None) -> list[FeedEntry]:
        query = {"wait": str(WAIT_SECONDS), "limit": str(limits.LIST_LIMIT.high)}
        try:
            return await self._read(query | ({"after": webhook_id} if webhook_id else {}))
        except (aiohttp.ClientError, TimeoutError):  # such as during a restart
            await asyncio.sleep(RETRY_SECONDS)
            return []

    async def _read(self, query: dict[str, str]) -> list[FeedEntry]:
        async with self.session.get("webhooks/events", params=query) as response:
            raw = await response.read()
        if response.status in RETRYABLE:
            raise aiohttp.ClientError(response.status)
        if response.status != 200:
            envelope = await client.read_envelope(response)
            raise client.refusal(response.status, envelope.get("error", {}))
        return msgspec.json.decode(raw, type=_Page).data


@asynccontextmanager
async def open_api(url: str, key: str | None) -> AsyncIterator[ApiSource]:
    key = key or os.environ.get(client.KEY_VARIABLE)
    async with client.session(url, key) as session:
        yield ApiSource(session, forwarding_secret(key or ""))


@dataclass(slots=True)
class DatabaseSource:
    db: Database
    account_id: UUID
    secret: str

    @property
    def signer(self) -> str:
        return "the account's own signing secret"

    async def newest(self) -> str | None:
        found = await self.db.transact(lambda tx: feed.load_newest(tx, self.account_id))
        return found[0].id if found else None

    async def after(self, webhook_id: str | None) -> list[FeedEntry]:
        size = limits.LIST_LIMIT.high
        while True:
            found = await self.db.transact(
                lambda tx: feed.load_page(tx, self.account_id, webhook_id, size)
            )
            if found:
                return [FeedEntry(one.id, one.type, msgspec.Raw(one.body)) for one in found]
            await asyncio.sleep(feed.POLL_INTERVAL.total_seconds())


@asynccontextmanager
async def open_database(account: str) -> AsyncIterator[DatabaseSource]:
    settings = load_settings()
    sealer = load_sealer(settings)

    async def load(tx: Tx) -> tuple[UUID, str]:
        account_id = (await load_account(tx, account)).id
        secrets = await credentials.signing_secrets(tx, sealer, [account_id])
        return account_id, secrets[account_id].current.reveal()

    async with opened(settings) as db:
        yield DatabaseSource(db, *(await db.transact(load)))
