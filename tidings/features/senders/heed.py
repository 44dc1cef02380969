"""Heed what the platform's answers say about the numbers that sent (contract.md, "Sending").

A number with a fault of its own sends nothing more until a trial succeeds or the platform itself
reports it well; `sender.health` tells of both. One that is throttled sends more slowly for a while.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms import failures
from tidings.platforms.port import Failure, FailureKind

from . import store, strain_store
from .health import POOLS, health_event
from .model import CONNECTED, READY_STATUSES, UNKNOWN, Health, Number
from .strain import Strain, begin_fault, end_fault, slow_down
from .strain_store import NumberKey


class Sign(msgspec.Struct, frozen=True):
    """What one answer says. `number` is as it was when it sent."""

    account: Account
    number: Number
    failure: Failure | None  # None: the platform took the message

    @property
    def stops_or_frees(self) -> bool:
        return self.failure is None or self.failure.kind is FailureKind.ACCOUNT_FAULT


class Turn(msgspec.Struct, frozen=True):
    """A number that stopped, or may send again."""

    account_id: UUID
    freed: bool
    event: Event | None  # None: the platform's own word for it says so already


async def heed(tx: Tx, signs: Sequence[Sign]) -> list[Turn]:
    """Before the messages are locked, as numbers come before them; `follow` when all is saved."""
    if not signs:
        return []
    if any(sign.stops_or_frees for sign in signs):
        await changes.begin(tx)
    accounts = {sign.account.id: sign.account for sign in signs}
    strains = await strain_store.lock(tx, [(s.account.id, s.number.number) for s in signs])
    before = {key: strain.fault for key, strain in strains.items()}
    for sign in signs:
        strain = strains.get((sign.account.id, sign.number.number))
        if strain is not None:
            _take(sign, strain, sign.account.now(tx.now))
    turned = await _save(tx, accounts, strains, before)
    taken = sorted({(s.account.id, s.number.number) for s in signs if s.failure is None})
    new = [key for key in taken if key in strains and strains[key].status == UNKNOWN]
    return turned + await _confirm(tx, new)


async def _confirm(tx: Tx, keys: Sequence[NumberKey]) -> list[Turn]:
    """The platform took a message from numbers that it had not confirmed: now it has."""
    turned = []
    for account_id, number in keys:
        before = await store.change_health(tx, account_id, number, status=CONNECTED, quality=None)
        if before is not None:
            await changes.announce(tx, account_id)
            turned.append(Turn(account_id, freed=True, event=None))
    return turned


async def follow(tx: Tx, turns: Sequence[Turn]) -> None:
    """Tell of it, and let waiting mail go."""
    await publish(tx, [turn.event for turn in turns if turn.event is not None])
    for account_id in sorted({turn.account_id for turn in turns if turn.freed}):
        await queue.run_now(tx, account_id, POOLS)


async def mend(tx: Tx, account: Account, numbers: Sequence[str]) -> None:
    """The platform itself reports these numbers well. Believed from their next trial on: one that
    is well by its word and refused all the same must not go to and fro."""
    if not numbers:
        return
    await changes.begin(tx)
    strains = await strain_store.lock(tx, [(account.id, number) for number in numbers])
    before = {key: strain.fault for key, strain in strains.items()}
    now = account.now(tx.now)
    for strain in strains.values():
        if strain.trial_at is None or strain.trial_at <= now:
            end_fault(strain, now)
    await follow(tx, await _save(tx, {account.id: account}, strains, before))


def _take(sign: Sign, strain: Strain, now: datetime) -> None:
    if sign.failure is None:
        end_fault(strain, now)
    elif sign.failure.kind is not FailureKind.ACCOUNT_FAULT:
        slow_down(strain, failures.slowdown(sign.failure), now)
    elif strain.access_token == sign.number.access_token:  # else it speaks of a token of before
        begin_fault(strain, sign.failure.code, now, on_trial=sign.number.on_trial)


async def _save(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    strains: Mapping[NumberKey, Strain],
    before: Mapping[NumberKey, str | None],
) -> list[Turn]:
    await strain_store.save(tx, strains)
    changed = [key for key, strain in strains.items() if strain.fault != before[key]]
    for account_id in sorted({account_id for account_id, _ in changed}):
        await changes.announce(tx, account_id)
    turned = [key for key in changed if None in (before[key], strains[key].fault)]
    return [_turn(tx, accounts[key[0]], key[1], strains[key]) for key in turned]


def _turn(tx: Tx, account: Account, number: str, strain: Strain) -> Turn:
    """It turned just now: before, it was the other way round."""
    freed = strain.fault is None
    if strain.status not in READY_STATUSES:
        return Turn(account.id, freed, None)
    well = Health(strain.status, strain.quality)
    ill = Health(strain.status, strain.quality, blocked=True)
    previous, current = (ill, well) if freed else (well, ill)
    return Turn(account.id, freed, health_event(account, tx.now, number, previous, current))
