"""What tests of the live adapter share: files in memory, sends, and an adapter to hand them to."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.graph import PHONE_NUMBER_ID, TOKEN, WABA_ID, FakeGraph
from tidings.clock import Clock, SystemClock
from tidings.platforms.content import Content, Text
from tidings.platforms.port import DispatchOutcome, FailureKind, Rejected, Send, Sender
from tidings.platforms.whatsapp.adapter import WhatsApp
from tidings.platforms.whatsapp.client import Graph
from tidings.secrets import Secret

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TO = "972501234567"
SHORT = timedelta(seconds=0.5)  # to wait for an answer that does not come


class FakeFiles:
    """Files in memory. `fails` are raised by the next reads, one after another."""

    def __init__(self) -> None:
        self.bytes = {"med_1": b"one", "med_2": b"two"}
        self.uploaded: dict[tuple[str, str, str], str] = {}
        self.fails: list[Exception] = []

    async def read(self, account: str, media: str) -> bytes:
        if self.fails:
            raise self.fails.pop(0)
        return self.bytes[media]

    async def find_upload(self, account: str, media: str, phone_number_id: str) -> str | None:
        return self.uploaded.get((account, media, phone_number_id))

    async def save_upload(
        self, account: str, media: str, phone_number_id: str, platform_id: str
    ) -> None:
        self.uploaded[account, media, phone_number_id] = platform_id

    async def delete_upload(self, account: str, media: str, phone_number_id: str) -> None:
        self.uploaded.pop((account, media, phone_number_id), None)


def sender(phone_number_id: str = PHONE_NUMBER_ID, token: str = TOKEN) -> Sender:
    return Sender("972555000001", phone_number_id, WABA_ID, Secret(token))


def send(to: str = TO, content: Content | None = None, **more: Any) -> Send:
    values = {"sender": sender(), "at": NOON, "client_message_id": "order-0001"} | more
    return Send(send_id=f"{to}.1", account="acc", to=to, content=content or Text("Hi"), **values)


def using(
    graph: FakeGraph,
    files: FakeFiles,
    work: Callable[[WhatsApp], Awaitable[Any]],
    clock: Clock | None = None,
    timeout: timedelta = timedelta(seconds=30),
    **options: Any,
) -> Any:
    async def run() -> Any:
        client = Graph(graph.url, "v25.0", timeout=timeout)
        try:
            return await work(WhatsApp(client, files, clock or SystemClock(), **options))
        finally:
            await client.close()

    return asyncio.run(run())


def answers(
    graph: FakeGraph, files: FakeFiles, *sends: Send, **options: Any
) -> list[DispatchOutcome]:
    results = using(graph, files, lambda adapter: adapter.send(sends), **options)
    return [result.outcome for result in results]


def failure(answer: DispatchOutcome) -> tuple[FailureKind, str, int | None]:
    assert isinstance(answer, Rejected), answer
    return answer.failure.kind, answer.failure.code, answer.failure.platform_code
