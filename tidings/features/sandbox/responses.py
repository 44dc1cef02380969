"""The responses of the sandbox control. Pure."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta


class Clock(msgspec.Struct, rename="camel"):
    now: str
    offset_seconds: int
    pending: Annotated[
        int,
        Meta(
            description="How many of the account's jobs (sends, platform callbacks, timers,"
            " webhooks) are due and not done: 0 unless something is slow."
        ),
    ]


class Replied(msgspec.Struct, rename="camel"):
    message_id: str


class ShownButton(msgspec.Struct):
    type: str
    text: str
    payload: str | None
    url: str | None


class ShownMessage(msgspec.Struct, rename="camel"):
    """A message on the guest's phone: `out` is from us, `in` from the guest."""

    direction: Literal["in", "out"]
    at: str
    message_id: str | None
    client_message_id: str | None
    type: str
    text: str | None
    title: str | None
    footer: str | None
    media: dict[str, Any] | None
    buttons: list[ShownButton]
    form: dict[str, Any] | None


class Conversation(msgspec.Struct):
    number: str
    messages: list[ShownMessage]


def shown(message: Mapping[str, Any]) -> ShownMessage:
    """`message`: as the simulated phone displays it."""
    return msgspec.convert(message, ShownMessage)
