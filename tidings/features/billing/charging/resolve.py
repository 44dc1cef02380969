"""Resolve charges: settle when the message is delivered, refund when it fails, expires or is
cancelled; exactly one of them, once, in the transaction that changes the message's state.

A refund is credited to the term, or the partner, that was charged. If that term has been invoiced
already, the money is credited to the current term, and so appears on the next invoice. Lock order:
after the messages, terms before partners.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from tidings.engine.db.errors import Conflict
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.partner import capacity

from .. import rules
from ..model import ChargeKind, TermKey
from ..subscriptions import lookup, store
from . import store as charge_store
from .store import DayKey, Resolved


class EndedMessage(msgspec.Struct, frozen=True):
    """A charged message whose charge is to be settled or refunded."""

    account_id: UUID
    message_id: UUID
    phone: str
    at: datetime  # by the account's clock


async def settle(tx: Tx, delivered: Sequence[EndedMessage]) -> None:
    """Settle the charges of delivered messages. A refunded charge stays refunded."""
    if delivered:
        await charge_store.settle(tx, _keys(delivered))


async def refund(tx: Tx, accounts: Mapping[UUID, Account], ended: Sequence[EndedMessage]) -> None:
    """Idempotent: a charge that was resolved already is not refunded again."""
    refunded = await charge_store.refund(tx, _keys(ended)) if ended else []
    if not refunded:
        return
    booked_in = await _return_quota(tx, accounts, [one for one in refunded if one.term is not None])
    await _return_capacity(tx, refunded)
    phones = {one.message_id: one.phone for one in ended}
    await _release_numbers(tx, refunded, phones)
    await charge_store.count_refunds(tx, (_day(one, booked_in) for one in refunded))


def _keys(ended: Iterable[EndedMessage]) -> list[tuple[UUID, UUID, datetime]]:
    return [(one.account_id, one.message_id, one.at) for one in ended]


async def _return_quota(
    tx: Tx, accounts: Mapping[UUID, Account], refunded: Sequence[Resolved]
) -> dict[TermKey, TermKey]:
    """Return quota and money to the terms; by term, the term that the money was booked in."""
    by_term: dict[TermKey, list[Resolved]] = {}
    for one in refunded:
        by_term.setdefault(_term(one), []).append(one)
    if not by_term:
        return {}
    sums = {key: _sums(by_term[key]) for key in sorted(by_term)}
    closed = await store.release(tx, sums)
    invoiced = {key: sums[key][2] for key, at in closed.items() if at is not None and sums[key][2]}
    booked_in = await _credit_current(tx, accounts, invoiced) if invoiced else {}
    return {key: booked_in.get(key, key) for key in sums}


def _term(one: Resolved) -> TermKey:
    assert one.subscription_id is not None and one.term is not None, "charged to a subscription"
    return one.account_id, one.subscription_id, one.term


def _sums(refunded: Sequence[Resolved]) -> tuple[int, int, int]:
    unique = sum(one.kind is ChargeKind.UNIQUE for one in refunded)
    return unique, len(refunded) - unique, sum(one.price_micro for one in refunded)


async def _credit_current(
    tx: Tx, accounts: Mapping[UUID, Account], invoiced: Mapping[TermKey, int]
) -> dict[TermKey, TermKey]:
    """Credit refunds of invoiced terms to the current terms; returns which term got which."""
    subscriptions = await lookup.load_subscriptions(tx, sorted({key[0] for key in invoiced}))
    booked_in: dict[TermKey, TermKey] = {}
    amounts: dict[TermKey, int] = {}
    for key, micro in sorted(invoiced.items()):
        found = next(one for one in subscriptions[key[0]] if one.id == key[1])
        number = rules.booking_term(found, accounts[key[0]].now(tx.now))
        await store.open_term(tx, found, rules.span(found, number))
        booked_in[key] = (key[0], key[1], number)
        amounts[booked_in[key]] = amounts.get(booked_in[key], 0) + micro
    if await store.credit(tx, amounts) != len(amounts):
        raise Conflict("a term has just been invoiced")
    return booked_in


async def _return_capacity(tx: Tx, refunded: Sequence[Resolved]) -> None:
    counts: dict[UUID, int] = {}
    for one in refunded:
        if one.partner_id is not None:
            counts[one.partner_id] = counts.get(one.partner_id, 0) + 1
    await capacity.release(tx, counts)


async def _release_numbers(
    tx: Tx, refunded: Sequence[Resolved], phones: Mapping[UUID, str]
) -> None:
    """The next message to these numbers is unique again, even if a follow-up was sent meanwhile."""
    released = [
        (*_term(one)[:2], phones[one.message_id], one.message_id)
        for one in refunded
        if one.kind is ChargeKind.UNIQUE
    ]
    if released:
        await charge_store.release_numbers(tx, released)


def _day(one: Resolved, booked_in: Mapping[TermKey, TermKey]) -> DayKey:
    day = one.at.astimezone(UTC).date()
    if one.term is None:
        return one.account_id, day, 0, 0, one.kind, one.price_micro
    _, subscription_id, term = booked_in[_term(one)]
    return one.account_id, day, subscription_id, term, one.kind, one.price_micro
