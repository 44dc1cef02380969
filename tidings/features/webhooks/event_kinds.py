"""What an event kind is: its name, when it is posted, its data and an example (6.2). Pure.

A slice declares the kinds it publishes in a file of its own; routes.py lists them all. From that
list follow the `webhooks` of OpenAPI, docs/webhooks/events.md and `tidings trigger`.
"""

from typing import Any

import msgspec

EXAMPLE_TIME = "2026-01-31T09:30:00.000Z"  # in examples: `tidings trigger` sends the time instead
EXAMPLE_GUEST = "972501234567"
EXAMPLE_NUMBER = "972555000001"


class EventData(msgspec.Struct, rename="camel", kw_only=True):
    """The base of all `data`. Fields may be added; none is ever removed."""


class EventKind(msgspec.Struct, frozen=True):
    """One kind of event."""

    name: str
    when: str
    data: type[EventData]
    example: EventData

    def example_body(self) -> dict[str, Any]:
        """A whole body, as it is posted."""
        return {
            "id": "whk_00000000000070008000000000000000",
            "type": self.name,
            "createdAt": EXAMPLE_TIME,
            "environment": "sandbox",
            "accountId": "acc_00000000000070008000000000000000",
            "data": self.example_data(),
        }

    def example_data(self) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.example))
        return data
