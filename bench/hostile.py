"""Bodies made to cost much, of many shapes, and how long others wait for an answer meanwhile."""

import json
import threading
import time
from collections.abc import Callable
from functools import partial

import httpx

MOST = 20 << 20
BULK, TEXT = "/messages/bulk", "/messages/text"
FIELDS = b'"clientMessageId":"hostile-0001","to":"972501234567","templateName":"plain"'
DEEP = b"[" * 28 + b"]" * 28
HOST = ".".join("".join(chr(0x4E00 + 61 * n + 7 * m) for m in range(20)) for n in range(9))


def shapes(size: int) -> dict[str, tuple[str, Callable[[], bytes]]]:
    """By name: where it goes, and a body of about this many bytes."""
    thousandth = size // 1000
    return {
        "deep arrays in an unknown field": (BULK, lambda: _items(b"x", _list(DEEP, thousandth))),
        "deep arrays in meta": (BULK, lambda: _items(b"meta", _list(DEEP, thousandth))),
        "one very deep value": (TEXT, lambda: _one(b"x", b"[" * (size // 2) + b"]" * (size // 2))),
        "a deep value that does not end": (TEXT, lambda: _one(b"x", b"[" * min(size, 200_000))),
        "lists of lists": (BULK, lambda: _items(b"x", _list(b"[]", thousandth))),
        "lists of lists in few items": (
            BULK,
            lambda: _items(b"x", _list(_list(b"0", 8000), size // 80), 80),
        ),
        "millions of tiny items": (BULK, lambda: _batch([b"1"] * (size // 2 - 20))),
        "fifty thousand tiny items": (BULK, lambda: _batch([b"1"] * 50_000)),
        "four thousand items": (BULK, lambda: _items(b"meta", _text(b"b", size // 4000), 4000)),
        "unknown fields": (BULK, lambda: _batch([_fields(thousandth // 12)] * 1000)),
        "fields of the body": (BULK, lambda: _fields(4000, b"1" * (size // 4100))),
        "hosts to encode": (BULK, lambda: _batch([_url(n) for n in range(1000)])),
        "hosts with many letters": (BULK, lambda: _batch([_url(n, HOST) for n in range(1000)])),
        "faulty items": (BULK, lambda: _items(b"scheduledFor", b'"soon"')),
        "large faulty items": (BULK, lambda: _items(b"to", b"1" * thousandth)),
        "escapes in a large text": (TEXT, lambda: _one(b"mediaBase64", _text(b"\\/", size // 2))),
        "escapes in a field": (TEXT, lambda: _one(b"message", _text(b"\\u00e9", size // 6))),
        "escapes in items": (BULK, lambda: _items(b"message", _text(b"\\/", thousandth // 2))),
        "characters of four bytes": (
            TEXT,
            lambda: _one(b"mediaBase64", _text("😀".encode(), size // 4)),
        ),
        "a text that does not end": (BULK, lambda: b'{"messages":["' + b'\\"' * (size // 2)),
        "a small one": (BULK, lambda: b'{"messages":["' + b'\\"' * min(size // 2, 120_000)),
        "a number": (TEXT, lambda: _one(b"x", b"1" * size)),
        "numbers in meta": (BULK, lambda: _items(b"meta", _list(b"1" * 4000, thousandth))),
        "blanks": (BULK, lambda: b'{"messages":' + b" " * size + b"[]}"),
        "a long name": (BULK, lambda: b'{"' + b"n" * size + b'":1}'),
        "long names": (BULK, lambda: _items(b"n" * thousandth, b"1")),
        "full items": (BULK, lambda: _items(b"templateParams", _list(_text(b"p", 1024), 15_000))),
        "bytes that are no UTF-8": (TEXT, lambda: _one(b"x", b'"' + b"a" * size + b'\xff"')),
    }


def measure(port: int, key: str) -> dict[str, float]:
    """The longest that `GET /health` took while each was sent, in milliseconds."""
    headers = {"x-api-key": key, "content-type": "application/json"}
    url = f"http://127.0.0.1:{port}/api/v1"
    with httpx.Client(headers=headers, timeout=300) as client:
        return {
            name: _longest_wait(f"{url}/health", partial(client.post, url + path, content=make()))
            for name, (path, make) in shapes(MOST - (3 << 20)).items()
        }


def _longest_wait(url: str, work: Callable[[], object]) -> float:
    waits: list[float] = []
    asked, done = threading.Event(), threading.Event()

    def ask() -> None:
        with httpx.Client(timeout=300) as client:
            while not done.is_set():
                began = time.perf_counter()
                client.get(url)
                waits.append(time.perf_counter() - began)
                asked.set()
                time.sleep(0.002)

    asking = threading.Thread(target=ask)
    asking.start()
    asked.wait()
    waits.clear()
    work()
    done.set()
    asking.join()
    return round(max(waits) * 1000, 1)


def _batch(items: list[bytes]) -> bytes:
    return b'{"messages":[' + b",".join(items) + b"]}"


def _one(name: bytes, value: bytes) -> bytes:
    return b'{%b,"%b":%b}' % (FIELDS, name, value)


def _items(name: bytes, value: bytes, count: int = 1000) -> bytes:
    return _batch([_one(name, value)] * count)


def _list(part: bytes, size: int) -> bytes:
    return b"[" + b",".join([part] * max(size // (len(part) + 1), 1)) + b"]"


def _text(part: bytes, count: int) -> bytes:
    return b'"' + part * count + b'"'


def _fields(count: int, value: bytes = b"1") -> bytes:
    return b"{" + b",".join(b'"field%d":%b' % (n, value) for n in range(count)) + b"}"


def _url(number: int, host: str = "例え.テスト") -> bytes:
    return _one(b"buttonUrl", json.dumps(f"https://{chr(0x5000 + number)}{host}/").encode())
