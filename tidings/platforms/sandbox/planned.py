"""Planned callbacks as JSON, for the job that plays them. Pure.

One job holds what is still to come of one send: `[{"after_ms": 1000, "status": {...}}, ...]`.
"""

from collections.abc import Iterable
from datetime import timedelta

import msgspec

from tidings.platforms.port import Callback, InboundMessage, ScheduledCallback, StatusUpdate

_MILLISECOND = timedelta(milliseconds=1)


class _Entry(msgspec.Struct, omit_defaults=True):
    """Exactly one of the two callbacks is there."""

    after_ms: int
    status: StatusUpdate | None = None
    inbound: InboundMessage | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[_Entry]).decode


def dump(planned: Iterable[ScheduledCallback]) -> str:
    """JSON text in the order given; times are rounded up to a millisecond."""
    return _encode([_entry(item) for item in planned]).decode()


def load(text: str | bytes) -> list[ScheduledCallback]:
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
    assert callback is not None, "an entry without a callback was never written by dump"
    return callback
