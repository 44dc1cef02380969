"""A customer who sends all the time, writes down every answer, and repeats what got none.

Each acknowledgement is appended to a file before the next request: whatever it says was promised.
"""

import asyncio
import itertools
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from tests.support.threaded import Threaded

KEY = "td_live_" + "K" * 43
AUTH = {"x-api-key": KEY}
AS_JSON = {"Content-Type": "application/json"}
TIMEOUT = aiohttp.ClientTimeout(total=30, connect=2)
REPEATS_AFTER = 0.15
BULK = 20
KINDS = ("text", "otp", "bulk", "repeat")
SHARES = (70, 12, 6, 12)  # of requests, percent
GOOD = (200, 202)
LATER = (429, 503)


class Customer(Threaded):
    """So many senders, `per_second` requests in all at most. It knows every host of the API: what
    one does not answer is repeated at another."""

    def __init__(
        self,
        urls: Sequence[str],
        journal: Path,
        seed: int,
        *,
        senders: int = 16,
        per_second: float = 40,
    ) -> None:
        super().__init__()
        self._urls = itertools.cycle(urls)
        self._senders, self._pause = senders, senders / per_second
        self._random = random.Random(seed)
        self._numbers = itertools.count()
        self._journal = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.acknowledged: dict[str, dict[str, Any]] = {}  # by clientMessageId
        self.asked: set[str] = set()
        self.statuses: Counter[int] = Counter()
        self.cut_off = 0  # requests without an answer
        self.wrong: list[str] = []
        self.answered_at: list[float] = []
        self.kinds: Counter[str] = Counter()
        self.batches: list[tuple[float, list[str]]] = []  # when each was answered, by wall clock
        self._allowed: set[int] = set()
        self._ending = asyncio.Event()
        self._texts: list[str] = []
        self._given_up = False

    def allow(self, status: int) -> Counter[int]:
        """An answer that is no fault now, and is repeated; how many came, by status."""
        self._allowed.add(status)
        return self.statuses

    def abandon(self) -> None:
        """After a run that went wrong: whatever has not been answered never will be."""
        self._given_up = True
        if self._thread.is_alive():
            self.close()

    async def _serve(self) -> None:
        async with aiohttp.ClientSession(headers=AUTH, timeout=TIMEOUT) as http:
            senders = [asyncio.create_task(self._send_all(http)) for _ in range(self._senders)]
            self._came_up(self._ending.set)  # every message begun still gets its answer
            await asyncio.gather(*senders)
        os.close(self._journal)

    async def _send_all(self, http: aiohttp.ClientSession) -> None:
        while not self._ending.is_set():
            [kind] = self._random.choices(KINDS, SHARES)
            await getattr(self, f"_{kind}")(http)
            self.kinds[kind] += 1
            await asyncio.sleep(self._pause * self._random.uniform(0.5, 1.5))

    async def _text(self, http: aiohttp.ClientSession) -> None:
        body = self._message("text")
        data = await self._post(http, "/api/v1/messages/text", body)
        self._note("text", [data])
        self._texts.append(body["clientMessageId"])

    async def _otp(self, http: aiohttp.ClientSession) -> None:
        fields = self._message("otp")
        del fields["templateName"]
        data = await self._post(http, "/api/v1/messages/otp", fields | {"code": "482913"})
        self._note("otp", [data])

    async def _bulk(self, http: aiohttp.ClientSession) -> None:
        messages = [self._message("bulk") for _ in range(BULK)]
        data = await self._post(http, "/api/v1/messages/bulk", {"messages": messages})
        if data.get("rejected"):
            self.wrong.append(f"rejected in a batch: {data['rejected']}")
        self.batches.append((time.time(), [one["clientMessageId"] for one in messages]))
        self._note("bulk", [*data.get("accepted", ()), *data.get("duplicates", ())])

    async def _repeat(self, http: aiohttp.ClientSession) -> None:
        """An old request again: the same result, and no second message."""
        if not self._texts:
            return
        cid = self._random.choice(self._texts[-2000:])
        before = self.acknowledged[cid]
        body = {"clientMessageId": cid, "to": before["to"], "templateName": "plain"}
        data = await self._post(http, "/api/v1/messages/text", body)
        if not data:
            return
        same = not before["messageId"] or data.get("messageId") == before["messageId"]
        if not (same and data.get("duplicate") is True):
            self.wrong.append(f"a repeat of {cid} said {data}, first {before}")

    def _message(self, kind: str) -> dict[str, str]:
        number = next(self._numbers)
        cid = f"{kind}-{number:07}"
        self.asked.add(cid)
        return {"clientMessageId": cid, "to": recipient(cid), "templateName": "plain"}

    def _note(self, kind: str, answers: list[dict[str, Any]]) -> None:
        for data in answers:
            if "clientMessageId" in data:
                cid = data["clientMessageId"]
                kept = {"to": recipient(cid), "messageId": data.get("messageId"), "kind": kind}
                self.acknowledged[cid] = kept

    async def _post(
        self, http: aiohttp.ClientSession, path: str, body: dict[str, Any]
    ) -> dict[str, Any]:
        """Until it is answered. What is neither good nor to be tried later is kept as wrong."""
        while not self._given_up:
            try:
                async with http.post(
                    next(self._urls) + path, data=msgspec.json.encode(body), headers=AS_JSON
                ) as answer:
                    text = await answer.text()
            except (aiohttp.ClientError, TimeoutError, OSError):
                self.cut_off += 1
                await asyncio.sleep(REPEATS_AFTER)
                continue
            self.statuses[answer.status] += 1
            if answer.status in GOOD:
                os.write(self._journal, f"{text.strip()}\n".encode())
                self.answered_at.append(time.monotonic())
                data: dict[str, Any] = msgspec.json.decode(text)["data"]
                return data
            later = answer.status in LATER and "Retry-After" in answer.headers
            if not later and answer.status not in self._allowed:
                self.wrong.append(f"{path} {answer.status} {text[:300]}")
                if answer.status < 500:
                    return {}
            await asyncio.sleep(REPEATS_AFTER)
        return {}

    def longest_gap(self) -> float:
        """Between two good answers, in seconds."""
        return max((b - a for a, b in itertools.pairwise(self.answered_at)), default=0.0)


def recipient(cid: str) -> str:
    """A person of its own for each message, and none with magic last digits."""
    return f"97250{cid.rpartition('-')[2]}"


def journalled(path: Path) -> dict[str, str | None]:
    """The clientMessageIds that the file says were acknowledged, with their messageId."""
    found: dict[str, str | None] = defaultdict(lambda: None)
    for line in path.read_bytes().splitlines():
        data = msgspec.json.decode(line)["data"]
        parts = [*data["accepted"], *data["duplicates"]] if "accepted" in data else [data]
        for part in parts:
            found[part["clientMessageId"]] = part.get("messageId") or found[part["clientMessageId"]]
    return dict(found)
