"""The numbers of live accounts, as the platform has them: read, compared, and told where new.

At start, at `apply`, every 5 minutes, after callbacks, and by `tidings sync` (contract.md, "Live
accounts"). What was read and is as before changes nothing and wakes nobody.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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

from . import health, platform_store, store
from .heed import mend
from .model import CONNECTED, READY_STATUSES, Number
from .tokens import open_token

SYNC = "senders.sync"  # run by the slice of templates, which reads both
POOL = "sync"
MISSING = "MISSING"  # our word: the platform knows a confirmed number no more, or not for its token
REFUSAL_CHARS_MAX = 300

Reported = dict[str, ListedNumber | UnknownNumber | None]  # by the platform's ids


async def put_sync(
    tx: Tx, account_ids: Iterable[UUID], within: timedelta = limits.PLATFORM_SYNC_SOON
) -> None:
    """Read these accounts anew, in about that time. One job of each account waits, the earliest."""
    jobs = [
        # Spread out, so that a thousand accounts do not ask at the same time.
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
    """At start: read every live account that has something to be read."""
    await put_sync(tx, await platform_store.find_live_accounts(tx), timedelta(0))


async def put_forgotten(tx: Tx) -> None:
    """Every few minutes: an account whose turn was lost, by whatever accident, has one again."""
    await put_sync(tx, await platform_store.find_live_accounts(tx, without=SYNC))


@dataclass(frozen=True, slots=True)
class Access:
    """A business account of ours at the platform, and a token that reads it."""

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
    """What the platform says of each.

    Raises GraphCallError where the platform does not answer, or says no.
    """
    listed: dict[str, ListedNumber] = {}
    for access in accesses(sealer, account_id, numbers):
        found = await platform_numbers.list_numbers(graph, access.waba_id, access.token)
        listed |= {number.id: number for number in found}
    told: Reported = {}
    for number in numbers:
        token = open_token(sealer, account_id, number)
        if number.phone_number_id is None or token is None:
            continue
        told[number.phone_number_id] = listed.get(number.phone_number_id)
        if number.phone_number_id not in listed:  # its wabaId may be wrong, or not given
            told[number.phone_number_id] = await platform_numbers.find_number(
                graph, number.phone_number_id, token.reveal()
            )
    return told


async def apply_numbers(tx: Tx, account: Account, told: Reported) -> int:
    """Keep what is new of the account's numbers; how many have changed."""
    numbers = (await store.load_numbers(tx, [account.id]))[account.id]
    changed = 0
    for number in numbers:
        if number.phone_number_id in told:
            changed += await _apply(tx, account, number, told[number.phone_number_id])
    faulty = [number for number in numbers if number.fault is not None]
    await mend(tx, account, [number.number for number in faulty if _is_well(number, told)])
    return changed


async def note_refusal(
    tx: Tx, account_id: UUID, words: str, number: str | None = None, hidden: Iterable[str] = ()
) -> None:
    """Keep why the platform has not confirmed this number, or any that it has not confirmed.

    Its words may quote what we sent; tokens (`hidden`) are not shown again."""
    for token in hidden:
        words = words.replace(token, "…")
    await changes.begin(tx)
    if await platform_store.save_refusal(tx, account_id, number, words[:REFUSAL_CHARS_MAX]):
        await changes.announce(tx, account_id)


def _is_well(number: Number, told: Reported) -> bool:
    """Whether the platform, asked with its token, says that the number can send."""
    listed = told.get(number.phone_number_id or "")
    return isinstance(listed, ListedNumber) and listed.status in READY_STATUSES


async def _apply(
    tx: Tx, account: Account, number: Number, told: ListedNumber | UnknownNumber | None
) -> bool:
    if not isinstance(told, ListedNumber):
        if number.is_confirmed:
            return await _change_health(tx, account, number, MISSING, number.quality)
        words = told.reason if told is not None else "it lists no such phoneNumberId"
        await note_refusal(tx, account.id, words, number.number)
        return False
    known = number.status if number.is_confirmed else CONNECTED  # it is listed: that confirms it
    status = known if told.status is UNSET else told.status
    quality = number.quality if told.quality is UNSET else told.quality
    changed = await _change_health(tx, account, number, status, quality)
    return await _change_limits(tx, account, number, told) or changed


async def _change_health(
    tx: Tx, account: Account, number: Number, status: str, quality: str
) -> bool:
    if (status, quality) == (number.status, number.quality):
        return False
    return await health.change_health(tx, account, number.number, status=status, quality=quality)


async def _change_limits(tx: Tx, account: Account, number: Number, told: ListedNumber) -> bool:
    wanted = _told(number, told)
    known = (
        number.platform_per_second,
        number.platform_daily_limit,
        number.platform_portfolio_id,
        number.verified_name,
    )
    if wanted == known:
        return False
    await changes.begin(tx)
    per_second, daily_limit, portfolio_id, verified_name = wanted
    await platform_store.save_told(
        tx,
        account.id,
        number.number,
        per_second=per_second,
        daily_limit=daily_limit,
        portfolio_id=portfolio_id,
        verified_name=verified_name,
    )
    await changes.announce(tx, account.id)
    await queue.run_now(tx, account.id, health.POOLS)  # a limit may have been raised
    return True


def _told(number: Number, told: ListedNumber) -> tuple[int | None, int | None, str | None, str]:
    """What an answer leaves out stays as it was."""
    portfolio = number.platform_portfolio_id
    if told.portfolio_id is not UNSET:
        portfolio = told.portfolio_id
    elif told.daily_limit is not UNSET and portfolio is None and number.waba_id is not None:
        portfolio = f"waba-{number.waba_id}"  # the limit is shared, whoever owns the account
    return (
        number.platform_per_second if told.per_second is UNSET else told.per_second,
        number.platform_daily_limit if told.daily_limit is UNSET else told.daily_limit,
        portfolio,
        number.verified_name if told.verified_name is UNSET else told.verified_name,
    )


async def take_limit(
    tx: Tx, account_id: UUID, owners: Sequence[str], daily_limit: int | None
) -> None:
    """A callback told the limit of a portfolio."""
    if await platform_store.save_limit(tx, account_id, owners, daily_limit):
        await changes.announce(tx, account_id)
        await queue.run_now(tx, account_id, health.POOLS)


async def take_status(tx: Tx, account: Account, owners: Sequence[str], status: str) -> None:
    """A callback told that a whole business account is banned, deleted or disconnected."""
    for number in (await store.load_numbers(tx, [account.id]))[account.id]:
        named = {number.waba_id, number.portfolio_id, number.platform_portfolio_id}
        if named & set(owners):
            await health.change_health(tx, account, number.number, status=status)
