"""The protocol by itself: requests in any pieces, applications that fail, addresses."""

import socket

import httptools
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.shell import Client, blob, new_shell, request, running, talk
from tidings.engine.http.request_head import split_url
from tidings.limits import HEADER_BYTES_MAX

CHUNKED = ["Transfer-Encoding: chunked", "Content-Type: application/json"]
AHEAD = b"".join(
    [
        request("GET", "/value/1"),
        request("POST", "/blobs", blob(40)),
        request("POST", "/blobs", b"c\r\n" + blob(12) + b"\r\n0\r\n\r\n", headers=CHUNKED),
        request("POST", "/raw", b"GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n", key=None),
        request("GET", "/value/5"),
    ]
)
ANSWERS = [{"id": "1", "method": "GET"}, {"chars": 29}, {"chars": 1}, {"bytes": 36}]


@pytest.fixture(scope="module")
def port():
    with running(new_shell()) as port:
        yield port


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(0, len(AHEAD)), max_size=6))
@example(cuts=[len(request("GET", "/value/1")) + 3])
def test_requests_are_the_same_in_whatever_pieces_they_arrive(port, cuts):
    ends = [*sorted(set(cuts)), len(AHEAD)]
    with Client(port) as client:
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start, end in zip([0, *ends], ends, strict=False):
            client.send(AHEAD[start:end])
        answers = [client.read().json["data"] for _ in range(5)]
    assert answers == [*ANSWERS, {"id": "5", "method": "GET"}]


def test_extensions_and_trailers_are_cut_where_they_arrive_with_the_head(port):
    for tail in (b"1;" + b"e" * 40_000, b"0\r\nTrailer: " + b"t" * 40_000):
        answer = talk(port, request("POST", "/raw", key=None, headers=CHUNKED) + tail)
        assert answer.status == 400
        assert "chunk extensions or trailers" in answer.json["error"]["message"]


BEFORE = {"GET": request("GET", "/slow"), "POST": request("POST", "/raw", b"x" * 9, key=None)}


@pytest.mark.parametrize("first", BEFORE.values(), ids=list(BEFORE))
def test_a_head_is_as_long_as_it_is_also_behind_another_request(port, first):
    with Client(port) as client:
        client.send(first + b"GET /" + b"y" * (HEADER_BYTES_MAX + 1))
        assert client.read().status == 200
        client.send(b" HTTP/1.1\r\nHost: a\r\n\r\n")
        assert client.is_closed()


@pytest.mark.parametrize("version", [b"HTTP/1.1", b"HTTP/2.0"])
def test_one_request_is_parsed_ahead_whatever_version_it_claims(version):
    ahead, rest = [], b"Host: a\r\nConnection: keep-alive\r\n\r\n"

    async def app(exchange):
        ahead.append(len(exchange.channel._queued))
        exchange.status = 200
        await exchange.respond(b"content-length: 0\r\n", b"")

    with running(app) as port, Client(port) as client:
        client.send(request("GET", "/") + b"GET / %b\r\n%b" % (version, rest) * 50)
        assert client.read().status == client.read().status == 200
    assert max(ahead) == 1


def test_every_answer_has_a_date(port):
    assert talk(port, request("GET", "/value")).headers["date"].endswith(" GMT")


def test_a_stream_to_a_client_of_http_1_0_ends_with_the_connection(port):
    with Client(port) as client:
        client.send(request("GET", "/stream").replace(b"HTTP/1.1", b"HTTP/1.0"))
        head, _, body = client.file.read().partition(b"\r\n\r\n")
    assert (b"transfer-encoding" in head, body) == (False, b"one two three")


async def answer_nothing(exchange):
    return


async def answer_less(exchange):
    exchange.status = 200
    await exchange.start(b"content-length: 10\r\n", 10)
    await exchange.send(b"short")
    exchange.end()


async def answer_more(exchange):
    exchange.status = 200
    await exchange.start(b"content-length: 3\r\n", 3)
    await exchange.send(b"longer")


async def answer_in_part(exchange):
    exchange.status = 200
    await exchange.start(b"", None)
    await exchange.send(b"part")
    raise ConnectionAbortedError


def test_a_stream_of_http_1_0_that_breaks_off_does_not_look_complete():
    with running(answer_in_part) as port, Client(port) as client:
        client.send(b"GET / HTTP/1.0\r\n\r\n")
        with pytest.raises(ConnectionResetError):
            client.file.read()


def test_an_application_that_answers_nothing_gives_a_500(port):
    with running(answer_nothing) as port, Client(port) as client:
        client.send(request("GET", "/"))
        answer = client.read()
        assert (answer.status, answer.code) == (500, "INTERNAL_ERROR")
        assert client.is_closed()


@pytest.mark.parametrize(("app", "sent"), [(answer_less, b"short"), (answer_more, b"")])
def test_a_length_that_was_wrongly_declared_ends_the_connection(app, sent):
    with running(app) as port, Client(port) as client:
        client.send(request("GET", "/") * 2)
        assert client.read().body == sent
        assert client.is_closed()


@given(url=st.binary(min_size=1, max_size=40).map(lambda tail: b"/" + tail))
@example(url=b"//host/path?a=b?c")
@example(url=b"/a?b#c")
@example(url=b"/a#b?c")
def test_an_address_is_split_as_the_parser_of_urls_splits_it(url):
    try:
        expected = httptools.parse_url(url)
    except httptools.HttpParserInvalidURLError:
        return  # the request parser refuses it before it is split
    if expected.path.isascii():
        assert split_url(url) == (expected.path, expected.query or b"")


@pytest.mark.parametrize("url", [b"http://host", b"host:443"])
def test_what_has_no_path_is_refused(port, url):
    answer = talk(port, b"OPTIONS " + url + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (answer.status, answer.code) == (400, "VALIDATION_ERROR")
