"""What the platform reports about numbers: applied to their health, published as `sender.health`.

Two sources. Every response to a send (`record`, contract.md, "Sending"): a fault of the number
opens its circuit until a probe succeeds or the platform reports the number well; throttling halves
its rate. And every report of a number's status or quality (`change_health`): by callback, by sync,
or from the sandbox, whether or not it says anything new.
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

from . import events, history, store
from .contention import NumberKey
from .model import CONNECTED, READY_STATUSES, UNKNOWN, Number, ReportedHealth
from .number_health import NumberHealth, close_circuit, halve_rate, open_circuit

# The queues in which messages wait for a number. They belong to a slice above this one, which
# defines them too; a test compares.
POOLS = ("send", "otp")


class SendFeedback(msgspec.Struct, frozen=True):
    """The platform's response to one send. `number` is as it was at the time of sending."""

    account: Account
    number: Number
    failure: Failure | None  # None: the platform accepted the message

    @property
    def affects_circuit(self) -> bool:
        return self.failure is None or self.failure.kind is FailureKind.ACCOUNT_FAULT


class CircuitChange(msgspec.Struct, frozen=True):
    """The circuit of one of the account's numbers was opened or closed."""

    account_id: UUID
    closed: bool
    event: Event | None  # None: the platform's status shows it already


async def record(tx: Tx, feedback: Sequence[SendFeedback]) -> list[CircuitChange]:
    """Update the health of the numbers that sent.

    Called before messages are locked, because numbers precede them in the lock order;
    `publish_changes` is called after everything is saved.
    """
    if not feedback:
        return []
    changing = {one.account.id for one in feedback if one.affects_circuit}
    if changing:
        await changes.begin(tx, changing)
    accounts = {one.account.id: one.account for one in feedback}
    healths = await store.lock_health(tx, [(f.account.id, f.number.number) for f in feedback])
    faults_before = {key: health.fault for key, health in healths.items()}
    for one in feedback:
        health = healths.get((one.account.id, one.number.number))
        if health is not None:
            _apply(one, health, one.account.now(tx.now))
    changed = await _save(tx, accounts, healths, faults_before)
    accepted = sorted({(f.account.id, f.number.number) for f in feedback if f.failure is None})
    new = [key for key in accepted if key in healths and healths[key].status == UNKNOWN]
    return changed + await _confirm(tx, accounts, new)


async def _confirm(
    tx: Tx, accounts: Mapping[UUID, Account], keys: Sequence[NumberKey]
) -> list[CircuitChange]:
    """By accepting a message the platform confirms a number that was unconfirmed."""
    changed = []
    for account_id, number in keys:
        before = await store.change_health(tx, account_id, number, status=CONNECTED, quality=None)
        if before is not None:
            after = ReportedHealth(CONNECTED, before.quality, before.blocked)
            await history.record_health(tx, accounts[account_id], number, before, after)
            await changes.announce(tx, account_id)
            changed.append(CircuitChange(account_id, closed=True, event=None))
    return changed


async def publish_changes(tx: Tx, changed: Sequence[CircuitChange]) -> None:
    """Publish the events, and run waiting messages of numbers that may send again."""
    await publish(tx, [change.event for change in changed if change.event is not None])
    for account_id in sorted({change.account_id for change in changed if change.closed}):
        await queue.run_now(tx, account_id, POOLS)


async def close_recovered(tx: Tx, account: Account, numbers: Sequence[str]) -> None:
    """The platform reports these numbers as well. That closes a circuit only from `half_open_at`
    on, so that a number reported well whose sends are still refused does not flap."""
    if not numbers:
        return
    await changes.begin(tx, [account.id])
    healths = await store.lock_health(tx, [(account.id, number) for number in numbers])
    faults_before = {key: health.fault for key, health in healths.items()}
    now = account.now(tx.now)
    for health in healths.values():
        if health.half_open_at is None or health.half_open_at <= now:
            close_circuit(health, now)
    await publish_changes(tx, await _save(tx, {account.id: account}, healths, faults_before))


def _apply(feedback: SendFeedback, health: NumberHealth, now: datetime) -> None:
    failure, number = feedback.failure, feedback.number
    if failure is None:
        close_circuit(health, now)
    elif failure.kind is not FailureKind.ACCOUNT_FAULT:
        halve_rate(health, failures.slowdown(failure), now)
    elif health.access_token == number.access_token:  # else it concerns a token replaced since
        open_circuit(health, failure.code, now, half_open=number.half_open)


async def _save(
    tx: Tx,
    accounts: Mapping[UUID, Account],
    healths: Mapping[NumberKey, NumberHealth],
    faults_before: Mapping[NumberKey, str | None],
) -> list[CircuitChange]:
    await store.save_health(tx, healths)
    changed = [key for key, health in healths.items() if health.fault != faults_before[key]]
    for account_id in sorted({account_id for account_id, _ in changed}):
        await changes.announce(tx, account_id)
    toggled = [key for key in changed if None in (faults_before[key], healths[key].fault)]
    return [await _circuit_change(tx, accounts[key[0]], key[1], healths[key]) for key in toggled]


async def _circuit_change(
    tx: Tx, account: Account, number: str, health: NumberHealth
) -> CircuitChange:
    closed = health.fault is None
    if health.status not in READY_STATUSES:
        return CircuitChange(account.id, closed, None)
    well = ReportedHealth(health.status, health.quality)
    blocked = ReportedHealth(health.status, health.quality, blocked=True)
    previous, current = (blocked, well) if closed else (well, blocked)
    await history.record_health(tx, account, number, previous, current)
    return CircuitChange(
        account.id, closed, health_event(account, tx.now, number, previous, current)
    )


async def change_health(
    tx: Tx, account: Account, number: str, *, status: str | None = None, quality: str | None = None
) -> bool:
    """Set what is given. True: it changed, and `sender.health` was published if it is visible."""
    await changes.begin(tx, [account.id])
    before = await store.change_health(tx, account.id, number, status=status, quality=quality)
    if before is None:
        return False
    after = ReportedHealth(status or before.status, quality or before.quality, before.blocked)
    await history.record_health(tx, account, number, before, after)
    await changes.announce(tx, account.id)
    visible = events.health_data(before) != events.health_data(after)
    if visible and not _is_expected_confirmation(before, after):
        await publish(tx, [health_event(account, tx.now, number, before, after)])
    if before.status not in READY_STATUSES and after.status in READY_STATUSES:
        await queue.run_now(tx, account.id, POOLS)
    return True


def _is_expected_confirmation(before: ReportedHealth, after: ReportedHealth) -> bool:
    """That a new number is well is what its owner expects: no event."""
    well = after.status in READY_STATUSES and after.quality not in ("YELLOW", "RED")
    return before.status == UNKNOWN and well


def health_event(
    account: Account,
    real_now: datetime,
    number: str,
    previous: ReportedHealth,
    current: ReportedHealth,
) -> Event:
    data = events.SenderHealthData(
        number=number,
        previous=events.health_data(previous),
        current=events.health_data(current),
    )
    return Event(account, events.HEALTH, account.now(real_now), data)
