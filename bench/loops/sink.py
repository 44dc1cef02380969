"""The customers' end: answers every request with 200 and counts what came.

    python -m bench.loops.sink PORT

GET /figures answers how many requests came, how many of them tell of a message `sent` and
`delivered`, and when the last came (CLOCK_MONOTONIC, which all processes of a machine share).
"""

import sys
import time

from bench.loops.wire import figures, response, serve

OK = response(b'{"messages":[{"id":"wamid.HBgLMTY1MDU1NTEyMzQVAgARGBI5QTNDQTVCM0Q0"}]}')


class Sink:
    def __init__(self) -> None:
        self._all = self._sent = self._delivered = 0
        self._first = self._last = 0.0

    def answer(self, verb: bytes, path: bytes, body: bytes) -> bytes:
        if path == b"/figures":
            return figures(
                {
                    "requests": self._all, "sent": self._sent, "delivered": self._delivered,
                    "firstAt": self._first, "lastAt": self._last,
                }
            )  # fmt: skip
        self._last = time.monotonic()
        self._first = self._first or self._last
        self._all += 1
        self._sent += b'"status":"sent"' in body
        self._delivered += b'"status":"delivered"' in body
        return OK


if __name__ == "__main__":
    serve(int(sys.argv[1]), Sink().answer)
