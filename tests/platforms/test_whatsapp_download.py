"""Files that guests sent, fetched from the platform over real sockets."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any, TypeVar

import pytest

from tests.support.receiver import Receiver, hang, raw, reply, reset
from tidings.platforms.whatsapp.call_errors import (
    GraphCallError,
    GraphErrorResponse,
    NoResponse,
    Unreachable,
)
from tidings.platforms.whatsapp.client import Graph

T = TypeVar("T")

TOKEN = "EAAG-secret-token-of-a-customer"


@pytest.fixture
def server() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running


def at(server: Receiver) -> str:
    return server.url_at("127.0.0.1", "")


def said(status: int, body: object) -> Any:
    return reply(status, body=json.dumps(body).encode())


def using(
    server: Receiver,
    work: Callable[[Graph], Awaitable[T]],
    timeout: timedelta = timedelta(seconds=30),
) -> T:
    async def run() -> T:
        graph = Graph(at(server), "v25.0", timeout=timeout, connect_timeout=timeout)
        try:
            return await work(graph)
        finally:
            await graph.close()

    return asyncio.run(run())


def fetch(
    server: Receiver, media_id: str = "5532", **options: Any
) -> tuple[bytes, str, int | None]:
    async def work(graph: Graph) -> tuple[bytes, str, int | None]:
        async with graph.download(media_id, TOKEN) as file:
            body = b"".join([piece async for piece in file.chunks])
            return body, file.mimetype, file.size

    return using(server, work, **options)


def listed(url: str) -> Any:
    return said(200, {"url": url, "mime_type": "image/jpeg", "file_size": "9", "id": "5532"})


def test_a_file_is_looked_up_and_then_fetched_with_the_same_token(server: Receiver) -> None:
    server.answers([listed(f"{at(server)}/files/1"), reply(200, body=b"\xff\xd8\xffpixels")])
    assert fetch(server) == (b"\xff\xd8\xffpixels", "image/jpeg", 9)
    assert [request.path for request in server.requests] == ["/v25.0/5532", "/files/1"]
    assert {request["Authorization"] for request in server.requests} == {f"Bearer {TOKEN}"}
    assert server.requests[1]["User-Agent"].startswith("tidings/")


@pytest.mark.parametrize(
    "url",
    [
        *["http://lookaside.fbsbx.com/x", "https://example.com/x", "https://fbsbx.com.evil.com/x"],
        *["https://evilfbsbx.com/x", "//lookaside.fbsbx.com/x", "/files/1", "", "https://", "x"],
        *["http://127.0.0.1:1/files/1", "https://fbsbx.com@evil.com/x", "http://[::1"],
    ],
)
def test_our_token_goes_to_the_platforms_hosts_alone(server: Receiver, url: str) -> None:
    server.answers([listed(url)])
    with pytest.raises(NoResponse, match="not the platform's"):
        fetch(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize("media_id", ["", "..", "../1055", "a/b", "a?b", ".", "a b", "ä"])
def test_what_is_no_id_is_not_asked_for(server: Receiver, media_id: str) -> None:
    with pytest.raises(Unreachable):
        fetch(server, media_id)
    assert server.requests == []


def test_a_file_that_is_gone_is_said_so_by_the_platform(server: Receiver) -> None:
    server.answers([said(400, {"error": {"code": 100, "error_subcode": 33, "message": "gone"}})])
    with pytest.raises(GraphErrorResponse) as caught:
        fetch(server)
    assert (caught.value.error.code, caught.value.error.subcode) == (100, 33)


@pytest.mark.parametrize(
    ("status", "kind"), [(404, Unreachable), (302, Unreachable), (500, NoResponse)]
)
def test_an_address_that_went_stale_is_a_fault(
    server: Receiver, status: int, kind: type[GraphCallError]
) -> None:
    server.answers([listed(f"{at(server)}/files/1"), reply(status)])
    with pytest.raises(kind) as caught:
        fetch(server)
    assert caught.value.status == status


@pytest.mark.parametrize(
    "answer",
    [
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
        hang(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
        reset(),
    ],
    ids=["cut short", "stuck", "reset"],
)
def test_a_file_that_breaks_off_is_a_fault(server: Receiver, answer: Any) -> None:
    # A read, and only a read, is repeated where a kept connection breaks at once.
    server.answers([listed(f"{at(server)}/files/1"), answer, answer])
    with pytest.raises(NoResponse):
        fetch(server, timeout=timedelta(seconds=1))


def test_a_large_file_comes_in_pieces(server: Receiver) -> None:
    body = bytes(range(256)) * 4096
    server.answers([listed(f"{at(server)}/files/1"), reply(200, body=body)])
    assert fetch(server)[0] == body


def test_who_stops_reading_leaves_nothing_behind(server: Receiver) -> None:
    server.answers(
        [listed(f"{at(server)}/files/1"), reply(200, body=b"x" * 1_000_000), said(200, {})]
    )

    async def work(graph: Graph) -> None:
        with pytest.raises(ConnectionResetError):
            async with graph.download("5532", TOKEN) as file:
                async for _ in file.chunks:
                    raise ConnectionResetError("the customer went away")
        await graph.post_json("1/messages", TOKEN, {})

    using(server, work)
