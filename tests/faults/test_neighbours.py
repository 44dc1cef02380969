"""Ninety connections of one account that pipeline, and another's messages beside them (issue 13).

Counted in answers, not in seconds: however slow the machine, between a message and its answer only
a few of the other account's may be answered.
"""

import asyncio
import json
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.support.service import TestAccount, TestService

CONNECTIONS, AHEAD, SENDS = 90, 20, 14
UNKNOWN = 3  # of them before the service knows that two share it
NUMBERS = "".join(
    f'[[accounts.numbers]]\nnumber = "9725550000{n:02}"\nperSecond = 1000\n' for n in range(10)
)


def text(account: TestAccount, name: str, person: int) -> bytes:
    fields = {"clientMessageId": name, "to": f"97250{person:07}", "templateName": "plain"}
    body = json.dumps(fields).encode()
    head = f"POST /api/v1/messages/text HTTP/1.1\r\nHost: a\r\nx-api-key: {account.key}\r\n"
    kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + kind).encode() + body


async def answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
    await reader.readexactly(int(length))
    return int(head[9:12])


@dataclass
class Flood:
    """Sends all of its requests at once; counts the answers."""

    answered: int = 0

    async def send_all(self, port: int, account: TestAccount, place: int) -> None:
        here = ("127.0.0.2", 0)  # an address of its own: other tests' connections are not counted
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=here)
        first = place * AHEAD
        names = range(first, first + AHEAD)
        writer.write(b"".join(text(account, f"flood-{n:06}", n) for n in names))
        try:
            for _ in names:
                assert await answer(reader) in (200, 202)
                self.answered += 1
        finally:
            writer.transport.abort()


async def measure(port: int, flooding: TestAccount, other: TestAccount) -> list[int]:
    """For each message of the other: how many requests of the flood were answered before it was."""
    flood = Flood()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    tasks = [
        asyncio.create_task(flood.send_all(port, flooding, place)) for place in range(CONNECTIONS)
    ]
    while flood.answered < CONNECTIONS:
        await asyncio.sleep(0.005)
    overtaken = []
    for n in range(SENDS):
        before = flood.answered
        writer.write(text(other, f"other-{n:06}", n))
        assert await answer(reader) in (200, 202)
        overtaken.append(flood.answered - before)
    assert flood.answered < CONNECTIONS * AHEAD, "the flood ended too early to show anything"
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    writer.close()
    return overtaken


async def test_a_message_waits_for_few_of_anothers_many(service: TestService) -> None:
    flooding, other = service.account(NUMBERS), service.account(NUMBERS)
    port = urlsplit(service.url).port
    assert port is not None
    overtaken = (await measure(port, flooding, other))[UNKNOWN:]
    # First come, first served, it is one of each connection: ninety for every message.
    assert sorted(overtaken)[len(overtaken) // 2] <= CONNECTIONS * 2 // 3, overtaken
