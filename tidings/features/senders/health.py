"""A number's status or quality has changed at the platform: keep it, tell it, let waiting mail go.

Called for every report, whether or not it says anything new: from the platform's callbacks, from
reading the numbers of live accounts, and from the sandbox.
"""

from datetime import datetime

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event, publish

from . import events, store
from .model import READY_STATUSES, UNKNOWN, Health

# The queues in which messages wait for a number. Their owner is a slice above this one, which
# names them too; a test compares.
POOLS = ("send", "otp")


async def change_health(
    tx: Tx, account: Account, number: str, *, status: str | None = None, quality: str | None = None
) -> bool:
    """Set what is given. True: it was not so before, and `sender.health` tells what is new."""
    await changes.begin(tx)
    before = await store.change_health(tx, account.id, number, status=status, quality=quality)
    if before is None:
        return False
    after = Health(status or before.status, quality or before.quality, before.blocked)
    await changes.announce(tx, account.id)
    if events.health_data(before) != events.health_data(after) and not _is_first_good_word(
        before, after
    ):
        await publish(tx, [health_event(account, tx.now, number, before, after)])
    if before.status not in READY_STATUSES and after.status in READY_STATUSES:
        await queue.run_now(tx, account.id, POOLS)
    return True


def _is_first_good_word(before: Health, after: Health) -> bool:
    """That a new number is well is what its owner expects; nothing has changed."""
    well = after.status in READY_STATUSES and after.quality not in ("YELLOW", "RED")
    return before.status == UNKNOWN and well


def health_event(
    account: Account, real_now: datetime, number: str, previous: Health, current: Health
) -> Event:
    data = events.SenderHealthData(
        number=number,
        previous=events.health_data(previous),
        current=events.health_data(current),
    )
    return Event(account, events.HEALTH, account.now(real_now), data)
