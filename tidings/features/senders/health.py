"""A number's status or quality has changed at the platform: keep it, tell it, let waiting mail go.

Called for every report, whether or not it says anything new: from the platform's callbacks, from
reading the numbers of live accounts, and from the sandbox.
"""

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.model import Account
from tidings.features.webhooks.publish import Event, publish

from . import store
from .model import READY_STATUSES

# The queues in which messages wait for a number. Their owner is a slice above this one, which
# names them too; a test compares.
POOLS = ("send", "otp")


async def change_health(
    tx: Tx, account: Account, number: str, *, status: str | None = None, quality: str | None = None
) -> bool:
    """Set what is given. True: it was not so before, and `sender.health` has been published."""
    await changes.begin(tx)
    before = await store.change_health(tx, account.id, number, status=status, quality=quality)
    if before is None:
        return False
    after = (status or before[0], quality or before[1])
    await changes.announce(tx, account.id)
    data = {"number": number, "previous": _health(*before), "current": _health(*after)}
    await publish(tx, [Event(account, "sender.health", account.now(tx.now), data)])
    if before[0] not in READY_STATUSES and after[0] in READY_STATUSES:
        await queue.hasten(tx, account.id, POOLS)
    return True


def _health(status: str, quality: str) -> dict[str, str]:
    return {"status": status, "qualityRating": quality}
