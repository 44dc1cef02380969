"""The platform of sandbox accounts: it answers in process and never reaches a phone.

What happens to a message is decided in `behaviour.py`. The callbacks it schedules are stored as
JSON in one job per send: `[{"after_ms": 1000, "status": {...}}, ...]`.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

import msgspec

from tidings.platforms.port import (
    Callback,
    DispatchResult,
    InboundMessage,
    ScheduledCallback,
    Send,
    StatusUpdate,
)
from tidings.platforms.sandbox.behaviour import simulate_send

_MILLISECOND = timedelta(milliseconds=1)


class Sandbox:
    """Implements `port.Platform`."""

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        return [simulate_send(send) for send in sends]


class _Entry(msgspec.Struct, omit_defaults=True):
    """Exactly one of `status` and `inbound` is set."""

    after_ms: int
    status: StatusUpdate | None = None
    inbound: InboundMessage | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[_Entry]).decode


def encode_callbacks(callbacks: Iterable[ScheduledCallback]) -> str:
    """JSON text in the order given; delays are rounded up to a millisecond."""
    return _encode([_entry(item) for item in callbacks]).decode()


def decode_callbacks(text: str | bytes) -> list[ScheduledCallback]:
    return [
        ScheduledCallback(entry.after_ms * _MILLISECOND, _callback(entry))
        for entry in _decode(text)
    ]


def _entry(item: ScheduledCallback) -> _Entry:
    after_ms = -(-item.after // _MILLISECOND)
    if isinstance(item.callback, StatusUpdate):
        return _Entry(after_ms, status=item.callback)
    return _Entry(after_ms, inbound=item.callback)


def _callback(entry: _Entry) -> Callback:
    callback = entry.status or entry.inbound
    assert callback is not None, "encode_callbacks writes no entry without a callback"
    return callback
