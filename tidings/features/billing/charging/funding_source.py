"""Funding sources: what the messages of one batch are charged to. In memory, no I/O.

An account is funded by the current term of its subscription or by its partner's capacity, which
several accounts share. A source is loaded before the batch is decided, charged message by message,
and its charges are written in the same transaction.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from tidings.features.partner.model import Capacity
from tidings.features.partner.rules import PartnerCode

from .. import rules
from ..model import Charge, ChargeKind, Span, Subscription, Term


class FundingSource(Protocol):
    charges: list[Charge]

    def charge(self, message_id: UUID, phone: str) -> Charge:
        """Charge one message, or raise the refusal (402)."""
        ...

    def require_any(self) -> None:
        """Raise (402) if no message to any number could be charged."""
        ...


@dataclass(slots=True)
class SubscriptionSource:
    """A term of a subscription, and the numbers already charged within the subscription."""

    subscription: Subscription
    span: Span
    term: Term
    now: datetime
    enforced: bool
    reached: set[str] = field(default_factory=set)  # the numbers whose next message is a follow-up
    charges: list[Charge] = field(default_factory=list)
    refuse: rules.Refuse = field(init=False)

    def __post_init__(self) -> None:
        exhausted = rules.is_exhausted(self.subscription, self.term)
        self.refuse = rules.decide_refusal(exhausted)

    def charge(self, message_id: UUID, phone: str) -> Charge:
        kind = ChargeKind.FOLLOWUP if phone in self.reached else ChargeKind.UNIQUE
        if self.enforced:
            rules.require_left(self.subscription, self.term, kind, self.refuse)
        price = self.subscription.price(kind)
        if kind is ChargeKind.UNIQUE:
            self.reached.add(phone)
            self.term.unique_used += 1
        else:
            self.term.followup_used += 1
        self.term.accrued_micro += price
        charge = Charge(
            account_id=self.subscription.account_id,
            message_id=message_id,
            kind=kind,
            at=self.now,
            phone=phone,
            subscription_id=self.subscription.id,
            term=self.span.number,
            price_micro=price,
        )
        self.charges.append(charge)
        return charge

    def require_any(self) -> None:
        if self.enforced and rules.is_exhausted(self.subscription, self.term):
            rules.require_left(
                self.subscription, self.term, ChargeKind.UNIQUE, rules.AccountBlocked
            )


@dataclass(slots=True)
class PartnerPool:
    """A partner's remaining capacity, shared by all of its accounts in this batch."""

    partner_id: UUID
    capacity: Capacity
    left: int = field(init=False)
    refuse: rules.Refuse = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.capacity.remaining
        self.refuse = rules.decide_refusal(self.left == 0)


@dataclass(slots=True)
class PartnerSource:
    """One account of a partner, charged to the partner's pool."""

    account_id: UUID
    pool: PartnerPool
    now: datetime
    enforced: bool
    charges: list[Charge] = field(default_factory=list)

    def charge(self, message_id: UUID, phone: str) -> Charge:
        self.require_any()
        covered = self.pool.left > 0 and not self.pool.capacity.is_expired(self.now)
        self.pool.left -= covered
        charge = Charge(
            account_id=self.account_id,
            message_id=message_id,
            kind=ChargeKind.CAPACITY,
            at=self.now,
            partner_id=self.pool.partner_id if covered else None,
        )
        self.charges.append(charge)
        return charge

    def require_any(self) -> None:
        if self.enforced:
            rules.require_agreement(self.pool.capacity, self.now)
            if self.pool.left == 0:
                problem = "the partner's capacity is used up; request a top-up"
                raise self.pool.refuse(PartnerCode.PARTNER_CAPACITY_EXHAUSTED, problem)
