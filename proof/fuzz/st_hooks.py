"""Loaded by schemathesis: the right key for each operation, and our own checks of every answer.

It writes a line for each request to the file that TIDINGS_FUZZ_COUNTS names.
"""

import os
from typing import Any

import schemathesis

from proof.fuzz.call import Call
from proof.fuzz.judge import Answer, faults
from proof.fuzz.world import COUNTS, KEYS

_KEYS = {"/api/v1/partner": "partner", "/sandbox/v1/clock": "timer"}
_counts = os.open(os.environ[COUNTS], os.O_WRONLY | os.O_CREAT | os.O_APPEND)


@schemathesis.auth(refresh_interval=None)
class Key:
    """A partner's for its own endpoints; clocks are moved where nobody else looks at them."""

    def get(self, case: Any, ctx: Any) -> str:
        names = (name for path, name in _KEYS.items() if case.path.startswith(path))
        return KEYS[next(names, "acme")]

    def set(self, case: Any, data: str, ctx: Any) -> None:
        case.headers = {**(case.headers or {}), "x-api-key": data}


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Every request of every phase, whichever checks follow."""
    phase = case.meta.phase.name.value if case.meta else "probes"
    line = f"{phase}\t{case.method} {case.operation.path}\t{response.status_code}\n"
    os.write(_counts, line.encode())


@schemathesis.check
def in_the_envelope(ctx: Any, response: Any, case: Any) -> None:
    """The same rules as for the other requests."""
    sent = response.request
    body = sent.body if isinstance(sent.body, bytes) else str(sent.body or "").encode()
    raw = f"{sent.method} {sent.path_url} HTTP/1.1\r\n\r\n".encode() + body
    headers = {name.lower(): values[0] for name, values in response.headers.items()}
    wrong = faults(
        Call("api", case.path, raw), Answer(response.status_code, headers, response.content)
    )
    assert not wrong, "; ".join(wrong)
