"""Calls to the platform over real sockets: what may have been done, and what surely was not."""

import asyncio
import json
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any, TypeVar

import pytest
import trustme

from tests.support import receiver as customers
from tests.support.receiver import Receiver, hang, raw, redirect, reply, reset
from tidings import __version__
from tidings.platforms.whatsapp.call_errors import (
    GraphCallError,
    GraphErrorResponse,
    NoResponse,
    Unreachable,
)
from tidings.platforms.whatsapp.client import RESPONSE_BYTES_MAX, Graph

T = TypeVar("T")

TOKEN = "EAAG-secret-token-of-a-customer"
SOON = timedelta(seconds=30)
SHORT = timedelta(seconds=1)  # to wait for what does not come
ERROR = {
    "error": {
        "message": "(#131016) Service unavailable",
        "type": "OAuthException",
        "code": 131016,
        "error_subcode": 2494010,
        "error_data": {"messaging_product": "whatsapp", "details": "Try again later."},
        "fbtrace_id": "Az8or2yhqkZfEZ",
    }
}


@pytest.fixture
def server() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running


def using(url: str, work: Callable[[Graph], Awaitable[T]], **options: Any) -> T:
    async def run() -> T:
        graph = Graph(url, "v25.0", **({"timeout": SOON, "connect_timeout": SOON} | options))
        try:
            return await work(graph)
        finally:
            await graph.close()

    return asyncio.run(run())


def post(url: str, **options: Any) -> dict[str, Any]:
    return using(url, lambda graph: graph.post_json("1055/messages", TOKEN, {"a": 1}), **options)


def fault(url: str, **options: Any) -> GraphCallError:
    with pytest.raises(GraphCallError) as caught:
        post(url, **options)
    assert TOKEN not in repr(caught.value) and caught.value.__cause__ is None
    return caught.value


def at(server: Receiver) -> str:
    return server.url_at("127.0.0.1", "")


def said(status: int, body: object, **headers: str) -> Any:
    return reply(status, body=json.dumps(body).encode(), headers=headers)


# A call that succeeds


def test_a_call_names_the_version_its_bearer_and_who_calls(server: Receiver) -> None:
    server.answer(said(200, {"messages": [{"id": "wamid.1"}]}))
    assert post(at(server)) == {"messages": [{"id": "wamid.1"}]}
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/v25.0/1055/messages")
    assert request["Authorization"] == f"Bearer {TOKEN}"
    assert request["User-Agent"] == f"tidings/{__version__}"
    assert request["Content-Type"] == "application/json"
    assert request.body == b'{"a":1}'


def test_a_base_address_with_a_path_is_kept(server: Receiver) -> None:
    server.answer(said(200, {}))
    post(server.url_at("127.0.0.1", "/graph"))
    assert server.requests[0].path == "/graph/v25.0/1055/messages"


def test_reading_passes_the_fields_asked_for(server: Receiver) -> None:
    server.answer(said(200, {"id": "1055"}))
    fields = {"fields": "id,status", "after": "a b&c"}
    assert using(at(server), lambda graph: graph.get_json("1055", TOKEN, fields)) == {"id": "1055"}
    assert server.requests[0].path == "/v25.0/1055?fields=id,status&after=a+b%26c"


def test_a_part_of_a_path_cannot_lead_elsewhere(server: Receiver) -> None:
    server.answer(said(200, {}))
    using(at(server), lambda graph: graph.get_json("10 55?x=1#y/messages", TOKEN))
    assert server.requests[0].path == "/v25.0/10%2055%3Fx=1%23y/messages"


def test_connections_are_kept_and_used_again(server: Receiver) -> None:
    server.answer(said(200, {}))

    async def thrice(graph: Graph) -> None:
        for _ in range(3):
            await graph.post_json("1055/messages", TOKEN, {})

    using(at(server), thrice)
    assert (len(server.requests), server.connections) == (3, 1)


def test_an_upload_is_a_form_with_the_right_type_and_answers_with_its_id(server: Receiver) -> None:
    server.answer(said(200, {"id": "4490709327384033"}))
    upload = using(
        at(server),
        lambda graph: graph.upload("1055", TOKEN, b"%PDF-1.4", "application/pdf", "ü.pdf"),
    )
    request = server.requests[0]
    assert (upload, request.path) == ("4490709327384033", "/v25.0/1055/media")
    assert request["Content-Type"].startswith("multipart/form-data; boundary=")
    parts = request.body.decode()
    assert 'name="messaging_product"\r\n\r\nwhatsapp\r\n' in parts
    assert 'name="type"\r\n\r\napplication/pdf\r\n' in parts
    assert "%PDF-1.4" in parts and "Content-Type: application/pdf\r\n" in parts


def test_uploads_wait_for_the_connections_there_are(server: Receiver) -> None:
    server.answer(said(200, {"id": "4490709327384033"}))

    async def upload(graph: Graph) -> None:
        uploads = (graph.upload("1055", TOKEN, b"x", "image/png", "a.png") for _ in range(6))
        await asyncio.gather(*uploads)

    using(at(server), upload, connections=2)
    assert (len(server.requests), server.connections) == (6, 2)


@pytest.mark.parametrize("answer", [{}, {"id": ""}, {"id": 5}])
def test_an_upload_without_an_id_is_no_upload(server: Receiver, answer: object) -> None:
    server.answer(said(200, answer))
    with pytest.raises(NoResponse):
        using(at(server), lambda graph: graph.upload("1", TOKEN, b"x", "image/png", "a.png"))


# Nothing was written


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_a_port_where_nobody_listens_takes_nothing() -> None:
    assert isinstance(fault(f"http://127.0.0.1:{free_port()}"), Unreachable)


def test_a_name_that_does_not_resolve_takes_nothing() -> None:
    unknown = fault("http://graph.does-not-exist.invalid", connect_timeout=SHORT)
    assert isinstance(unknown, Unreachable)


def test_a_connection_that_is_never_accepted_takes_nothing() -> None:
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for waiting in (first, second):
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        failed = fault(f"http://127.0.0.1:{full.getsockname()[1]}", connect_timeout=SHORT)
    assert isinstance(failed, Unreachable) and "Timeout" in str(failed)


def test_a_certificate_of_somebody_else_takes_nothing() -> None:
    authority, other = trustme.CA(), trustme.CA()
    with Receiver(tls=customers.presenting(authority, "127.0.0.1")) as server:
        trusted = customers.trusting(other)
        assert isinstance(fault(server.url_at("127.0.0.1", ""), tls=trusted), Unreachable)
        assert server.requests == []


def test_a_certificate_for_another_name_takes_nothing() -> None:
    authority = trustme.CA()
    with Receiver(tls=customers.presenting(authority, "graph.example.com")) as server:
        trusted = customers.trusting(authority)
        assert isinstance(fault(server.url_at("127.0.0.1", ""), tls=trusted), Unreachable)


def test_a_server_that_breaks_off_the_handshake_takes_nothing(server: Receiver) -> None:
    context = ssl.create_default_context()
    url = at(server).replace("http:", "https:")
    assert isinstance(fault(url, tls=context, connect_timeout=SHORT), Unreachable)


def test_over_tls_a_call_succeeds(server: Receiver) -> None:
    authority = trustme.CA()
    with Receiver(tls=customers.presenting(authority, "127.0.0.1")) as secure:
        secure.answer(said(200, {"ok": True}))
        trusted = customers.trusting(authority)
        assert post(secure.url_at("127.0.0.1", ""), tls=trusted) == {"ok": True}


# Bytes were written, and no answer that makes sense came

CLOSES = {"in order": False, "with a reset": True}


@pytest.mark.parametrize("resets", CLOSES.values(), ids=list(CLOSES))
async def test_a_server_that_closes_within_the_request_may_have_acted(resets: bool) -> None:
    async def close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        if resets:
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort() if resets else writer.close()

    server = await asyncio.start_server(close, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    graph = Graph(f"http://127.0.0.1:{port}", "v25.0", timeout=SOON)
    with pytest.raises(GraphCallError) as caught:
        await graph.post_json("1/messages", TOKEN, {})
    await graph.close()
    server.close()
    assert isinstance(caught.value, NoResponse)


SILENCES = {
    "a reset after reading": reset(),
    "silence": hang(),
    "half an answer": hang(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "half a body": hang(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    "a body cut short": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}"),
    "no HTTP": raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    "a close": raw(b""),
    "500 without a body": reply(500),
    "500 with HTML": reply(500, body=b"<html>Sorry</html>"),
    "502 with JSON that is not Graph's": said(502, {"oops": 1}),
    "503 with an error that has no code": said(503, {"error": {"message": "busy"}}),
    "504 with an error that is text": said(504, {"error": "upstream timed out"}),
    "200 with garbage": reply(200, body=b"\xff\xfe<html>"),
    "200 with nothing": reply(200),
    "200 with a list": said(200, []),
}
ENDLESS = {"silence", "half an answer", "half a body"}


@pytest.mark.parametrize("name", SILENCES)
def test_without_the_platforms_words_it_may_have_been_done(server: Receiver, name: str) -> None:
    server.answer(SILENCES[name])
    timeout = SHORT if name in ENDLESS else SOON
    assert isinstance(fault(at(server), timeout=timeout), NoResponse)
    assert len(server.requests) == 1, "never a second time by itself"


def test_an_answer_without_end_is_no_answer(server: Receiver) -> None:
    server.answer(customers.endless(claims=RESPONSE_BYTES_MAX * 2))
    assert isinstance(fault(at(server)), NoResponse)


def test_a_kept_connection_that_the_server_drops_is_not_used_for_a_second_try(
    server: Receiver,
) -> None:
    server.answers([said(200, {}), reset()])

    async def twice(graph: Graph) -> None:
        await graph.post_json("1/messages", TOKEN, {})
        await graph.post_json("1/messages", TOKEN, {})

    with pytest.raises(NoResponse):
        using(at(server), twice)
    assert len(server.requests) == 2


# The platform said no


@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500, 503])
def test_a_graph_error_is_a_no_whatever_the_status(server: Receiver, status: int) -> None:
    server.answer(said(status, ERROR))
    refused = fault(at(server))
    assert isinstance(refused, GraphErrorResponse) and refused.status == status
    error = refused.error
    assert (error.code, error.subcode, error.trace) == (131016, 2494010, "Az8or2yhqkZfEZ")
    assert error.details == "Try again later."


STRANGERS = {
    "a redirect": redirect("https://example.com/"),
    "a permanent redirect": redirect("/elsewhere", 308),
    "404 with HTML": reply(404, body=b"<html>nothing here</html>"),
    "407 of a proxy": reply(407),
    "429 of an edge": reply(429, headers={"Retry-After": "30"}),
}


@pytest.mark.parametrize("answer", STRANGERS.values(), ids=list(STRANGERS))
def test_a_no_that_is_not_the_platforms_took_nothing(server: Receiver, answer: Any) -> None:
    server.answer(answer)
    assert isinstance(fault(at(server)), Unreachable)
    assert len(server.requests) == 1, "redirects are not followed"


def test_the_wait_that_is_asked_for_comes_along(server: Receiver) -> None:
    server.answer(said(429, ERROR, **{"Retry-After": "17"}))
    refused = fault(at(server))
    assert isinstance(refused, GraphErrorResponse) and refused.retry_after == timedelta(seconds=17)
    server.answer(reply(429, headers={"Retry-After": "30"}))
    stranger = fault(at(server))
    assert isinstance(stranger, Unreachable) and stranger.retry_after == timedelta(seconds=30)


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "tab\t", "ünïcode", "\x00"])
def test_a_token_that_no_header_can_carry_is_refused_like_one_nobody_knows(
    server: Receiver, token: str
) -> None:
    with pytest.raises(GraphErrorResponse) as caught:
        using(at(server), lambda graph: graph.post_json("1055/messages", token, {}))
    assert caught.value.error.code == 190 and server.requests == []
