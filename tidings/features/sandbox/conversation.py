"""A simulated phone: what it shows, and whom the account has written to lately."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.messages.model import Message, MessageKind
from tidings.features.messages.read import lookup
from tidings.features.messages.read.lookup import Shown
from tidings.features.replies.inbound_messages import find_inbound
from tidings.platforms.sandbox import phone
from tidings.platforms.sandbox.behaviour import is_about_to_reply

from . import responses
from .responses import ShownMessage

GUESTS_MAX = 20  # numbers that the phone offers


@dataclass(frozen=True, slots=True)
class PhoneMessage:
    """A message on the phone; `ours` is the stored message of what we sent."""

    at: datetime
    shown: ShownMessage
    ours: Message | None = None


@dataclass(frozen=True, slots=True)
class Phone:
    """The newest messages, oldest first. `now` is the account's time."""

    number: str
    now: datetime
    messages: list[PhoneMessage]
    is_typing: bool  # the guest's own reply, which its number stands for, is on its way


async def load_phone(tx: Tx, account_id: UUID, number: str) -> Phone:
    """What the guest's phone shows, limited in number and in bytes."""
    most, bytes_max = limits.PHONE_MESSAGES_MAX, limits.PHONE_BYTES_MAX
    account = (await load_accounts(tx, [account_id]))[account_id]
    sent = await lookup.find_sent_to(tx, account_id, number, limit=most, bytes_max=bytes_max)
    received = await find_inbound(tx, account_id, number, limit=most, bytes_max=bytes_max)
    messages = [_ours(one) for one in reversed(sent)]
    messages += [
        PhoneMessage(row["at"], responses.shown(phone.show_inbound(row["raw"], at=row["at"])))
        for row in reversed(received)
    ]
    messages.sort(key=lambda message: message.at)
    now = account.now(tx.now)
    return Phone(number, now, messages[-most:], _is_typing(sent, now))


async def find_guests(tx: Tx, account_id: UUID) -> list[str]:
    """The numbers that the account wrote to last, the latest first."""
    return await lookup.find_recipients(tx, account_id, GUESTS_MAX)


def _ours(sent: Shown) -> PhoneMessage:
    message, content = sent
    assert message.sent_at is not None, "only messages that were sent are on a phone"
    shown = phone.show_outbound(
        content,
        at=message.sent_at,
        message_id=message.platform_id,
        client_message_id=message.client_message_id,
    )
    return PhoneMessage(message.sent_at, responses.shown(shown), message)


def _is_typing(sent: Sequence[Shown], now: datetime) -> bool:
    for message, content in sent:
        if message.kind != MessageKind.PROMPT and message.sent_at is not None:
            return is_about_to_reply(message.recipient, content, message.sent_at, now)
    return False
