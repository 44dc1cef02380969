"""Load what limits an account's messages: with the row locks of its numbers, or without.

Without a lock, `Capacity.save` is refused if a number has changed meanwhile, and the transaction is
retried (docs/decisions/0035-accepting-without-locks.md).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tidings.engine.db.errors import Conflict
from tidings.engine.db.reads import Read
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import quota_store, store
from .capacity import Capacity
from .contention import NumberKey
from .model import Number
from .quota_store import Counted, CounterKey, CounterQuery
from .quotas import ACCOUNT, RollingCounter, UniqueRecipients, counter_limits, counter_of
from .rate_limiter import RateLimiter

Limiters = dict[NumberKey, RateLimiter]


async def load(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    numbers: Mapping[UUID, Sequence[Number]],
    people: Sequence[tuple[UUID, str]],
    *,
    with_passcodes: Collection[UUID],
) -> Capacity:
    """Everything that limits messages to these people (account, phone), locked until commit.

    `with_passcodes`: accounts that can send passcodes, for which slots are reserved.
    """
    locked = await store.lock_limiters(tx, _keys(numbers), with_passcodes)
    reads = _reads(tx, Read.known(locked), accounts, numbers, people)
    await tx.read(*reads.all)
    return reads.capacity()


async def lock_numbers(tx: Tx, keys: Sequence[NumberKey]) -> None:
    """Wait for others that write these numbers, before `begin`."""
    await store.lock_limiters(tx, keys)


def begin(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    numbers: Mapping[UUID, Sequence[Number]],
    people: Sequence[tuple[UUID, str]],
    *,
    with_passcodes: Collection[UUID],
) -> "CapacityReads":
    """The queries of `load`, to be sent together with others; nothing is locked."""
    limiters = store.read_limiters(list(numbers), with_passcodes)
    return _reads(tx, limiters, accounts, numbers, people)


@dataclass(slots=True)
class CapacityReads:
    _keys: Collection[NumberKey]
    _guards: dict[CounterKey, NumberKey]
    _limiters: Read[Limiters]
    _counters: Read[dict[CounterKey, RollingCounter]]
    _recipients: Read[Counted]

    @property
    def all(self) -> tuple[Read[Any], ...]:
        return self._limiters, self._counters, self._recipients

    def capacity(self) -> Capacity:
        """Once they were sent."""
        limiters, counters = self._limiters.result, self._counters.result
        if not limiters.keys() >= set(self._keys):
            raise Conflict("a number that was read has just been removed")
        limited = {key: UniqueRecipients(counters[key]) for key in counters if key[1] != ACCOUNT}
        for (account_id, counter, phone), (at, holders) in self._recipients.result.items():
            recipients = limited[account_id, counter]
            recipients.counted[phone], recipients.holders[phone] = at, holders
        return Capacity(
            limiters=limiters,
            counters={key: counter for key, counter in counters.items() if key[1] == ACCOUNT},
            unique_recipients=limited,
            guards=self._guards,
        )


def _reads(
    tx: Tx,
    limiters: Read[Limiters],
    accounts: Mapping[UUID, Account],
    numbers: Mapping[UUID, Sequence[Number]],
    people: Sequence[tuple[UUID, str]],
) -> CapacityReads:
    queries = _counter_queries(tx, accounts, numbers, people)
    limited = [(one.account_id, one.counter) for one in queries if one.counter != ACCOUNT]
    recipients = [
        (account_id, counter, phone)
        for account_id, phone in people
        for owner, counter in limited
        if owner == account_id
    ]
    return CapacityReads(
        _keys(numbers),
        _guards(numbers) if queries else {},
        limiters,
        quota_store.read_counters(queries),
        quota_store.read_recipients(recipients),
    )


def _keys(numbers: Mapping[UUID, Sequence[Number]]) -> list[NumberKey]:
    return [(account_id, one.number) for account_id, own in numbers.items() for one in own]


def _guards(numbers: Mapping[UUID, Sequence[Number]]) -> dict[CounterKey, NumberKey]:
    """Of every counter, the first number by key: the same for all processes."""
    found: dict[CounterKey, NumberKey] = {}
    for account_id, own in numbers.items():
        for number in sorted(own, key=lambda one: one.number):
            key = (account_id, number.number)
            found.setdefault((account_id, ACCOUNT), key)
            found.setdefault((account_id, counter_of(number)), key)
    return found


def _counter_queries(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    numbers: Mapping[UUID, Sequence[Number]],
    people: Sequence[tuple[UUID, str]],
) -> list[CounterQuery]:
    """Only limits that exist are loaded."""
    messages: dict[UUID, int] = {}
    for account_id, _ in people:
        messages[account_id] = messages.get(account_id, 0) + 1
    queries = []
    for account_id, count in messages.items():
        account = accounts[account_id]
        bounds = {ACCOUNT: account.daily_limit} | counter_limits(numbers.get(account_id, ()))
        now = account.now(tx.now)
        queries += [
            CounterQuery(account_id, counter, limit, now, count)
            for counter, limit in bounds.items()
            if limit is not None
        ]
    return queries
