"""Bytes to a server and what it says to them, over a plain socket."""

import socket
from collections.abc import Iterable
from contextlib import suppress

SECONDS = 90
_HEAD = b"HTTP/1.1 "


def exchange(address: str, port: int, parts: Iterable[bytes], *, seconds: float = SECONDS) -> str:
    """Send all parts; the status of the first answer, "cut" or "silent".

    An answer may come before everything was sent, and the connection be closed then.
    """
    with socket.create_connection(
        ("127.0.0.1", port), timeout=seconds, source_address=(address, 0)
    ) as sender:
        with suppress(ConnectionError):
            for part in parts:
                sender.sendall(part)
        return status(sender)


def status(sender: socket.socket) -> str:
    said = b""
    try:
        while len(said) < len(_HEAD) + 3 and (more := sender.recv(65536)):
            said += more
    except TimeoutError:
        return "silent"
    except ConnectionError:
        pass
    return said[len(_HEAD) :][:3].decode() if said.startswith(_HEAD) else "cut"
