"""HTTP to a simulated process, over its real protocol and without a socket."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole response."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


@dataclass(slots=True)
class ServerSide(asyncio.Transport):
    """The server's end of a connection for one request."""

    on_answer: Callable[[Answer], None]
    on_lost: Callable[[], None]
    _received: bytes = b""
    _has_ended: bool = field(default=False)

    def write(self, data: Any) -> None:
        self._received += bytes(data)
        answer = parse(self._received)
        if answer is not None and not self._has_ended:
            self._has_ended = True
            self.on_answer(answer)

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(bytes(one) for one in list_of_data))

    def close(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self.on_lost()

    abort = close

    def is_closing(self) -> bool:
        return self._has_ended

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("192.0.2.1", 1) if name == "peername" else default

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def is_reading(self) -> bool:
        return True


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    sent = {"host": "simulated", "connection": "close", "content-length": str(len(body))} | headers
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body


def parse(received: bytes) -> Answer | None:
    """None: it has not ended yet."""
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", 0))
    if len(body) < length:
        return None
    return Answer(int(first.split()[1]), headers, body[:length])
