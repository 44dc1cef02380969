"""`tidings listen`: an account's events as they happen, forwarded to this machine.

Events are read from the catch-up feed, so none is missed and the account's own webhook is not
affected. Each is signed anew and posted once.
"""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import aiohttp
import msgspec

from tidings import limits
from tidings.cli.output import Styled, print_json, remark, say
from tidings.cli.runner import reported_errors
from tidings.clock import Clock, SystemClock
from tidings.features.webhooks.rules import is_success, signed_headers

from .feed import FeedEntry, Source, open_api, open_database

TIMEOUT = aiohttp.ClientTimeout(total=limits.WEBHOOK_RESPONSE_TIMEOUT.total_seconds())


def listen_for_events(
    forward_to: str | None,
    *,
    key: str | None,
    account: str | None,
    secret: str | None,
    from_oldest: bool,
    url: str,
    as_json: bool,
) -> None:
    feed = open_database(account) if account else open_api(url, key)
    work = _listen(feed, forward_to, secret=secret, from_oldest=from_oldest, as_json=as_json)
    with reported_errors():
        try:
            asyncio.run(work)
        except KeyboardInterrupt:
            remark()


async def _listen(
    feed: AbstractAsyncContextManager[Source],
    forward_to: str | None,
    *,
    secret: str | None,
    from_oldest: bool,
    as_json: bool,
) -> None:
    async with feed as source, aiohttp.ClientSession(timeout=TIMEOUT) as session:
        last_id = None if from_oldest else await source.newest()
        forwarder = None
        if forward_to is not None:
            signer = "the secret you gave" if secret else source.signer
            remark(f"Forwarding to {forward_to}, signed with {signer}")
            forwarder = Forwarder(session, forward_to, secret or source.secret, SystemClock())
        remark("Listening; stop with Ctrl-C.")
        while True:
            for entry in await source.after(last_id):
                last_id = entry.webhook_id
                response = None if forwarder is None else await forwarder.post(entry)
                _show(entry, response, as_json=as_json)


@dataclass(frozen=True, slots=True)
class Response:
    status: int | None  # None: no answer
    ms: int


@dataclass(frozen=True, slots=True)
class Forwarder:
    """Posts events to an address on this machine, signed like webhooks."""

    session: aiohttp.ClientSession
    url: str
    secret: str
    clock: Clock

    async def post(self, entry: FeedEntry) -> Response:
        body = bytes(entry.payload)
        headers = signed_headers(
            entry.webhook_id,
            body,
            attempt=1,
            timestamp=int(self.clock.now().timestamp()),
            secret=self.secret,
            previous=None,
        )
        started, status = self.clock.monotonic(), None
        try:
            async with self.session.post(
                self.url, data=body, headers=headers, allow_redirects=False
            ) as response:
                status = response.status
        except (aiohttp.ClientError, TimeoutError):
            pass
        return Response(status, round((self.clock.monotonic() - started) * 1000))


def _show(entry: FeedEntry, response: Response | None, *, as_json: bool) -> None:
    if as_json:
        line = {"webhookId": entry.webhook_id, "type": entry.type, "payload": entry.payload}
        outcome = {} if response is None else msgspec.to_builtins(response)
        print_json(line | outcome, indent=-1)
        return
    parts: list[str | Styled] = [f"{entry.type:<22} {entry.webhook_id}"]
    if response is not None:
        colour = "green" if is_success(response.status) else "red"
        status = Styled(str(response.status or "no answer"), colour)
        parts += ["  ", status, f" {response.ms} ms"]
    say(*parts)
