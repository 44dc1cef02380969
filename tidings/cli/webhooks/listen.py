"""`tidings listen`: an account's events as they happen, forwarded here, without a tunnel.

The events come from the catch-up feed, so none is missed and the account's own webhook is not
touched. Each is signed afresh and posted once.
"""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager

import aiohttp
import msgspec
from rich.console import Console

from tidings import limits
from tidings.cli.runner import mendable
from tidings.clock import Clock, SystemClock
from tidings.features.webhooks.rules import is_success, signed_headers

from .feed import FeedEntry, Source, opened_api, opened_database

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
    source = opened_database(account) if account else opened_api(url, key)
    with mendable():
        try:
            asyncio.run(_listen(source, forward_to, secret, from_oldest, as_json))
        except KeyboardInterrupt:
            print(file=sys.stderr)


async def _listen(
    opened: AbstractAsyncContextManager[Source],
    forward_to: str | None,
    secret: str | None,
    from_oldest: bool,
    as_json: bool,
) -> None:
    remarks, clock = Console(stderr=True, highlight=False), SystemClock()
    async with opened as source, aiohttp.ClientSession(timeout=TIMEOUT) as session:
        place = None if from_oldest else await source.newest()
        if forward_to is not None:
            signer = "the secret you gave" if secret else source.signer
            line = f"Forwarding to {forward_to}, signed with {signer}"
            remarks.print(line, markup=False, soft_wrap=True)
        remarks.print("Listening; Ctrl+C ends it.")
        while True:
            for entry in await source.after(place):
                place = entry.webhook_id
                answer = None
                if forward_to is not None:
                    signing = secret or source.secret
                    answer = await _forward(session, clock, forward_to, entry, signing)
                _show(entry, answer, as_json=as_json)


class Answer(msgspec.Struct):
    status: int | None
    ms: int


async def _forward(
    session: aiohttp.ClientSession, clock: Clock, url: str, entry: FeedEntry, secret: str
) -> Answer:
    body = bytes(entry.payload)
    headers = signed_headers(
        entry.webhook_id,
        body,
        attempt=1,
        timestamp=int(clock.now().timestamp()),
        secret=secret,
        previous=None,
    )
    began = clock.monotonic()
    status = None
    try:
        async with session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            status = response.status
    except (aiohttp.ClientError, TimeoutError):
        pass
    return Answer(status, round((clock.monotonic() - began) * 1000))


def _show(entry: FeedEntry, answer: Answer | None, *, as_json: bool) -> None:
    if as_json:
        line = {"webhookId": entry.webhook_id, "type": entry.type, "payload": entry.payload}
        told = {} if answer is None else {"status": answer.status, "ms": answer.ms}
        print(msgspec.json.encode(line | told).decode(), flush=True)
        return
    end = ""
    if answer is not None:
        colour = "green" if is_success(answer.status) else "red"
        end = f"[{colour}]{answer.status or 'no answer'}[/] {answer.ms} ms"
    Console(highlight=False).print(f"{entry.type:<22} {entry.webhook_id}  {end}".rstrip())
