"""The events of opt-outs: guest.opted_out and guest.opted_in (6.2). Pure.

An opt-out comes from a reply, a preference reported by the platform, or the failure of a message.
"""

from typing import Literal

import msgspec

from tidings.features.webhooks.event_kinds import EXAMPLE_GUEST, EventData, EventKind


class PreferenceData(EventData, kw_only=True):
    """A person wants no more messages, or wants them again."""

    from_: str | None = msgspec.field(name="from")
    source: Literal["reply", "platform"]


_EXAMPLE = PreferenceData(from_=EXAMPLE_GUEST, source="reply")

OPTED_OUT = EventKind(
    "guest.opted_out", "A person wants no more messages.", PreferenceData, _EXAMPLE
)
OPTED_IN = EventKind("guest.opted_in", "A person wants messages again.", PreferenceData, _EXAMPLE)
KINDS = (OPTED_OUT, OPTED_IN)
