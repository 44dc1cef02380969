"""Charging inside acceptance: a message is charged when it is accepted (contract.md, "Billing").

The accounts' funding sources are loaded, charged in memory by the rules, and written back in the
same transaction. Nothing is locked until the write, which comes last: a conditional update of each
term's or partner's row. If too little is left by then, that is a conflict and the transaction is
retried.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from tidings import ids
from tidings.engine.db.reads import Read
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.model import Account
from tidings.features.partner import capacity
from tidings.features.partner.rules import PartnerCode

from .. import rules, suspension
from ..invoices.model import Overdue
from ..model import Charge, ChargeKind, Span, Subscription, SubscriptionState, Term, TermKey
from ..subscriptions import lookup, store
from ..subscriptions.store import QuotaDraw
from . import store as charge_store
from .funding_source import FundingSource, PartnerPool, PartnerSource, SubscriptionSource

Person = tuple[UUID, str]  # account, phone

CHARGE_ERRORS = (  # of an endpoint that charges
    *rules.BillingCode,
    PartnerCode.PARTNER_CAPACITY_EXHAUSTED,
    PartnerCode.PARTNER_CAPACITY_EXPIRED,
)


@dataclass(slots=True)
class Funding:
    """The funding sources of one batch, by account. Accounts whose billing is off have none."""

    sources: dict[UUID, FundingSource] = field(default_factory=dict)
    requirements: dict[UUID, Callable[[], object]] = field(
        default_factory=dict
    )  # raise why nothing may be charged
    overdue: set[UUID] = field(default_factory=set)  # accounts suspended by an overdue invoice

    def charge(self, account: Account, message_id: UUID, to: str) -> ChargeKind | None:
        """Charge a message, or raise the refusal (402). None: the account is not billed."""
        require = self.requirements.get(account.id)
        if require is not None:
            require()
        source = self.sources.get(account.id)
        return None if source is None else source.charge(message_id, to).kind

    def require_open(self, account: Account) -> None:
        """Raise (402) if every message of the account would be refused, to any number."""
        if (require := self.requirements.get(account.id)) is not None:
            require()
        if (source := self.sources.get(account.id)) is not None:
            source.require_any()

    async def save(self, tx: Tx) -> None:
        """Write the charges; in the lock order after the messages and before the jobs."""
        charged = [source for _, source in sorted(self.sources.items()) if source.charges]
        subscriptions = [source for source in charged if isinstance(source, SubscriptionSource)]
        partners = [source for source in charged if isinstance(source, PartnerSource)]
        await _save_subscriptions(tx, subscriptions)
        await _save_partners(tx, partners)
        charges = [charge for source in charged for charge in source.charges]
        if charges:
            await charge_store.reserve(tx, charges)


def _uniques(charges: Sequence[Charge]) -> int:
    return sum(charge.kind is ChargeKind.UNIQUE for charge in charges)


async def _save_subscriptions(tx: Tx, sources: Sequence[SubscriptionSource]) -> None:
    for source in sources:
        if not source.term.is_stored:
            await store.open_term(tx, source.subscription, source.span)
    draws = {_key(source.subscription, source.span): _draw(source) for source in sources}
    if draws:
        await store.draw(tx, draws)


def _draw(source: SubscriptionSource) -> QuotaDraw:
    subscription, unique = source.subscription, _uniques(source.charges)
    return QuotaDraw(
        unique=unique,
        followup=len(source.charges) - unique,
        micro=sum(charge.price_micro for charge in source.charges),
        bounded=source.enforced and not subscription.is_metered,
        limit_micro=rules.limit_micro(subscription) if source.enforced else None,
    )


async def _save_partners(tx: Tx, sources: Sequence[PartnerSource]) -> None:
    used: dict[UUID, int] = {}
    for source in sources:
        covered = sum(charge.partner_id is not None for charge in source.charges)
        used[source.pool.partner_id] = used.get(source.pool.partner_id, 0) + covered
    await capacity.use(tx, used)


async def find_refusal(tx: Tx, account: Account) -> ApiError | None:
    """Why a message to a new number would be refused (402) now, or None. Charges nothing."""
    funding = await load_funding(tx, {account.id: account}, [])
    try:
        funding.charge(account, ids.new_id(), "")
    except ApiError as refusal:
        return refusal
    return None


# Loading


async def load_funding(
    tx: Tx, accounts: Mapping[UUID, Account], people: Sequence[Person]
) -> Funding:
    """`people`: the recipients of the messages (account, phone)."""
    reads = await begin_funding(tx, accounts, people)
    await tx.read(*reads.all)
    return reads.funding()


@dataclass(slots=True)
class FundingReads:
    """The queries of `load_funding`, to be sent together with others."""

    _funding: Funding
    _running: Mapping[UUID, tuple[Subscription, Span]]  # subscriptions that pay, and their terms
    _accounts: Mapping[UUID, Account]
    _now: datetime
    _terms: Read[dict[TermKey, Term]]
    _reached: Read[dict[UUID, set[str]]]
    _overdue: Read[dict[UUID, Overdue]]

    @property
    def all(self) -> tuple[Read[Any], ...]:
        return self._terms, self._reached, self._overdue

    def funding(self) -> Funding:
        """Once they were sent."""
        for account_id, (subscription, span) in self._running.items():
            account, key = self._accounts[account_id], _key(subscription, span)
            self._funding.sources[account_id] = SubscriptionSource(
                subscription=subscription,
                span=span,
                term=self._terms.result.get(key) or rules.unused(subscription),
                now=account.now(self._now),
                enforced=rules.is_enforced(account.billing_mode),
                reached=self._reached.result.get(account_id, set()),
            )
        # Last: an overdue invoice takes precedence over every other refusal.
        for account_id, invoice in self._overdue.result.items():
            self._funding.requirements[account_id] = partial(rules.require_paid, invoice)
            self._funding.overdue.add(account_id)
        return self._funding


async def begin_funding(
    tx: Tx, accounts: Mapping[UUID, Account], people: Sequence[Person]
) -> FundingReads:
    """What partners have left is loaded here: the usual account has none."""
    counted = [one for one in accounts.values() if rules.is_counted(one.billing_mode)]
    funding = Funding()
    await _load_partners(tx, [one for one in counted if _partner(one)], funding)
    running = await _find_running(tx, [one for one in counted if not _partner(one)], funding)
    charged = {
        (account_id, running[account_id][0].id, phone)
        for account_id, phone in people
        if account_id in running
    }
    return FundingReads(
        funding,
        running,
        accounts,
        tx.now,
        store.read_terms([_key(*found) for found in running.values()]),
        charge_store.read_charged_numbers(list(charged)),
        suspension.read_overdue(counted, tx.now),
    )


def _partner(account: Account) -> UUID | None:
    """The partner whose capacity the account uses, if any."""
    return account.id if account.is_partner else account.belongs_to


async def _load_partners(tx: Tx, accounts: Sequence[Account], funding: Funding) -> None:
    partners = {account.id: partner for account in accounts if (partner := _partner(account))}
    found = await capacity.find(tx, set(partners.values())) if partners else {}
    pools = {partner_id: PartnerPool(partner_id, held) for partner_id, held in found.items()}
    for account in accounts:
        pool, now = pools[partners[account.id]], account.now(tx.now)
        enforced = rules.is_enforced(account.billing_mode)
        funding.sources[account.id] = PartnerSource(account.id, pool, now, enforced)


async def _find_running(
    tx: Tx, accounts: Sequence[Account], funding: Funding
) -> dict[UUID, tuple[Subscription, Span]]:
    """The active subscriptions; the other accounts get their refusal."""
    running: dict[UUID, tuple[Subscription, Span]] = {}
    subscriptions = await lookup.load_subscriptions(tx, [account.id for account in accounts])
    for account in accounts:
        now = account.now(tx.now)
        found = rules.present(subscriptions[account.id], now)
        if found is not None and found.state(now) is SubscriptionState.ACTIVE:
            running[account.id] = found, rules.span_at(found, now)
        elif rules.is_enforced(account.billing_mode):
            funding.requirements[account.id] = partial(rules.require_active, found, now)
    return running


def _key(subscription: Subscription, span: Span) -> TermKey:
    return subscription.account_id, subscription.id, span.number
