"""What an account's messages are paid from, while one batch is being decided. No I/O.

A plan is a term of the account's subscription, a pool the capacity of a partner, which several
accounts share. Each is loaded before, drawn upon in memory, and written back after.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from tidings.features.partner.model import Capacity
from tidings.features.partner.rules import PartnerCode

from .. import rules
from ..model import Charge, Kind, Span, Subscription, Term


class Purse(Protocol):
    taken: list[Charge]

    def take(self, message_id: UUID, phone: str) -> Charge:
        """Pay for one message, or refuse (402)."""
        ...

    def require_any(self) -> None:
        """That there is something left to pay with, whoever a message goes to."""
        ...


@dataclass(slots=True)
class Plan:
    """A term of a subscription, and who has had a message within the subscription."""

    subscription: Subscription
    span: Span
    term: Term
    now: datetime
    enforced: bool
    reached: set[str] = field(default_factory=set)  # the numbers whose next message is a follow-up
    taken: list[Charge] = field(default_factory=list)
    refuse: rules.Refuse = field(init=False)

    def __post_init__(self) -> None:
        exhausted = rules.is_exhausted(self.subscription, self.term)
        self.refuse = rules.decide_refusal(exhausted)

    def take(self, message_id: UUID, phone: str) -> Charge:
        kind = Kind.FOLLOWUP if phone in self.reached else Kind.UNIQUE
        if self.enforced:
            rules.require_left(self.subscription, self.term, kind, self.refuse)
        price = self.subscription.price(kind)
        if kind is Kind.UNIQUE:
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
        self.taken.append(charge)
        return charge

    def require_any(self) -> None:
        if self.enforced and rules.is_exhausted(self.subscription, self.term):
            rules.require_left(self.subscription, self.term, Kind.UNIQUE, rules.AccountBlocked)


@dataclass(slots=True)
class Pool:
    """What is left of a partner's capacity, for all of its accounts in this batch together."""

    partner_id: UUID
    capacity: Capacity
    left: int = field(init=False)
    refuse: rules.Refuse = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.capacity.remaining
        self.refuse = rules.decide_refusal(self.left == 0)


@dataclass(slots=True)
class Share:
    """An account's part in a pool."""

    account_id: UUID
    pool: Pool
    now: datetime
    enforced: bool
    taken: list[Charge] = field(default_factory=list)

    def take(self, message_id: UUID, phone: str) -> Charge:
        self.require_any()
        covered = self.pool.left > 0 and not self.pool.capacity.is_expired(self.now)
        self.pool.left -= covered
        charge = Charge(
            account_id=self.account_id,
            message_id=message_id,
            kind=Kind.CAPACITY,
            at=self.now,
            partner_id=self.pool.partner_id if covered else None,
        )
        self.taken.append(charge)
        return charge

    def require_any(self) -> None:
        if self.enforced:
            rules.require_agreement(self.pool.capacity, self.now)
            if self.pool.left == 0:
                problem = "the partner's capacity is used up; request a top-up"
                raise self.pool.refuse(PartnerCode.PARTNER_CAPACITY_EXHAUSTED, problem)
