"""Apply `[accounts.subscription]` of the account file (contract.md, "Running it").

The same package, billing type and currency mean the same subscription: quota, prices and end may
change, and usage is kept. A different package or `startsAt` creates a new subscription, which
replaces the old one when it starts. Removing the section ends the subscription.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from tidings import money, times
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from ..model import BillingType, Subscription, Terms
from . import renew, store


async def configure(tx: Tx, account_id: UUID, sections: Mapping[str, Any]) -> None:
    """`sections`: the account's part of the file."""
    section = sections.get("subscription")
    await changes.begin(tx, [account_id])
    account = (await load_accounts(tx, [account_id]))[account_id]
    found = (await store.load_subscriptions(tx, [account_id], locked=True))[account_id]
    now = account.now(tx.now)
    after = decide(account, found, None if section is None else read(section), now)
    if after != found:
        await _write(tx, found, after)
        await changes.announce(tx, account_id)
        await renew.watch(tx, account, after)


def read(section: Mapping[str, Any]) -> Terms:
    """Parse the section."""
    currency = section["currency"]
    limit = section.get("creditLimit")
    return Terms(
        package=section["package"],
        billing_type=BillingType(section["billingType"]),
        unique_quota=section["unique"],
        followup_quota=section["followup"],
        starts_at=_timestamp(section.get("startsAt")),
        ends_at=_timestamp(section.get("endsAt")),
        currency=currency,
        vat_hundredths=int(Decimal(section["vatPct"]) * 100),
        unique_price_micro=money.parse_rate(section.get("pricePerUnique") or "0", currency).micro,
        followup_price_micro=money.parse_rate(
            section.get("pricePerFollowup") or "0", currency
        ).micro,
        monthly_minor=money.parse(section.get("monthlyPrice") or "0", currency).minor,
        credit_limit_minor=None if limit is None else money.parse(limit, currency).minor,
    )


def _timestamp(text: str | None) -> datetime | None:
    return None if text is None else times.parse(text)


def decide(
    account: Account, found: list[Subscription], terms: Terms | None, now: datetime
) -> list[Subscription]:
    """The account's subscriptions after applying `terms`."""
    started = [_resumed(one, now) for one in found if one.starts_at <= now]
    if terms is None:
        return _end_last(started, now)
    for kept in (found, started):
        if kept and _is_same(kept[-1], terms, now):
            return [*kept[:-1], _changed(kept[-1], terms)]
    number = max((one.id for one in found), default=0) + 1
    new = _new(account.id, number, terms, now)
    return [*_end_last(started, max(new.starts_at, now)), new]


def _resumed(one: Subscription, now: datetime) -> Subscription:
    """Undo a future end: the replacement that causes it has not started, and is dropped."""
    is_pending = one.ended_at is not None and one.ended_at > now
    return replace(one, ended_at=None) if is_pending else one


def _end_last(started: list[Subscription], at: datetime) -> list[Subscription]:
    if not started or (started[-1].end is not None and started[-1].end <= at):
        return started
    return [*started[:-1], replace(started[-1], ended_at=at)]


def _is_same(last: Subscription, terms: Terms, now: datetime) -> bool:
    identity = (terms.package, terms.billing_type, terms.currency)
    if (last.package, last.billing_type, last.currency) != identity or last.ended_at is not None:
        return False
    starts_at = terms.starts_at
    if last.starts_at != starts_at and (starts_at is not None or last.starts_at > now):
        return False  # a different start, or a future start that was removed
    # The last month has been invoiced, so extending an ended subscription creates a new one.
    is_over = last.ends_at is not None and now >= last.ends_at
    is_package = last.billing_type is BillingType.PACKAGE
    return is_package or not is_over or terms.ends_at == last.ends_at


def _changed(last: Subscription, terms: Terms) -> Subscription:
    return replace(last, **asdict(terms) | {"starts_at": last.starts_at})


def _new(account_id: UUID, number: int, terms: Terms, now: datetime) -> Subscription:
    fields = asdict(terms) | {"starts_at": terms.starts_at or now}
    return Subscription(account_id=account_id, id=number, ended_at=None, created_at=now, **fields)


async def _write(tx: Tx, before: list[Subscription], after: list[Subscription]) -> None:
    kept = {one.id for one in after}
    for one in before:
        if one.id not in kept:
            await store.delete_subscription(tx, one.account_id, one.id)
    for one in after:
        if one not in before:
            await store.put_subscription(tx, one)
            await store.change_quota(tx, one)
