"""Bytes that are no proper HTTP: the smuggling corpus, and good requests spoilt in their bytes.

Each goes to a connection of its own; whatever comes back must be whole answers, none of them a 5xx.
"""

from random import Random

from proof.fuzz import api_calls, spoil
from proof.fuzz.call import Call
from proof.fuzz.known import Known

_HOST = b"Host: fuzz.invalid\r\n"
_SMUGGLED = b"GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
_POST = b"POST /api/v1/messages/text HTTP/1.1\r\n" + _HOST


def _framed(*lines: bytes, body: bytes = b"") -> bytes:
    return _POST + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body


CORPUS = [
    _framed(b"Content-Length: 3", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n" + _SMUGGLED),
    _framed(b"Transfer-Encoding: chunked", b"Content-Length: 3", body=b"0\r\n\r\n" + _SMUGGLED),
    _framed(b"Content-Length: 3", b"Content-Length: 3", body=b"abc"),
    _framed(b"Content-Length: 3", b"Content-Length: 4", body=b"abcd"),
    _framed(b"Content-Length: 3, 3", body=b"abc"), _framed(b"Content-Length: +3", body=b"abc"),
    _framed(b"Content-Length: -1"), _framed(b"Content-Length: 0x3", body=b"abc"),
    _framed(b"Content-Length: 3 ", body=b"abc"), _framed(b"Content-Length: " + b"9" * 30),
    _framed(b"Content-Length : 3", body=b"abc"), _framed(b"Content-Length:", body=b"abc"),
    _framed(b"Transfer-Encoding: xchunked", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding : chunked", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked, chunked", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked", b"Transfer-Encoding: x", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding: identity", b"Content-Length: 3", body=b"abc"),
    _framed(b"Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding:\x0bchunked", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding\x00: chunked", body=b"0\r\n\r\n"),
    _framed(b"X: y\nTransfer-Encoding: chunked", body=b"0\r\n\r\n"),
    _framed(b" Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
    _framed(b"X: y", b"\tTransfer-Encoding: chunked", body=b"0\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked", body=b"g\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked", body=b"-1\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked", body=b"0x1\r\na\r\n0\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked", body=b"f" * 20 + b"\r\na"),
    _framed(b"Transfer-Encoding: chunked", body=b"1\na\n0\n\n"),
    _framed(b"Transfer-Encoding: chunked", body=b"1\r\nabc\r\n0\r\n\r\n"),
    _framed(b"Transfer-Encoding: chunked", body=b"1 \r\na\r\n0\r\n\r\n" + _SMUGGLED),
    _framed(b"Transfer-Encoding: chunked", body=b"0\r\nX: y\r\n\r\n" + _SMUGGLED),
    _framed(b"Transfer-Encoding: chunked", body=b"0\r\nContent-Length: 9\r\n\r\n" + _SMUGGLED),
    _framed(b"Transfer-Encoding: chunked", body=b"1;" + b"e" * 20_000 + b"\r\na\r\n0\r\n\r\n"),
    _framed(b"Content-Length: 10", body=_SMUGGLED), _framed(b"Content-Length: 0", body=_SMUGGLED),
    b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n", b"GET / HTTP/0.9\r\n\r\n", b"GET /\r\n\r\n",
    b"GET / HTTP/1.2\r\nHost: a\r\n\r\n",
    b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", b"GET / HTTP/11\r\nHost: a\r\n\r\n",
    b"GET / http/1.1\r\nHost: a\r\n\r\n",
    b"get / HTTP/1.1\r\nHost: a\r\n\r\n", b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET http://a.invalid/api/v1/health HTTP/1.1\r\nHost: b\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    b"CONNECT a.invalid:443 HTTP/1.1\r\nHost: a\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /api/v1/health HTTP/1.1\nHost: a\n\n", b"GET /api/v1/health HTTP/1.1\rHost: a\r\r",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 200 + b"\r\n",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x00" * 100, b"\r\n" * 100, b"\xff" * 5000,
    b"A" * 40_000,
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET /api/v1/health HTTP/1.1\r\nHost: a\r\n\r\n" * 50, b"HELO x\r\n",
    b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \r\n\r\n",
    b"HEAD /portal HTTP/1.1\r\nHost:\xff\r\n\r\n",
]  # fmt: skip


def make(rng: Random, known: Known) -> Call:
    roll = rng.random()
    if roll < 0.4:
        raw = rng.choice(CORPUS)
    elif roll < 0.6:
        raw = spoil.spoil_bytes(rng, rng.choice(CORPUS))
    else:
        raw = spoil.spoil_bytes(rng, api_calls.make(rng, known).raw)
    return Call("raw", "bytes", raw[:200_000], is_alone=True)
