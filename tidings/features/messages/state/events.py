"""The events message.status and message.deferred (6.2). Pure."""

from datetime import datetime

from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event

from ..model import Message, MessageKind
from ..read import present


def status(account: Account, message: Message, at: datetime) -> Event:
    return _event(account, "message.status", message, at, present.status_event(message, at))


def deferred(account: Account, message: Message, at: datetime) -> Event:
    return _event(account, "message.deferred", message, at, present.deferred_event(message, at))


def _event(account: Account, kind: str, message: Message, at: datetime, data: object) -> Event:
    muted = message.kind == MessageKind.PROMPT
    return Event(account, kind, at, data, message.id, message.event_id, muted)
