"""What is told about a message (6.2), addressed: to its event's callbackUrl, else to the account.

Pure.
"""

from datetime import datetime

from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event

from ..model import Message, MessageKind
from ..read import present


def status(account: Account, message: Message, at: datetime) -> Event:
    return _event(account, "message.status", message, at, present.status_event(message, at))


def sent(account: Account, message: Message, platform_id: str, at: datetime) -> Event:
    """Of a message that is `sent` at this time, and still to be moved."""
    data = present.sent_event(message, platform_id, at)
    return _event(account, "message.status", message, at, data)


def deferred(account: Account, message: Message, at: datetime) -> Event:
    return _event(account, "message.deferred", message, at, present.deferred_event(message, at))


def _event(account: Account, kind: str, message: Message, at: datetime, data: object) -> Event:
    muted = message.kind == MessageKind.PROMPT
    return Event(account, kind, at, data, message.id, message.event_id, muted)
