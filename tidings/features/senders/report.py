"""What the numbers and the account can still send: for GET /limits and for the portal."""

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from . import responses
from .model import Number
from .quota_store import CounterQuery, load_counters
from .quotas import ACCOUNT, counter_limits
from .store import load_numbers


async def load_capacities(tx: Tx, caller: Account) -> responses.Capacities:
    """Over a rolling 24 hours."""
    account, numbers = await load_current(tx, caller)
    now = account.now(tx.now)
    queried = {ACCOUNT: account.daily_limit, **counter_limits(numbers)}
    queries = [CounterQuery(account.id, name, limit, now) for name, limit in queried.items()]
    counters = await load_counters(tx, queries)
    return responses.capacities(
        account, numbers, {name: counter for (_, name), counter in counters.items()}, now
    )


async def load_current(tx: Tx, caller: Account) -> tuple[Account, list[Number]]:
    """As of this transaction: the account that came with the API key may be a second old."""
    account = (await load_accounts(tx, [caller.id]))[caller.id]
    return account, (await load_numbers(tx, [caller.id]))[caller.id]
