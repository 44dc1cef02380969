"""The platform says that a person wants no more marketing (131050): an opt-out like any other."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.recipients import contacts
from tidings.features.webhooks.publish import Event

from .model import Message
from .states import Status

STOPPED = 131050
SOURCE = "platform"


class Stop(msgspec.Struct, frozen=True):
    account: Account
    phone: str
    at: datetime  # the account's time


def of(message: Message, account: Account, at: datetime) -> list[Stop]:
    """Of a message that has just failed, and why."""
    error = message.error
    stopped = message.status is Status.FAILED and error is not None
    if stopped and error is not None and error.platform_code == STOPPED:
        return [Stop(account, message.recipient, at)]
    return []


async def heed(tx: Tx, stops: Sequence[Stop]) -> list[Event]:
    """What is to be told: who has opted out anew."""
    if not stops:
        return []
    people = {(stop.account.id, stop.phone): stop for stop in stops}
    new = await contacts.opt_out(tx, [(*key, s.at, SOURCE) for key, s in people.items()])
    return [_event(people[key]) for key in sorted(new)]


def _event(stop: Stop) -> Event:
    data = {"from": stop.phone, "source": SOURCE}
    return Event(stop.account, "guest.opted_out", stop.at, data)
