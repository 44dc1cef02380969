"""How much the account's numbers can still send: reservations of one transaction.

Loaded at its start (`capacity_reads.py`), reserved from in memory, written back at its end: the
slots of a number's rate, the unique recipients of its rolling 24 hours, the account's daily limit.

Two transactions never reserve the same capacity: every reservation writes the row of a number, and
only if its `generation` is still the one that was read. A slot belongs to its own number; a counter
that numbers share, to the first of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import msgspec
from msgspec.structs import replace

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import quota_store, rate_limiter, store
from .contention import NumberKey
from .model import Number
from .quota_store import CounterKey
from .quotas import (
    ACCOUNT,
    KEPT,
    RollingCounter,
    UniqueRecipients,
    counter_of,
    minute_of,
)
from .rate_limiter import RateLimiter

NEVER = datetime.max.replace(tzinfo=UTC)


class QuotaReservation(msgspec.Struct, frozen=True):
    """When the rolling limits allow a message. `at` None: never, with the current limits."""

    at: datetime | None
    reason: str = "NUMBER_LIMIT"  # the limit that delays it, if any
    counter: str | None = None  # the one that counts the recipient, if any


class HeldQuota(msgspec.Struct, frozen=True):
    """A reservation that a message holds: to be released, or exchanged for an earlier one."""

    account_id: UUID
    phone: str
    reserved_at: datetime
    counter: str | None


@dataclass(slots=True)
class Capacity:
    limiters: dict[NumberKey, RateLimiter]
    counters: dict[CounterKey, RollingCounter]  # of accounts with a daily limit
    unique_recipients: dict[CounterKey, UniqueRecipients]  # of numbers and portfolios with one
    guards: dict[CounterKey, NumberKey]  # the number whose generation guards a counter
    released: list[HeldQuota] = field(default_factory=list)  # written by `save`

    def next_slot(
        self, account: Account, number: Number, now: datetime, *, passcode: bool = False
    ) -> datetime:
        """When the number could send next."""
        return rate_limiter.next_slot(self._limiter(account, number), now, passcode=passcode)

    def earliest_send(
        self,
        account: Account,
        number: Number,
        phone: str,
        now: datetime,
        *,
        batch: bool,
        counted: bool,
    ) -> datetime:
        """When the number's rate and its limit of unique recipients would allow this message. A
        message of a batch comes after what is planned."""
        limiter = self._limiter(account, number)
        next_slot = rate_limiter.next_planned_slot if batch else rate_limiter.next_slot
        recipients = self._recipients(account, number) if counted else None
        free = now if recipients is None else recipients.free_at(phone, now)
        return NEVER if free is None else max(next_slot(limiter, now), free)

    def take_slot(
        self, account: Account, number: Number, now: datetime, *, passcode: bool = False
    ) -> datetime:
        limiter = self._limiter(account, number)
        if number.half_open:
            limiter.half_open_at = (
                now + limits.HALF_OPEN_DELAY_MIN
            )  # no second probe before its response
        return rate_limiter.take_slot(limiter, now, passcode=passcode)

    def may_probe(self, account: Account, number: Number, now: datetime) -> bool:
        """Whether one message may probe a number whose circuit is open. Not if the number was
        read before its token was replaced: the probe would use the old token."""
        limiter = self._limiter(account, number)
        if number.fault is None or number.access_token != limiter.access_token:
            return False
        return limiter.half_open_at is None or limiter.half_open_at <= now

    def plan_slot(self, account: Account, number: Number, now: datetime) -> datetime:
        """A planned time after everything that waits for this number already."""
        return rate_limiter.plan_slot(self._limiter(account, number), now)

    def release_planned(
        self, account: Account, number: str, first: datetime, last: datetime
    ) -> None:
        """Release the planned times of messages that will not be sent."""
        limiter = self.limiters.get((account.id, number))
        if limiter is not None:
            rate_limiter.release_planned(limiter, first, last)

    def can_send_now(
        self, account: Account, number: Number, phone: str, now: datetime, *, counted: bool
    ) -> bool:
        """Whether the number could send to this recipient now. `counted`: see `reserve_quota`."""
        if self.next_slot(account, number, now) - now > limits.SLOT_WAIT_MAX:
            return False
        recipients = self._recipients(account, number) if counted else None
        return recipients is None or recipients.free_at(phone, now) == now

    def find_earlier(
        self, held: HeldQuota, account: Account, number: Number, now: datetime, *, counted: bool
    ) -> datetime | None:
        """A time before that of the reservation at which quota is free by now: a limit was raised,
        or other reservations were released. Its own reservation does not count against it."""
        counter = self.counters.get((account.id, ACCOUNT))
        recipients = self._recipients(account, number) if counted else None
        own = [(counter, held.reserved_at)] if counter is not None else []
        ahead = None
        if recipients is not None and held.counter == counter_of(number):
            ahead = recipients.counted.get(held.phone)
            own += [(recipients.counter, ahead)] if ahead is not None and ahead > now else []
        for one, at in own:
            one.release(at)
        free, _ = _first_free(counter, recipients, held.phone, now)
        for one, at in own:
            one.restore(at)
        if free is None or now < free >= minute_of(held.reserved_at):
            return None
        stays = (
            recipients is not None
            and ahead is not None
            and not recipients.can_move(held.phone, free)
        )
        return None if stays else free

    def recipient_counter_of(self, account: Account, number: Number) -> str | None:
        """The counter of this number's unique recipients, if they are limited."""
        counter = counter_of(number)
        return counter if (account.id, counter) in self.unique_recipients else None

    def release(self, held: HeldQuota) -> None:
        """Other messages may use the quota from now on."""
        self.released.append(held)
        counter = self.counters.get((held.account_id, ACCOUNT))
        if counter is not None:
            counter.release(held.reserved_at)

    def move_earlier(
        self, held: HeldQuota, account: Account, number: Number, to: datetime, *, counted: bool
    ) -> QuotaReservation:
        """Exchange a reservation for one at an earlier time at which quota is free."""
        recipients = self._recipients(account, number) if counted else None
        same = recipients is not None and held.counter == counter_of(number)
        if same and recipients is not None and recipients.move_earlier(held.phone, to):
            self._guard(account.id, counter_of(number))
            self.release(replace(held, counter=None))
            self.reserve_quota(account, number, held.phone, to, counted=False)
            return QuotaReservation(to, counter=held.counter)
        self.release(held)
        return self.reserve_quota(account, number, held.phone, to, counted=counted)

    def reserve_quota(
        self, account: Account, number: Number, phone: str, now: datetime, *, counted: bool
    ) -> QuotaReservation:
        """Reserve within the rolling limits. `counted`: the platform counts a new recipient."""
        counter = self.counters.get((account.id, ACCOUNT))
        recipients = self._recipients(account, number) if counted else None
        if counter is None and recipients is None:
            return QuotaReservation(now)
        at, reason = _first_free(counter, recipients, phone, now)
        if at is not None:
            if counter is not None:
                counter.reserve(at)
                self._guard(account.id, ACCOUNT)
            if recipients is not None:
                recipients.reserve(phone, at)
                self._guard(account.id, counter_of(number))
        return QuotaReservation(at, reason, counter_of(number) if recipients is not None else None)

    async def save(self, tx: Tx) -> None:
        """First of all writes: numbers precede contacts and messages in the order of locks."""
        await store.save_limiters(tx, self.limiters)
        if self.released:  # first: a message may have a new reservation for the same recipient
            await release_all(tx, self.released)
        await quota_store.move_earlier(tx, self.unique_recipients)
        limited = {key: recipients.counter for key, recipients in self.unique_recipients.items()}
        await quota_store.save_counters(tx, self.counters | limited)
        await quota_store.save_recipients(tx, self.unique_recipients)

    def _guard(self, account_id: UUID, counter: str) -> None:
        """Something was reserved in this counter."""
        self.limiters[self.guards[account_id, counter]].changed = True

    def _limiter(self, account: Account, number: Number) -> RateLimiter:
        return self.limiters[account.id, number.number]

    def _recipients(self, account: Account, number: Number) -> UniqueRecipients | None:
        return (
            self.unique_recipients.get((account.id, counter_of(number)))
            if self.unique_recipients
            else None
        )


def _first_free(
    counter: RollingCounter | None, recipients: UniqueRecipients | None, phone: str, now: datetime
) -> tuple[datetime | None, str]:
    """The first time that both limits allow, if any, and which of them decided."""
    at: datetime | None = now
    reason = "NUMBER_LIMIT"
    while at is not None:
        start = at
        if counter is not None and (free := counter.free_at(start)) != start:
            at, reason = free, "ACCOUNT_LIMIT"
        if (
            recipients is not None
            and at is not None
            and (free := recipients.free_at(phone, at)) != at
        ):
            at, reason = free, "NUMBER_LIMIT"
        if at == start:
            break
    return at, reason


async def release_all(tx: Tx, held: Sequence[HeldQuota]) -> None:
    """Without a lock on the numbers: a counter that is released at the same time as something is
    reserved in it only has more room. A recipient whom a message in this moment relies on stays
    counted for that message, but its quota is free: one too many at most."""
    await quota_store.release(tx, [(one.account_id, ACCOUNT, one.reserved_at) for one in held])
    await quota_store.release_recipients(
        tx, [(one.account_id, one.counter, one.phone) for one in held if one.counter]
    )


async def purge(tx: Tx, accounts: Iterable[Account]) -> int:
    """Delete counts that no limit needs any more, a page of rows at most; how many were deleted.
    Each account's own time decides what is old."""
    before = {account.id: account.now(tx.now) - KEPT for account in accounts}
    return await quota_store.purge(tx, before, limits.PURGE_PAGE_ROWS)
