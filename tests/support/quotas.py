"""Accounts with numbers, and what is reserved of their limits."""

from datetime import timedelta
from uuid import UUID

from tests.support.clock import NOON
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.model import AccountSpec
from tidings.features.senders import quota_store
from tidings.features.senders.configure import configure
from tidings.features.senders.model import NumberSpec
from tidings.features.senders.quota_store import CounterQuery
from tidings.features.senders.quotas import ACCOUNT, RollingCounter
from tidings.secrets import Sealer

SEALER = Sealer(bytes(32))
MINUTE = timedelta(minutes=1)
FIRST, SECOND = "972555000001", "972555000002"
GUEST, OTHER, FRIEND = "972501111111", "972502222222", "972503333333"
PEOPLE = "number:972555000001"


async def account_with_numbers(db, name="acme", **limits) -> UUID:
    async def make(tx):
        spec = AccountSpec(name=name, environment="sandbox", **limits)
        made = await configure_account(tx, SEALER, spec)
        specs = [NumberSpec(number=FIRST, per_second=10), NumberSpec(number=SECOND)]
        await configure(tx, SEALER, made.id, specs)
        return made.id

    return await db.transact(make)


def ask(account, counter=ACCOUNT, limit=10, now=NOON, room_for=None):
    return CounterQuery(account, counter, limit, now, room_for)


async def take_places(db, account, timestamps, counter=ACCOUNT):
    async def work(tx):
        one = RollingCounter(None)
        for at in timestamps:
            one.reserve(at)
        await quota_store.save_counters(tx, {(account, counter): one})

    await db.transact(work)


async def load_one(db, *args, **kwargs):
    wanted = ask(*args, **kwargs)
    counters = await db.transact(lambda tx: quota_store.load_counters(tx, [wanted]))
    return counters[wanted.account_id, wanted.counter]
