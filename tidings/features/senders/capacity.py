"""How much the account's numbers can still send, while one batch is being decided.

Loaded and locked at the start of a transaction, asked and drawn upon in memory, written back at its
end: a number's spacing (pace), the rolling 24 h of new recipients (reach), the account's daily
limit (meter). Whoever decides about an account's messages holds its numbers' rows, so that two
processes never give the same place away twice.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import msgspec
from msgspec.structs import replace

from tidings import limits
from tidings.engine.db.tx import Conflict, Tx
from tidings.features.accounts.model import Account

from . import pace as paces
from . import store
from .meters import ACCOUNT, Meter, Reach, begin, limits_of, meter_of
from .model import Number
from .pace import Pace
from .store import MeterAsk, MeterKey, NumberKey

NEVER = datetime.max.replace(tzinfo=UTC)


class Place(msgspec.Struct, frozen=True):
    """When the rolling limits let a message go. `at` None: never, as they stand."""

    at: datetime | None
    reason: str = "NUMBER_LIMIT"  # the limit that decides, where it has to wait
    meter: str | None = None  # that counts the person as newly written to


class Unused(msgspec.Struct, frozen=True):
    """A place that was granted for a message which will not go, or not by it."""

    account_id: UUID
    phone: str
    granted_at: datetime
    meter: str | None


@dataclass(slots=True)
class Capacity:
    paces: dict[NumberKey, Pace]
    meters: dict[MeterKey, Meter]  # of accounts with a daily limit
    reaches: dict[MeterKey, Reach]  # of numbers and portfolios with one
    unused: list[Unused] = field(default_factory=list)  # given back with `save`

    def peek_slot(
        self, account: Account, number: Number, now: datetime, *, passcode: bool = False
    ) -> datetime:
        """When the number could send next."""
        return paces.peek(self._pace(account, number), now, passcode=passcode)

    def turn_of(
        self,
        account: Account,
        number: Number,
        phone: str,
        now: datetime,
        *,
        batch: bool,
        counted: bool,
    ) -> datetime:
        """When a message's turn would come there: the number's rate and its limit of new recipients
        let it go. One of a batch comes behind what is planned."""
        pace = self._pace(account, number)
        turn = paces.peek_plan(pace, now) if batch else paces.peek(pace, now)
        reach = self._reach(account, number) if counted else None
        free = now if reach is None else reach.free_at(phone, now)
        return NEVER if free is None else max(turn, free)

    def take_slot(
        self, account: Account, number: Number, now: datetime, *, passcode: bool = False
    ) -> datetime:
        pace = self._pace(account, number)
        if number.on_trial:
            pace.trial_at = now + limits.TRIAL_WAIT_MIN  # nobody else until its answer is in
        return paces.take(pace, now, passcode=passcode)

    def may_try(self, account: Account, number: Number, now: datetime) -> bool:
        """Whether one message may try if a number with a fault is mended. One that was read just
        before it got a new token would try the old one: whoever looks next does it."""
        pace = self._pace(account, number)
        if number.fault is None or number.access_token != pace.access_token:
            return False
        return pace.trial_at is None or pace.trial_at <= now

    def plan(self, account: Account, number: Number, now: datetime) -> datetime:
        """A turn behind everything that waits for this number already."""
        return paces.plan(self._pace(account, number), now)

    def unplan(self, account: Account, number: str, first: datetime, last: datetime) -> None:
        """Give back the turns of messages that will not go."""
        pace = self.paces.get((account.id, number))
        if pace is not None:
            paces.unplan(pace, first, last)

    def is_free(
        self, account: Account, number: Number, phone: str, now: datetime, *, counted: bool
    ) -> bool:
        """Whether the number could send to this person at this time. `counted`: as below."""
        if self.peek_slot(account, number, now) - now > limits.SLOT_WAIT_MAX:
            return False
        reach = self._reach(account, number) if counted else None
        return reach is None or reach.free_at(phone, now) == now

    def find_earlier(
        self, place: Unused, account: Account, number: Number, now: datetime, *, counted: bool
    ) -> datetime | None:
        """A time before that of its place, at which there is room by now: a limit was raised, or
        somebody gave a place back. Its own place is not in its way."""
        meter = self.meters.get((account.id, ACCOUNT))
        reach = self._reach(account, number) if counted else None
        own = [(meter, place.granted_at)] if meter is not None else []
        ahead = None
        if reach is not None and place.meter == meter_of(number):
            ahead = reach.counted.get(place.phone)
            own += [(reach.meter, ahead)] if ahead is not None and ahead > now else []
        for one, at in own:
            one.drop(at)
        free, _ = _first_free(meter, reach, place.phone, now)
        for one, at in own:
            one.restore(at)
        if free is None or now < free >= begin(place.granted_at):
            return None
        stays = reach is not None and ahead is not None and not reach.can_move(place.phone, free)
        return None if stays else free

    def counts_in(self, account: Account, number: Number) -> str | None:
        """The limit of new recipients that this number's are counted in, if it has one."""
        meter = meter_of(number)
        return meter if (account.id, meter) in self.reaches else None

    def let_go(self, place: Unused) -> None:
        """The place is somebody else's from now on."""
        self.unused.append(place)
        meter = self.meters.get((place.account_id, ACCOUNT))
        if meter is not None:
            meter.drop(place.granted_at)

    def bring_forward(
        self, place: Unused, account: Account, number: Number, to: datetime, *, counted: bool
    ) -> Place:
        """A place is given back for one at an earlier time, at which there is room."""
        reach = self._reach(account, number) if counted else None
        same = reach is not None and place.meter == meter_of(number)
        if same and reach is not None and reach.bring_forward(place.phone, to):
            self.let_go(replace(place, meter=None))
            self.take_place(account, number, place.phone, to, counted=False)
            return Place(to, meter=place.meter)
        self.let_go(place)
        return self.take_place(account, number, place.phone, to, counted=counted)

    def take_place(
        self, account: Account, number: Number, phone: str, now: datetime, *, counted: bool
    ) -> Place:
        """A place within the rolling limits. `counted`: the platform counts a new recipient."""
        meter = self.meters.get((account.id, ACCOUNT))
        reach = self._reach(account, number) if counted else None
        if meter is None and reach is None:
            return Place(now)
        at, reason = _first_free(meter, reach, phone, now)
        if at is not None:
            if meter is not None:
                meter.take(at)
            if reach is not None:
                reach.take(phone, at)
        return Place(at, reason, meter_of(number) if reach is not None else None)

    async def save(self, tx: Tx) -> None:
        await store.save_paces(tx, self.paces)
        if self.unused:  # first: who lets a place go may have taken another for the same person
            await give_back(tx, self.unused)
        await store.bring_forward(tx, self.reaches)
        reached = {key: reach.meter for key, reach in self.reaches.items()}
        await store.save_meters(tx, self.meters | reached)
        await store.save_reach(tx, self.reaches)

    def _pace(self, account: Account, number: Number) -> Pace:
        return self.paces[account.id, number.number]

    def _reach(self, account: Account, number: Number) -> Reach | None:
        return self.reaches.get((account.id, meter_of(number))) if self.reaches else None


def _first_free(
    meter: Meter | None, reach: Reach | None, phone: str, now: datetime
) -> tuple[datetime | None, str]:
    """The first time that both limits allow, if there is any; and which of them decided."""
    at: datetime | None = now
    reason = "NUMBER_LIMIT"
    while at is not None:
        asked = at
        if meter is not None and (free := meter.free_at(asked)) != asked:
            at, reason = free, "ACCOUNT_LIMIT"
        if reach is not None and at is not None and (free := reach.free_at(phone, at)) != at:
            at, reason = free, "NUMBER_LIMIT"
        if at == asked:
            break
    return at, reason


async def give_back(tx: Tx, places: Sequence[Unused]) -> None:
    """Whoever gives back holds the rows of the account's numbers, as whoever takes does."""
    await store.give_back(tx, [(p.account_id, ACCOUNT, p.granted_at) for p in places])
    await store.let_go(tx, [(p.account_id, p.meter, p.phone) for p in places if p.meter])


async def load(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    numbers: Mapping[UUID, Sequence[Number]],
    people: Sequence[tuple[UUID, str]],
    *,
    with_passcodes: Collection[UUID],
) -> Capacity:
    """Everything that bounds messages to these people (account, phone), locked until the end.

    `with_passcodes`: accounts that can send passcodes, for which slots are kept.
    """
    keys = [(account_id, number.number) for account_id in numbers for number in numbers[account_id]]
    locked = await store.lock_paces(tx, keys, with_passcodes)
    if len(locked) != len(keys):
        raise Conflict("a number that was read has just been removed")
    asks = _asks(tx, accounts, numbers, people)
    loaded = await store.load_meters(tx, asks) if asks else {}
    bounded = {key: meter for key, meter in loaded.items() if key[1] != ACCOUNT}
    return Capacity(
        paces=locked,
        meters={key: meter for key, meter in loaded.items() if key[1] == ACCOUNT},
        reaches=await _load_reaches(tx, bounded, people),
    )


def _asks(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    numbers: Mapping[UUID, Sequence[Number]],
    people: Sequence[tuple[UUID, str]],
) -> list[MeterAsk]:
    """Only limits that exist are looked at."""
    wanted: dict[UUID, int] = {}
    for account_id, _ in people:
        wanted[account_id] = wanted.get(account_id, 0) + 1
    asks = []
    for account_id, count in wanted.items():
        account = accounts[account_id]
        bounds = {ACCOUNT: account.daily_limit} | limits_of(numbers.get(account_id, ()))
        now = account.now(tx.now)
        asks += [
            MeterAsk(account_id, meter, limit, now, count)
            for meter, limit in bounds.items()
            if limit is not None
        ]
    return asks


async def _load_reaches(
    tx: Tx, bounded: Mapping[MeterKey, Meter], people: Sequence[tuple[UUID, str]]
) -> dict[MeterKey, Reach]:
    asked = [
        (account_id, meter, phone)
        for account_id, phone in people
        for owner, meter in bounded
        if owner == account_id
    ]
    counted = await store.load_reach(tx, asked) if asked else {}
    reaches = {key: Reach(meter) for key, meter in bounded.items()}
    for (account_id, meter, phone), (at, holders) in counted.items():
        reach = reaches[account_id, meter]
        reach.counted[phone], reach.holders[phone] = at, holders
    return reaches
