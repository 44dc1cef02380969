"""Take a batch into custody: one transaction for all its messages (4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from tidings import ids
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.charging.charge import load_funding
from tidings.features.billing.rules import AccountBlocked
from tidings.features.events.lookup import require_event
from tidings.features.messages.accept import idempotency
from tidings.features.messages.accept.accept import Accepted, accept
from tidings.features.messages.accept.decide import OptedOut
from tidings.features.messages.accept.inputs import AcceptanceInputs
from tidings.features.messages.model import Message, MessageRequest
from tidings.features.messages.request import attachments
from tidings.features.messages.track import batches
from tidings.platforms import failures

from . import forecast, progress, store
from .parse import Parsed, RejectedItem, placed

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An item that repeats a message; `mismatch`: one that went to somebody else."""

    client_message_id: str
    mismatch: bool


@dataclass(slots=True)
class Submitted:
    """What became of a batch (2.4)."""

    account: Account
    batch: store.Batch
    total: int
    now: datetime  # the account's time
    accepted: list[Message] = field(default_factory=list)
    rejected: list[RejectedItem] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    estimates: forecast.Timestamps = field(default_factory=dict)  # of accepted messages, by id


async def submit(
    ctx: Context, account: Account, parsed: Parsed, *, name: str, event_id: str | None
) -> Submitted:
    await _require_event(ctx, account, event_id)
    accepted = 0
    try:
        await _attach_media(ctx, account, parsed, storing=True)
        async with ctx.batch_writes.acquire(account.id):
            result = await ctx.db.transact(
                lambda tx: _submit(ctx, tx, account, parsed, name, event_id)
            )
        accepted = len(result.accepted)
        _warn(result)
        return result
    finally:
        if accepted < len(parsed.wanted):  # files that came with the others are not kept
            await attachments.release(ctx, account, parsed.wanted.values())


async def preview(
    ctx: Context, account: Account, parsed: Parsed, *, name: str, event_id: str | None
) -> Submitted:
    """What `submit` would do; nothing is stored, charged or sent (X-Dry-Run)."""
    await _require_event(ctx, account, event_id)
    await _attach_media(ctx, account, parsed, storing=False)
    async with ctx.batch_writes.acquire(account.id):
        return await ctx.db.preview(
            lambda tx: _submit(ctx, tx, account, parsed, name, event_id, storing=False)
        )


def _warn(taken: Submitted) -> None:
    """One line a batch: a thousand items may be wrong in the same way."""
    items = sum(duplicate.mismatch for duplicate in taken.duplicates)
    if items:
        batch = ids.batch_ref(taken.batch.id)
        log.warning(
            "batch.duplicate_mismatch", account=taken.account.name, batch=batch, items=items
        )


async def _require_event(ctx: Context, account: Account, event_id: str | None) -> None:
    """The batch's own event: if there is none, the envelope is wrong and nothing is stored."""
    if event_id is not None:
        await ctx.db.transact(lambda tx: require_event(tx, account.id, event_id))


async def _attach_media(ctx: Context, account: Account, parsed: Parsed, *, storing: bool) -> None:
    for index, wanted in list(parsed.wanted.items()):
        if wanted.media is None:
            continue
        try:
            parsed.wanted[index] = await attachments.attach(
                ctx, account, wanted, dry_run=not storing
            )
        except ApiError as error:
            parsed.rejected.append(_refused(index, wanted, error))
            del parsed.wanted[index]


async def _submit(
    ctx: Context,
    tx: Tx,
    account: Account,
    parsed: Parsed,
    name: str,
    event_id: str | None,
    storing: bool = True,
) -> Submitted:
    fresh = (await load_accounts(tx, [account.id]))[account.id]
    now = fresh.now(tx.now)
    batch = store.Batch(account.id, parsed.batch_id, name, event_id, 0, now)
    result = Submitted(fresh, batch, len(parsed.wanted) + len(parsed.rejected), now)
    result.rejected.extend(parsed.rejected)
    wanted = list(parsed.wanted.values())  # in the order of their places
    acceptance = await accept(ctx, tx, wanted, dry_run=not storing)
    taken, inputs = acceptance.results, acceptance.inputs
    _require_unblocked(taken)
    for (index, item), became in zip(parsed.wanted.items(), taken, strict=True):
        _sort(result, index, item, became)
    result.rejected.sort(key=lambda rejected: rejected.index)
    if not result.accepted and not result.duplicates:
        await _require_open(tx, fresh)
    batch.total = len(result.accepted)
    result.estimates = await _forecast(tx, fresh, inputs, result)
    if storing:
        await store.insert(tx, batch)
        await batches.start(tx, fresh, batch.id)
        if not result.accepted:
            await progress.publish_progress(tx, account.id, batch.id)
    return result


def _require_unblocked(taken: Sequence[Accepted | Exception]) -> None:
    """What blocks the account answers the whole batch, unless a part of it is a repeat: its caller
    must learn what became of that part."""
    if any(isinstance(one, Accepted) and one.duplicate for one in taken):
        return
    blocked = next((one for one in taken if isinstance(one, AccountBlocked)), None)
    if blocked is not None:
        raise blocked


async def _require_open(tx: Tx, account: Account) -> None:
    """What blocks the account answers a batch also where no item came as far as to be charged."""
    (await load_funding(tx, {account.id: account}, [])).require_open(account)


async def _forecast(
    tx: Tx, account: Account, inputs: AcceptanceInputs, result: Submitted
) -> forecast.Timestamps:
    numbers = {number.number: number for number in inputs.numbers.get(account.id, [])}
    outlook = forecast.Outlook(account, numbers, inputs.capacity, result.now)
    if not forecast.needs_others(outlook, result.accepted):
        return forecast.in_their_turns(outlook, result.accepted)
    others, weight = await batches.find_others(tx, account, result.batch.id)
    return forecast.estimates(outlook, result.accepted, others, weight=weight)


def _sort(
    result: Submitted, index: int, wanted: MessageRequest, became: Accepted | Exception
) -> None:
    if isinstance(became, ApiError):
        result.rejected.append(_refused(index, wanted, became))
    elif isinstance(became, OptedOut):
        result.rejected.append(_opted_out(index, wanted))
    elif isinstance(became, Exception):
        raise became
    elif became.duplicate:
        mismatch = idempotency.is_mismatch(wanted, became.message)
        result.duplicates.append(Duplicate(wanted.client_message_id, mismatch))
    else:
        result.accepted.append(became.message)


def _refused(index: int, wanted: MessageRequest, error: ApiError) -> RejectedItem:
    there = placed(error, f"messages[{index}]")
    return RejectedItem(index, wanted.client_message_id, there.code.name, there.message)


def _opted_out(index: int, wanted: MessageRequest) -> RejectedItem:
    failure = failures.RECIPIENT_OPTED_OUT
    return RejectedItem(index, wanted.client_message_id, failure.code, failure.explanation)
