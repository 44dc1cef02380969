"""Sync the numbers of live accounts with the platform, publishing what changed.

At start, at `apply`, every 5 minutes, after callbacks, and by `tidings sync` (contract.md, "Live
accounts"). A sync that finds no difference writes nothing and notifies nobody.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from msgspec import UNSET

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import NewJob
from tidings.features.accounts import changes
from tidings.features.accounts.model import Account
from tidings.platforms.whatsapp import numbers as platform_numbers
from tidings.platforms.whatsapp.client import Graph
from tidings.platforms.whatsapp.numbers import ListedNumber, UnknownNumber
from tidings.secrets import Sealer

from . import history, platform_feedback, platform_store, store
from .lookup import open_token
from .model import CONNECTED, READY_STATUSES, Number

SYNC = "senders.sync"  # run by the templates slice, which syncs both
POOL = "sync"
MISSING = "MISSING"  # ours, not the platform's: it no longer lists a confirmed number to its token
REFUSAL_CHARS_MAX = 300

Reported = dict[str, ListedNumber | UnknownNumber | None]  # by the platform's ids


async def put_sync(
    tx: Tx, account_ids: Iterable[UUID], within: timedelta = limits.PLATFORM_SYNC_SOON
) -> None:
    """Sync these accounts within about that time. Each has one job, due at its earliest time."""
    jobs = [
        # Jitter, so that a thousand accounts do not sync at the same time.
        NewJob(
            account_id,
            POOL,
            SYNC,
            account_id.hex,
            tx.now + within * random.uniform(0.8, 1.2),  # noqa: S311
            unique_key=SYNC,
        )
        for account_id in account_ids
    ]
    await queue.enqueue(tx, jobs)


async def put_all(tx: Tx) -> None:
    """At start: sync every live account that can be synced."""
    await put_sync(tx, await platform_store.find_live_accounts(tx), timedelta(0))


async def put_missing(tx: Tx) -> None:
    """Every few minutes: enqueue the sync of accounts whose job was lost."""
    await put_sync(tx, await platform_store.find_live_accounts(tx, without=SYNC))


@dataclass(frozen=True, slots=True)
class Access:
    """A business account at the platform, and a token that may read it."""

    waba_id: str
    token: str = field(repr=False)


def accesses(sealer: Sealer, account_id: UUID, numbers: Sequence[Number]) -> list[Access]:
    """Each business account once, with the token of its first number."""
    found: dict[str, Access] = {}
    for number in numbers:
        token = open_token(sealer, account_id, number)
        if number.waba_id is not None and token is not None:
            found.setdefault(number.waba_id, Access(number.waba_id, token.reveal()))
    return list(found.values())


async def read_numbers(
    graph: Graph, sealer: Sealer, account_id: UUID, numbers: Sequence[Number]
) -> Reported:
    """What the platform reports about each number.

    Raises GraphCallError if the platform does not answer or refuses.
    """
    listed: dict[str, ListedNumber] = {}
    for access in accesses(sealer, account_id, numbers):
        found = await platform_numbers.list_numbers(graph, access.waba_id, access.token)
        listed |= {number.id: number for number in found}
    reported: Reported = {}
    for number in numbers:
        token = open_token(sealer, account_id, number)
        if number.phone_number_id is None or token is None:
            continue
        reported[number.phone_number_id] = listed.get(number.phone_number_id)
        if number.phone_number_id not in listed:  # its wabaId may be wrong, or not given
            reported[number.phone_number_id] = await platform_numbers.find_number(
                graph, number.phone_number_id, token.reveal()
            )
    return reported


async def apply_numbers(tx: Tx, account: Account, reported: Reported) -> int:
    """Store what is new about the account's numbers; how many changed."""
    numbers = (await store.load_numbers(tx, [account.id]))[account.id]
    changed = 0
    for number in numbers:
        if number.phone_number_id in reported:
            changed += await _apply(tx, account, number, reported[number.phone_number_id])
    faulty = [number for number in numbers if number.fault is not None]
    recovered = [number.number for number in faulty if _is_well(number, reported)]
    await platform_feedback.close_recovered(tx, account, recovered)
    return changed


async def note_refusal(
    tx: Tx, account_id: UUID, error: str, number: str | None = None, hidden: Iterable[str] = ()
) -> None:
    """Store why the platform has not confirmed this number, or any unconfirmed one.

    Its error may quote what we sent; tokens (`hidden`) are redacted."""
    for token in hidden:
        error = error.replace(token, "…")
    await changes.begin(tx, [account_id])
    if await platform_store.save_refusal(tx, account_id, number, error[:REFUSAL_CHARS_MAX]):
        await changes.announce(tx, account_id)


def _is_well(number: Number, reported: Reported) -> bool:
    """Whether the platform, called with its token, reports that the number can send."""
    listed = reported.get(number.phone_number_id or "")
    return isinstance(listed, ListedNumber) and listed.status in READY_STATUSES


async def _apply(
    tx: Tx, account: Account, number: Number, listed: ListedNumber | UnknownNumber | None
) -> bool:
    if not isinstance(listed, ListedNumber):
        if number.is_confirmed:
            return await _change_health(tx, account, number, MISSING, number.quality)
        reason = listed.reason if listed is not None else "it lists no such phoneNumberId"
        await note_refusal(tx, account.id, reason, number.number)
        return False
    known = number.status if number.is_confirmed else CONNECTED  # being listed confirms it
    status = known if listed.status is UNSET else listed.status
    quality = number.quality if listed.quality is UNSET else listed.quality
    changed = await _change_health(tx, account, number, status, quality)
    return await _change_settings(tx, account, number, listed) or changed


async def _change_health(
    tx: Tx, account: Account, number: Number, status: str, quality: str
) -> bool:
    if (status, quality) == (number.status, number.quality):
        return False
    return await platform_feedback.change_health(
        tx, account, number.number, status=status, quality=quality
    )


async def _change_settings(tx: Tx, account: Account, number: Number, listed: ListedNumber) -> bool:
    settings = _settings(number, listed)
    known = (
        number.platform_per_second,
        number.platform_daily_limit,
        number.platform_portfolio_id,
        number.verified_name,
    )
    if settings == known:
        return False
    await changes.begin(tx, [account.id])
    per_second, daily_limit, portfolio_id, verified_name = settings
    await platform_store.save_platform_settings(
        tx,
        account.id,
        number.number,
        per_second=per_second,
        daily_limit=daily_limit,
        portfolio_id=portfolio_id,
        verified_name=verified_name,
    )
    after = replace(number, platform_daily_limit=daily_limit)
    await history.record_limits(tx, account, [number], [after])
    await changes.announce(tx, account.id)
    await queue.run_now(tx, account.id, platform_feedback.POOLS)  # a limit may have been raised
    return True


def _settings(
    number: Number, listed: ListedNumber
) -> tuple[int | None, int | None, str | None, str]:
    """Rate, limit, portfolio and name; what the platform leaves out stays as it was."""
    portfolio = number.platform_portfolio_id
    if listed.portfolio_id is not UNSET:
        portfolio = listed.portfolio_id
    elif listed.daily_limit is not UNSET and portfolio is None and number.waba_id is not None:
        portfolio = f"waba-{number.waba_id}"  # the limit is shared, whoever owns the account
    return (
        number.platform_per_second if listed.per_second is UNSET else listed.per_second,
        number.platform_daily_limit if listed.daily_limit is UNSET else listed.daily_limit,
        portfolio,
        number.verified_name if listed.verified_name is UNSET else listed.verified_name,
    )


async def take_limit(
    tx: Tx, account: Account, owners: Sequence[str], daily_limit: int | None
) -> None:
    """A callback reported the limit of a portfolio."""
    await changes.begin(tx, [account.id])
    before = (await store.load_numbers(tx, [account.id]))[account.id]
    if await platform_store.save_limit(tx, account.id, owners, daily_limit):
        after = (await store.load_numbers(tx, [account.id]))[account.id]
        await history.record_limits(tx, account, before, after)
        await changes.announce(tx, account.id)
        await queue.run_now(tx, account.id, platform_feedback.POOLS)


async def take_status(tx: Tx, account: Account, owners: Sequence[str], status: str) -> None:
    """A callback reported that a whole business account is banned, deleted or disconnected."""
    for number in (await store.load_numbers(tx, [account.id]))[account.id]:
        named = {number.waba_id, number.portfolio_id, number.platform_portfolio_id}
        if named & set(owners):
            await platform_feedback.change_health(tx, account, number.number, status=status)
