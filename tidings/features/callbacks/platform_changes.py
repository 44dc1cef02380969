"""Templates and numbers changed at the platform: apply what the callback says, sync the rest.

A callback names a business account; it concerns every account that has numbers or templates there.
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


async def apply(tx: Tx, reported: Sequence[AccountUpdate]) -> None:
    """In the order of arrival: the last report about a template or a number wins, until synced."""
    owned = await find_accounts_of(tx, {owner for report in reported for owner in report.owners})
    if not owned:
        return
    await changes.begin(tx, owned)
    accounts = await load_accounts(tx, owned)
    for report in reported:
        for account_id in _concerned(report, owned):
            await _apply(tx, accounts[account_id], report)
    await numbers.put_sync(tx, sorted(owned))


def _concerned(report: AccountUpdate, owned: Mapping[UUID, set[str]]) -> list[UUID]:
    return [account_id for account_id, owners in owned.items() if owners & set(report.owners)]


async def _apply(tx: Tx, account: Account, report: AccountUpdate) -> None:
    change = report.change
    if isinstance(change, TemplateUpdate):
        await templates.take(tx, account.id, change)
    elif isinstance(change, LimitUpdate):
        await numbers.take_limit(tx, account, report.owners, change.daily_limit)
    elif isinstance(change, NumbersUpdate):
        await numbers.take_status(tx, account, report.owners, change.status)
