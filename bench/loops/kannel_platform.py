"""The platform behind Kannel: answers each send, then calls the report's address that came with it
(delivered).

    python -m bench.loops.kannel_platform PORT CALLBACK_PORT
"""

import sys
import urllib.parse

from bench.loops.wire import Callbacks, figures, response, serve

ACCEPTED = response(b"0: Accepted for delivery", b"202 Accepted", b"text/plain")
FIELD = b"dlr-url="


class KannelPlatform:
    def __init__(self, callbacks: Callbacks) -> None:
        self._callbacks = callbacks
        self._sends = 0

    def answer(self, verb: bytes, path: bytes, body: bytes) -> bytes:
        if path == b"/figures":
            calls = self._callbacks
            return figures({"sends": self._sends, "callbacks": calls.accepted})
        self._sends += 1
        at = path.find(FIELD)
        if at >= 0:
            self._callbacks.queue.put_nowait(_report(path[at + len(FIELD) :].split(b"&")[0]))
        return ACCEPTED


def _report(quoted: bytes) -> bytes:
    """The request for the address, with the state "delivered" (1) filled in."""
    address = urllib.parse.unquote(quoted.decode()).replace("%25d", "1").replace("%d", "1")
    parts = urllib.parse.urlsplit(address)
    return f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


if __name__ == "__main__":
    port, back = int(sys.argv[1]), int(sys.argv[2])
    callbacks = Callbacks(back)
    serve(port, KannelPlatform(callbacks).answer, callbacks)
