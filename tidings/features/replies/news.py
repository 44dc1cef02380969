"""Something has changed at the platform: take what the callback says, and read the rest anew.

Templates and numbers of every account that has a part in the business account it is about.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.senders import sync as numbers
from tidings.features.senders.callback_routing import find_accounts_of
from tidings.features.templates import sync as templates
from tidings.platforms.whatsapp.account_updates import (
    AccountUpdate,
    LimitUpdate,
    NumbersUpdate,
    TemplateUpdate,
)


async def learn(tx: Tx, heard: Sequence[AccountUpdate]) -> None:
    """In the order of arrival: the last word on a template or a number holds until it is read."""
    owned = await find_accounts_of(tx, {owner for news in heard for owner in news.owners})
    if not owned:
        return
    await changes.begin(tx)
    accounts = await load_accounts(tx, owned)
    for news in heard:
        for account_id in _concerned(news, owned):
            await _take(tx, accounts[account_id], news)
    await numbers.put_sync(tx, sorted(owned))


def _concerned(news: AccountUpdate, owned: Mapping[UUID, set[str]]) -> list[UUID]:
    return [account_id for account_id, owners in owned.items() if owners & set(news.owners)]


async def _take(tx: Tx, account: Account, news: AccountUpdate) -> None:
    change = news.change
    if isinstance(change, TemplateUpdate):
        await templates.take(tx, account.id, change)
    elif isinstance(change, LimitUpdate):
        await numbers.take_limit(tx, account.id, news.owners, change.daily_limit)
    elif isinstance(change, NumbersUpdate):
        await numbers.take_status(tx, account, news.owners, change.status)
