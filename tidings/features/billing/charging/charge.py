"""Charging inside acceptance: a message is charged when it is accepted (contract.md, "Billing").

Load what the accounts can pay with, let the rules draw on it in memory, write it back in the same
transaction. Nothing is locked until it is written, last of all: then each term's row, or the
partner's, is the gate. What has changed meanwhile is a conflict, and everything begins anew; that
is rare, because whoever accepts an account's messages already holds the rows of its numbers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from tidings import ids
from tidings.engine.db.tx import Conflict, Tx
from tidings.errors import ApiError
from tidings.features.accounts.model import Account
from tidings.features.partner import capacity

from .. import rules
from .. import suspension as standing
from ..model import Charge, Kind, Span, State, Subscription, Term, TermKey
from ..subscriptions import lookup, store
from ..subscriptions.store import Draw
from . import store as charge_store
from .funding_source import Plan, Pool, Purse, Share

Person = tuple[UUID, str]  # account, phone


@dataclass(slots=True)
class Credit:
    """What the accounts of one batch can pay with. Accounts whose billing is off are not here."""

    purses: dict[UUID, Purse] = field(default_factory=dict)
    requirements: dict[UUID, Callable[[], object]] = field(default_factory=dict)  # not met
    overdue: set[UUID] = field(default_factory=set)  # accounts that an invoice pauses

    def charge(self, account: Account, message_id: UUID, to: str) -> Kind | None:
        """Pay for a message; refused with 402. What it was charged as, None: it was not."""
        require = self.requirements.get(account.id)
        if require is not None:
            require()
        purse = self.purses.get(account.id)
        return None if purse is None else purse.take(message_id, to).kind

    def require_open(self, account: Account) -> None:
        """That nothing refuses every message of the account (402), whoever it goes to."""
        if (require := self.requirements.get(account.id)) is not None:
            require()
        if (purse := self.purses.get(account.id)) is not None:
            purse.require_any()

    async def save(self, tx: Tx) -> None:
        """After the messages and before the jobs in the order of locks."""
        drawn = [self.purses[key] for key in sorted(self.purses) if self.purses[key].taken]
        plans = [purse for purse in drawn if isinstance(purse, Plan)]
        shares = [purse for purse in drawn if isinstance(purse, Share)]
        await _save_plans(tx, plans)
        await _save_shares(tx, shares)
        charges = [charge for purse in drawn for charge in purse.taken]
        if charges:
            await charge_store.reserve(tx, charges)


def _uniques(charges: Sequence[Charge]) -> int:
    return sum(charge.kind is Kind.UNIQUE for charge in charges)


async def _save_plans(tx: Tx, plans: Sequence[Plan]) -> None:
    for plan in plans:
        if not plan.term.is_stored:
            await store.open_term(tx, plan.subscription, plan.span)
    draws = {_key(plan.subscription, plan.span): _draw(plan) for plan in plans}
    if draws and await store.draw(tx, draws) != len(draws):
        raise Conflict("the quota is not there any more, or its term is over")


def _draw(plan: Plan) -> Draw:
    subscription, unique = plan.subscription, _uniques(plan.taken)
    return Draw(
        unique=unique,
        followup=len(plan.taken) - unique,
        micro=sum(charge.price_micro for charge in plan.taken),
        bounded=plan.enforced and not subscription.is_metered,
        limit_micro=rules.limit_micro(subscription) if plan.enforced else None,
    )


async def _save_shares(tx: Tx, shares: Sequence[Share]) -> None:
    used: dict[UUID, int] = {}
    for share in shares:
        covered = sum(charge.partner_id is not None for charge in share.taken)
        used[share.pool.partner_id] = used.get(share.pool.partner_id, 0) + covered
    await capacity.use(tx, used)


async def find_refusal(tx: Tx, account: Account) -> str | None:
    """Why a message to somebody new would be refused (402) now; None: it would not. Nothing is
    charged."""
    credit = await load_credit(tx, {account.id: account}, [])
    try:
        credit.charge(account, ids.new_id(), "")
    except ApiError as refusal:
        return refusal.message
    return None


# Loading


async def load_credit(tx: Tx, accounts: Mapping[UUID, Account], people: Sequence[Person]) -> Credit:
    """`people`: whom the messages go to (account, phone)."""
    counted = [one for one in accounts.values() if rules.is_counted(one.billing_mode)]
    credit = Credit()
    if counted:
        await _load_shares(tx, [one for one in counted if _partner(one)], credit)
        await _load_plans(tx, [one for one in counted if not _partner(one)], people, credit)
        # Last, because it wins over whatever else is wrong.
        for account_id, invoice in (await standing.find_overdue(tx, counted)).items():
            credit.requirements[account_id] = partial(rules.require_paid, invoice)
            credit.overdue.add(account_id)
    return credit


def _partner(account: Account) -> UUID | None:
    """Whose capacity the account uses."""
    return account.id if account.is_partner else account.belongs_to


async def _load_shares(tx: Tx, accounts: Sequence[Account], credit: Credit) -> None:
    partners = {account.id: partner for account in accounts if (partner := _partner(account))}
    found = await capacity.find(tx, set(partners.values())) if partners else {}
    pools = {partner_id: Pool(partner_id, held) for partner_id, held in found.items()}
    for account in accounts:
        pool, now = pools[partners[account.id]], account.now(tx.now)
        enforced = rules.is_enforced(account.billing_mode)
        credit.purses[account.id] = Share(account.id, pool, now, enforced)


async def _load_plans(
    tx: Tx, accounts: Sequence[Account], people: Sequence[Person], credit: Credit
) -> None:
    running: dict[UUID, tuple[Subscription, Span]] = {}
    subscriptions = await lookup.load_subscriptions(tx, [account.id for account in accounts])
    for account in accounts:
        now = account.now(tx.now)
        found = rules.present(subscriptions[account.id], now)
        if found is not None and found.state(now) is State.ACTIVE:
            running[account.id] = found, rules.span_at(found, now)
        elif rules.is_enforced(account.billing_mode):
            credit.requirements[account.id] = partial(rules.require_active, found, now)
    if running:
        terms, reached = await _load_terms(tx, running), await _load_reached(tx, running, people)
        for account in (one for one in accounts if one.id in running):
            subscription, span = running[account.id]
            credit.purses[account.id] = Plan(
                subscription=subscription,
                span=span,
                term=terms.get(_key(subscription, span)) or rules.unused(subscription),
                now=account.now(tx.now),
                enforced=rules.is_enforced(account.billing_mode),
                reached=reached.get(account.id, set()),
            )


async def _load_terms(
    tx: Tx, running: Mapping[UUID, tuple[Subscription, Span]]
) -> dict[TermKey, Term]:
    return await store.load_terms(tx, [_key(*found) for found in running.values()])


async def _load_reached(
    tx: Tx, running: Mapping[UUID, tuple[Subscription, Span]], people: Sequence[Person]
) -> dict[UUID, set[str]]:
    asked = {
        (account_id, running[account_id][0].id, phone)
        for account_id, phone in people
        if account_id in running
    }
    reached: dict[UUID, set[str]] = {}
    for account_id, _, phone in await charge_store.find_reached(tx, list(asked)) if asked else ():
        reached.setdefault(account_id, set()).add(phone)
    return reached


def _key(subscription: Subscription, span: Span) -> TermKey:
    return subscription.account_id, subscription.id, span.number
