"""What `tidings apply` changes of a subscription is seen by every process at once."""

from typing import Any

from tests.support.clock import ManualClock
from tests.support.database import fresh_database, opened_database
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import AccountSpec
from tidings.features.billing.model import Subscription
from tidings.features.billing.subscriptions.lookup import load_subscriptions
from tidings.features.billing.subscriptions.subscribe import configure
from tidings.secrets import Sealer

SECTION = {
    "package": "Gold", "billingType": "MONTHLY", "unique": 10, "followup": 5, "currency": "ILS",
    "vatPct": "18",
}  # fmt: skip


async def test_a_process_that_knows_the_old_subscription_reads_the_new_one() -> None:
    dsn, clock = fresh_database(), ManualClock()
    async with opened_database(dsn, clock) as ours, opened_database(dsn, clock) as theirs:
        spec = AccountSpec(name="acme", environment="sandbox")
        made = await ours.transact(lambda tx: configure_account(tx, Sealer(bytes(32)), spec))

        async def apply(**changed: Any) -> None:
            sections = {"subscription": SECTION | changed}
            await ours.transact(lambda tx: configure(tx, made.id, sections))

        async def quota(db: Database) -> list[int]:
            async def load(tx: Tx) -> list[Subscription]:
                await load_accounts(tx, [made.id])  # with the version that caches compare
                return (await load_subscriptions(tx, [made.id]))[made.id]

            return [one.unique_quota for one in await db.transact(load)]

        await apply()
        assert await quota(theirs) == [10]
        await apply(unique=20)
        assert [await quota(db) for db in (ours, theirs)] == [[20], [20]]
