"""What a client may take of us (reliability.md 2.14), against a server on a real socket."""

import contextlib
import socket
import threading
import time
from datetime import timedelta
from ipaddress import ip_network

import pytest

from tests.support.shell import Client, blob, call, new_shell, request, running, talk
from tests.support.waiting import eventually
from tidings.engine.http.client_address import Proxies, network_of
from tidings.engine.http.intake import IntakeLimits
from tidings.limits import HEADER_BYTES_MAX, HEADERS_MAX, REQUEST_BYTES_MAX

NOTE = {"to": "972501234567"}
CHUNKED = "Transfer-Encoding: chunked"


@pytest.fixture(scope="module")
def port():
    with running(new_shell()) as port:
        yield port


@pytest.fixture(scope="module")
def hasty():
    """A server that waits for nobody: the same rules, tenths of a second in place of seconds.

    What a test must do in time, it does at once; how long that takes is up to the machine.
    """
    intake = IntakeLimits(
        headers_timeout=timedelta(seconds=0.3),
        body_timeout=timedelta(seconds=0.9),
        body_slow_start=timedelta(seconds=0.3),
        keep_alive=timedelta(seconds=1),
    )
    with running(new_shell(), intake) as port:
        yield port


def chunks(*pieces):
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def assert_refused(answer, words, field=None):
    assert (answer.status, answer.code) == (400, "VALIDATION_ERROR")
    assert words in answer.json["error"]["message"]
    if field:
        assert answer.json["error"]["field"] == field
    assert answer.json["error"]["requestId"] == answer.headers["x-request-id"]


# Bytes that are not HTTP


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"hello\r\n\r\n",
        b"GET /value HTTP/1.1\nHost: a\n\n",  # bare line feeds
        b"GET /value HTTP/1.1\r\nHost: a\r\nX: a\r\n folded\r\n\r\n",
        b"GET /value HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n",
        b"GET /value HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        b"POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        b"POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"POST /raw HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\nabc",
        b"GET /value HTTP/1.1\r\n\r\n",  # no Host
        b"GET /value HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ],
)
def test_malformed_requests_get_our_envelope_and_the_connection_ends(port, data):
    with Client(port) as client:
        client.send(data)
        answer = client.read()
        assert (answer.status, answer.code) == (400, "VALIDATION_ERROR")
        assert answer.headers["connection"] == "close"
        assert answer.headers["x-request-id"] == answer.json["error"]["requestId"]
        assert client.is_closed()


def test_garbage_after_a_good_request_does_not_take_its_answer(port):
    with Client(port) as client:
        client.send(request("GET", "/slow", key=None) + b"\x00garbage\r\n\r\n")
        assert client.read().status == 200
        assert client.is_closed()


def test_a_length_that_is_too_short_ends_the_connection_after_the_answer(port):
    lying = request("POST", "/raw", b"x" * 5000).replace(b"Length: 5000", b"Length: 10")
    with Client(port) as client:
        client.send(lying)
        assert client.read().json["data"] == {"bytes": 10}
        assert client.is_closed()


def test_a_client_that_has_closed_its_half_still_gets_its_answer(port):
    with Client(port) as client:
        client.send(request("GET", "/slow", key=None))
        client.socket.shutdown(socket.SHUT_WR)
        assert client.read().headers["connection"] == "close"
        assert client.is_closed()


def test_a_client_that_leaves_in_the_middle_of_its_body_harms_nobody(port):
    with Client(port) as client:
        client.send(request("POST", "/raw", headers=["Content-Length: 100"]) + b"{")
        client.socket.shutdown(socket.SHUT_WR)
        assert client.is_closed()
    assert call(port, "GET", "/value").status == 200


def test_pipelined_requests_are_answered_in_order(port):
    with Client(port) as client:
        client.send(b"".join(request("GET", f"/value/{number}") for number in range(20)))
        assert [client.read().json["data"]["id"] for _ in range(20)] == [
            str(number) for number in range(20)
        ]


def test_an_offer_to_upgrade_is_ignored_and_the_body_still_read(port):
    offer = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"]
    with Client(port) as client:
        client.send(request("POST", "/notes", NOTE, headers=offer))
        assert client.read().status == 201
        client.send(request("GET", "/value"))
        assert client.read().status == 200


def test_a_trailer_does_not_pass_for_a_header(port):
    body = b"3\r\nabc\r\n0\r\nx-api-key: td_sandbox_one\r\n\r\n"
    headers = [CHUNKED, "Content-Type: application/json"]
    data = request("POST", "/notes", body, key=None, headers=headers)
    assert talk(port, data).code == "UNAUTHORIZED"


def test_expect_continue_is_answered_only_when_the_body_is_wanted(port):
    expect = ["Expect: 100-continue", "Content-Length: 21", "Content-Type: application/json"]
    with Client(port) as client:
        client.send(request("POST", "/notes", headers=expect))
        assert client.file.readline() == b"HTTP/1.1 100 Continue\r\n"
        assert client.file.readline() == b"\r\n"
        client.send(b'{"to":"972501234567"}')
        assert client.read().status == 201
    unwanted = talk(port, request("POST", "/notes", key="nobody", headers=expect))
    assert (unwanted.status, unwanted.headers["connection"]) == (401, "close")


# Headers


def test_a_header_block_of_17_kb_is_refused_also_in_pieces(port):
    long = request("GET", "/value", headers=["X-Long: " + "a" * (17 * 1024)])
    assert_refused(talk(port, long), "headers must be at most 16384 bytes")
    with Client(port) as client:
        for start in range(0, len(long) - 2, 1024):
            client.send(long[start : start + 1024][: len(long) - 2 - start])
        assert_refused(client.read(), "headers must be at most 16384 bytes")


def test_a_header_block_just_within_bounds_is_taken(port):
    plain = len(request("GET", "/value", headers=["X-Long: "]))
    value = "a" * (HEADER_BYTES_MAX - plain - 20)
    assert call(port, "GET", "/value", headers=[f"X-Long: {value}"]).status == 200


def test_a_large_body_in_one_chunk_with_its_head_is_no_large_head(port):
    assert call(port, "POST", "/raw", b"x" * 60_000, key=None).json["data"] == {"bytes": 60_000}


def test_more_than_100_headers_are_refused(port):
    few = [f"X-{number}: 1" for number in range(HEADERS_MAX - 2)]
    assert call(port, "GET", "/value", headers=few).status == 200
    assert_refused(call(port, "GET", "/value", headers=[*few, "X-More: 1"]), "100 in number")


# Size


def test_exactly_20_mb_is_processed(port):
    answer = call(port, "POST", "/blobs", blob(REQUEST_BYTES_MAX))
    assert answer.status == 200
    assert answer.json["data"] == {"chars": REQUEST_BYTES_MAX - 11}


def test_one_byte_more_by_content_length_is_refused_before_it_is_read(port):
    head = request("POST", "/blobs", headers=[f"Content-Length: {REQUEST_BYTES_MAX + 1}"])
    with Client(port) as client:
        client.send(head)
        answer = client.read()
        assert_refused(answer, "request exceeds 20MB", "body")
        assert answer.headers["connection"] == "close"
        assert answer.json["environment"] == "sandbox"
        assert "ratelimit-remaining" in answer.headers


def test_a_client_that_sends_all_before_it_reads_still_gets_the_refusal(port):
    answer = call(port, "POST", "/blobs", blob(REQUEST_BYTES_MAX + 1))
    assert_refused(answer, "request exceeds 20MB", "body")


def test_one_byte_more_in_chunks_is_refused(port):
    pieces = [
        blob(REQUEST_BYTES_MAX + 1)[start : start + (1 << 20)]
        for start in range(0, 21 << 20, 1 << 20)
    ]
    headers = [CHUNKED, "Content-Type: application/json"]
    data = request("POST", "/blobs", chunks(*(piece for piece in pieces if piece)), headers=headers)
    answer = talk(port, data)
    assert_refused(answer, "request exceeds 20MB", "body")
    assert answer.headers["connection"] == "close"


def test_a_route_without_a_body_ignores_one_but_bounds_it(port):
    with Client(port) as client:
        client.send(request("POST", "/value/7/cancel", b"not json"))
        assert client.read().json["data"]["id"] == "7"
        client.send(request("GET", "/value"))
        assert client.read().status == 200
    data = request("POST", "/value/7/cancel", headers=[CHUNKED]) + chunks(*[b"x" * (1 << 20)] * 21)
    assert_refused(talk(port, data), "request exceeds 20MB")


def test_an_answer_before_the_body_is_read_leaves_the_connection_usable(port):
    with Client(port) as client:
        client.send(request("POST", "/blobs", blob(3 << 20), key="nobody"))
        assert client.read().status == 401
        client.send(request("GET", "/value"))
        assert client.read().status == 200


def test_endless_chunk_extensions_and_trailers_are_cut(port):
    for tail in (b"1;" + b"e" * 40_000, b"0\r\nTrailer: " + b"t" * 40_000):
        with Client(port) as client:
            client.send(request("POST", "/raw", key=None, headers=[CHUNKED]))
            client.send(tail)
            assert_refused(client.read(), "chunk extensions or trailers", "body")


def test_a_broken_chunk_is_reported_with_the_environment(port):
    headers = [CHUNKED, "Content-Type: application/json"]
    answer = talk(port, request("POST", "/notes", b"zz\r\nabc\r\n", headers=headers))
    assert_refused(answer, "not well-formed")
    assert answer.json["environment"] == "sandbox"
    assert answer.headers["connection"] == "close"


# Time


def test_slow_headers_are_refused(hasty):
    with Client(hasty) as client:
        client.send(b"GET /value HTTP/1.1\r\nHost: a\r\nX-Slow")
        assert_refused(client.read(), "headers took too long")
        assert client.is_closed()


def test_a_slow_body_is_refused_with_the_environment(hasty):
    headers = ["Content-Length: 5000", "Content-Type: application/json"]
    with Client(hasty) as client:
        client.send(request("POST", "/notes", headers=headers) + b'{"to":')
        answer = client.read()
        assert_refused(answer, "too long to arrive", "body")
        assert answer.json["environment"] == "sandbox"
        assert client.is_closed()


def test_a_trickle_above_the_least_speed_ends_at_the_time_limit(hasty):
    with Client(hasty) as client:
        client.send(request("POST", "/raw", headers=["Content-Length: 10000000"]))
        for _ in range(24):
            client.send(b"x" * 4000)
            time.sleep(0.05)
        assert_refused(client.read(), "too long to arrive")


def test_a_body_still_coming_after_its_answer_is_cut_in_time(hasty):
    with Client(hasty) as client:
        client.send(request("POST", "/notes", key="nobody", headers=["Content-Length: 5000"]))
        assert client.read().status == 401
        assert client.is_closed()


def test_an_idle_connection_is_closed_and_a_silent_one_too(hasty):
    with Client(hasty) as silent, Client(hasty) as idle:
        idle.send(request("GET", "/value"))
        assert idle.read().status == 200
        assert idle.is_closed()
        assert silent.is_closed()


def test_our_own_slowness_is_not_the_clients(hasty):
    with Client(hasty) as client:
        client.send(request("GET", "/slow", key=None))
        assert client.read().status == 200


def test_a_client_that_does_not_read_is_cut():
    pipelined = request("GET", "/value/" + "x" * 4000) * 400
    intake = IntakeLimits(reading_window=timedelta(seconds=0.3))
    with running(new_shell(), intake) as port, Client(port) as client:
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises(ConnectionError):
            client.socket.sendall(pipelined * 20)


# Connections


def test_addresses_of_one_ipv6_network_are_one_client():
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9%eth0")
    assert network_of("2001:db8:1:2::") != network_of("2001:db8:1:3::")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"


def test_more_connections_than_allowed_get_a_503_and_places_are_given_back():
    intake = IntakeLimits(connections_max=5, connections_per_address_max=3)
    with running(new_shell(), intake) as port:
        held = [Client(port) for _ in range(3)]
        with Client(port) as client:
            client.send(request("GET", "/value"))
            answer = client.read()
            assert (answer.status, answer.code) == (503, "SERVICE_UNAVAILABLE")
            assert answer.headers["retry-after"] == "1"
            assert client.is_closed()
        held.pop().__exit__()
        eventually(lambda: call(port, "GET", "/value").status == 200)
        for client in held:
            client.__exit__()


def test_our_own_proxy_may_hold_more_connections_up_to_the_total():
    proxies = Proxies((ip_network("127.0.0.0/8"),))
    intake = IntakeLimits(connections_max=4, connections_per_address_max=1, proxies=proxies)
    with running(new_shell(), intake) as port, contextlib.ExitStack() as stack:
        for _ in range(4):
            client = stack.enter_context(Client(port))
            client.send(request("GET", "/value"))
            assert client.read().status == 200
        assert call(port, "GET", "/value").status == 503


# Stopping


def test_a_request_in_flight_is_finished_when_the_server_stops():
    answers, ctx = [], {"running": 0, "most": 0}
    with running(new_shell(ctx)) as port:
        client = Client(port)
        client.send(request("GET", "/slow", key=None))
        thread = threading.Thread(target=lambda: answers.append(client.read()))
        thread.start()
        eventually(lambda: ctx["running"] == 1)
    thread.join()
    assert answers[0].status == 200
    assert answers[0].headers["connection"] == "close"
    client.__exit__()
