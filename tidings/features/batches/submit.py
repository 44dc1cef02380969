"""Accept a batch: one transaction for all of its messages (4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog

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
from .parse import ParsedBatch, RejectedItem, with_path

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An item whose clientMessageId was used; `mismatch`: for another number."""

    client_message_id: str
    mismatch: bool


@dataclass(slots=True)
class BatchOutcome:
    """The result of a batch (2.4)."""

    account: Account
    batch: store.Batch
    total: int
    now: datetime  # by the account's clock
    accepted: list[Message] = field(default_factory=list)
    rejected: list[RejectedItem] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    estimates: forecast.Timestamps = field(default_factory=dict)  # of accepted messages, by id


async def submit(
    ctx: Context, account: Account, parsed: ParsedBatch, *, name: str, event_id: str | None
) -> BatchOutcome:
    await _require_event(ctx, account, event_id)
    accepted = 0
    try:
        await _attach_media(ctx, account, parsed, storing=True)
        async with ctx.batch_writes.acquire(account.id):
            result = await ctx.db.transact(
                lambda tx: _submit(ctx, tx, account, parsed, name, event_id)
            )
        accepted = len(result.accepted)
        _log(result)
        return result
    finally:
        if accepted < len(parsed.requests):  # release the files of the others
            await attachments.release(ctx, account, parsed.requests.values())


async def preview(
    ctx: Context, account: Account, parsed: ParsedBatch, *, name: str, event_id: str | None
) -> BatchOutcome:
    """What `submit` would do; nothing is stored, charged or sent (X-Dry-Run)."""
    await _require_event(ctx, account, event_id)
    await _attach_media(ctx, account, parsed, storing=False)
    async with ctx.batch_writes.acquire(account.id):
        return await ctx.db.preview(
            lambda tx: _submit(ctx, tx, account, parsed, name, event_id, storing=False)
        )


def _log(outcome: BatchOutcome) -> None:
    """One line about its duplicates: a thousand items may have the same problem."""
    batch = outcome.batch
    log.info(
        "batch.accepted",
        account=batch.account_id,
        batch=batch.id,
        accepted=batch.total,
        rejected=batch.rejected,
        duplicates=batch.duplicates,
    )
    items = sum(duplicate.mismatch for duplicate in outcome.duplicates)
    if items:
        log.warning(
            "batch.duplicate_differed", account=batch.account_id, batch=batch.id, items=items
        )


async def _require_event(ctx: Context, account: Account, event_id: str | None) -> None:
    """An unknown event on the envelope refuses the whole batch."""
    if event_id is not None:
        await ctx.db.transact(lambda tx: require_event(tx, account.id, event_id))


async def _attach_media(
    ctx: Context, account: Account, parsed: ParsedBatch, *, storing: bool
) -> None:
    for index, request in list(parsed.requests.items()):
        if request.media is None:
            continue
        try:
            parsed.requests[index] = await attachments.attach(
                ctx, account, request, dry_run=not storing
            )
        except ApiError as error:
            parsed.rejected.append(_refused(index, request, error))
            del parsed.requests[index]


async def _submit(
    ctx: Context,
    tx: Tx,
    account: Account,
    parsed: ParsedBatch,
    name: str,
    event_id: str | None,
    storing: bool = True,
) -> BatchOutcome:
    fresh = (await load_accounts(tx, [account.id]))[account.id]
    now = fresh.now(tx.now)
    batch = store.Batch(account.id, parsed.batch_id, name, event_id, 0, now)
    result = BatchOutcome(fresh, batch, len(parsed.requests) + len(parsed.rejected), now)
    result.rejected.extend(parsed.rejected)
    acceptance = await accept(ctx, tx, list(parsed.requests.values()), dry_run=not storing)
    results, inputs = acceptance.results, acceptance.inputs
    _require_unblocked(results)
    for (index, request), accepted in zip(parsed.requests.items(), results, strict=True):
        add_result(result, index, request, accepted)
    result.rejected.sort(key=lambda rejected: rejected.index)
    if not result.accepted and not result.duplicates:
        await _require_open(tx, fresh)
    batch.total = len(result.accepted)
    batch.rejected, batch.duplicates = len(result.rejected), len(result.duplicates)
    result.estimates = await _forecast(tx, fresh, inputs, result)
    batch.estimated_at = finish_estimate(result)
    if storing:
        await store.insert(tx, batch)
        await batches.start(tx, fresh, batch.id)
        if not result.accepted:
            await progress.publish_progress(tx, account.id, batch.id)
    return result


def _require_unblocked(results: Sequence[Accepted | Exception]) -> None:
    """A blocked account refuses the whole batch, unless it contains duplicates: the caller needs
    to see those."""
    if any(isinstance(one, Accepted) and one.duplicate for one in results):
        return
    blocked = next((one for one in results if isinstance(one, AccountBlocked)), None)
    if blocked is not None:
        raise blocked


async def _require_open(tx: Tx, account: Account) -> None:
    """A blocked account refuses the batch even if no item was valid enough to be charged."""
    (await load_funding(tx, {account.id: account}, [])).require_open(account)


async def _forecast(
    tx: Tx, account: Account, inputs: AcceptanceInputs, result: BatchOutcome
) -> forecast.Timestamps:
    numbers = {number.number: number for number in inputs.numbers.get(account.id, [])}
    forecast_inputs = forecast.ForecastInputs(account, numbers, inputs.capacity, result.now)
    if not forecast.needs_simulation(forecast_inputs, result.accepted):
        return forecast.estimate_planned(forecast_inputs, result.accepted)
    others, weight = await batches.find_others(tx, account, result.batch.id)
    return forecast.estimates(forecast_inputs, result.accepted, others, weight=weight)


def finish_estimate(outcome: BatchOutcome) -> datetime | None:
    """When the last message is expected to be sent; now, if none was accepted."""
    known = [estimate for estimate in outcome.estimates.values() if estimate is not None]
    if len(known) < len(outcome.estimates):
        return None
    return max(known, default=outcome.now)


def add_result(
    result: BatchOutcome, index: int, request: MessageRequest, accepted: Accepted | Exception
) -> None:
    if isinstance(accepted, ApiError):
        result.rejected.append(_refused(index, request, accepted))
    elif isinstance(accepted, OptedOut):
        result.rejected.append(_opted_out(index, request))
    elif isinstance(accepted, Exception):
        raise accepted
    elif accepted.duplicate:
        mismatch = idempotency.is_mismatch(request, accepted.message)
        result.duplicates.append(Duplicate(request.client_message_id, mismatch))
    else:
        result.accepted.append(accepted.message)


def _refused(index: int, request: MessageRequest, error: ApiError) -> RejectedItem:
    located = with_path(error, f"messages[{index}]")
    return RejectedItem(index, request.client_message_id, located.code.name, located.message)


def _opted_out(index: int, request: MessageRequest) -> RejectedItem:
    failure = failures.RECIPIENT_OPTED_OUT
    return RejectedItem(index, request.client_message_id, failure.code, failure.explanation)
