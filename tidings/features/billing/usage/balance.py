"""Remaining quota or capacity, and unpaid invoices: GET /balance (2.8)."""

from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.partner.lookup import Partnership, find_partnership

from .. import rules, suspension
from ..invoices import lookup as invoice_lookup
from ..invoices import responses as invoice_responses
from ..model import Subscription, Term
from ..subscriptions import lookup, store
from . import responses


async def load_balance(tx: Tx, account: Account) -> responses.Balance:
    now = account.now(tx.now)
    unpaid = await invoice_lookup.load_unpaid(tx, account.id)
    balance = responses.Balance(
        billing_mode=account.billing_mode,
        suspended=account.id in await suspension.find_overdue(tx, [account]),
        invoices=[invoice_responses.invoice(one, now) for one in unpaid],
    )
    partnership = await find_partnership(tx, account)
    if partnership is not None:
        _show_capacity(balance, partnership)
    else:
        found = await find_present(tx, account)
        balance.subscription = None if found is None else responses.subscription(*found, now)
    return balance


def _show_capacity(balance: responses.Balance, partnership: Partnership) -> None:
    balance.capacity = partnership.shape()
    if not partnership.is_own:
        balance.partner = partnership.partner.name


async def find_present(tx: Tx, account: Account) -> tuple[Subscription, Term] | None:
    """The most recently started subscription, in any state, and its current term."""
    now = account.now(tx.now)
    found = rules.present((await lookup.load_subscriptions(tx, [account.id]))[account.id], now)
    if found is None:
        return None
    key = (account.id, found.id, rules.span_at(found, now).number)
    return found, (await store.load_terms(tx, [key])).get(key) or rules.unused(found)
