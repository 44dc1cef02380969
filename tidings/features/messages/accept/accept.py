"""Accept messages (4.1): load the inputs, decide in memory, write, commit.

A refused request leaves nothing behind. `accept` runs inside the caller's transaction: that of the
accept lane, of a batch, of a form or of a prompt.
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

import msgspec

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.pipelined_writer import PipelinedWriter
from tidings.errors import ApiError, Code
from tidings.features.billing.charging.charge import CHARGE_ERRORS
from tidings.features.media.rules import unknown_media

from .. import spans
from ..model import Message, MessageRequest
from ..send.dispatch import Claimed
from ..state.status_log import log_accepted
from .decide import Decision, Duplicate, OptedOut, decide_and_reserve
from .inputs import AcceptanceInputs, load_inputs
from .persist import Claims, persist, persist_totals
from .rules import MessageCode

SLICE = 50  # requests decided before the event loop runs other tasks: about a millisecond
PART = 450  # messages written while the next ones are decided
FIRST_PART = 100  # smaller, so that PostgreSQL starts to work early

ACCEPT_ERRORS = (  # of an endpoint that sends a text or rich message
    Code.INVALID_PHONE,
    MessageCode.SERVICE_WINDOW_CLOSED,
    MessageCode.RECIPIENT_NOT_ALLOWLISTED,
    MessageCode.DUPLICATE_CLIENT_MESSAGE_ID,
    *CHARGE_ERRORS,
)

Result = Decision | Duplicate | Exception


class Accepted(msgspec.Struct, frozen=True):
    """The result for one request. `claimed`: the caller dispatches the message right away."""

    message: Message
    duplicate: bool = False
    claimed: Claimed | None = None


class Acceptance(msgspec.Struct, frozen=True):
    """A result for each request, in order, and the inputs with all reservations applied."""

    results: list[Accepted | Exception]
    inputs: AcceptanceInputs


async def accept_lane(ctx: Context, requests: list[MessageRequest]) -> list[Accepted | Exception]:
    """The work of `ctx.lanes.accept`: one transaction for all requests that wait."""
    return (await ctx.db.transact(lambda tx: accept(ctx, tx, requests))).results


async def accept(
    ctx: Context, tx: Tx, requests: Sequence[MessageRequest], *, dry_run: bool = False
) -> Acceptance:
    """Accept or refuse each request. `dry_run`: decide only, write nothing."""
    in_parts = len(requests) > PART
    started_at = None if ctx.tracer is None else ctx.tracer.now()
    inputs = await load_inputs(ctx, tx, requests, locking=in_parts)
    results: list[Result] = []
    async with PipelinedWriter[Claims]() as writing:
        for part, is_last in _parts(requests):
            decided = await _decide_all(part, inputs, tx.now)
            results += decided
            decisions = _decisions(decided)
            if decisions and not dry_run:
                if not in_parts:  # numbers precede contacts and messages in the order of locks
                    await inputs.save_reservations(tx)
                await writing.put(_write(ctx, tx, inputs, decisions, now=not is_last))
    decisions = _decisions(results)
    if decisions and not dry_run:
        if in_parts:
            await inputs.save_reservations(tx)
        await persist_totals(ctx, tx, inputs, decisions)
        log_accepted(tx, (decision.message for decision in decisions))
        if ctx.tracer is not None and started_at is not None:
            sent = [
                (request, result.message)
                for request, result in zip(requests, results, strict=True)
                if isinstance(result, Decision)
            ]
            tx.after_commit(partial(spans.accepted, ctx.tracer, sent, started_at))
    claims = {key: claimed for part in writing.results for key, claimed in part.items()}
    return Acceptance([_accepted(result, claims) for result in results], inputs)


def _parts(requests: Sequence[MessageRequest]) -> Iterator[tuple[Sequence[MessageRequest], bool]]:
    """Each part, and whether it is the last."""
    if len(requests) <= PART:
        yield requests, True
        return
    yield requests[:FIRST_PART], False
    for start in range(FIRST_PART, len(requests), PART):
        yield requests[start : start + PART], start + PART >= len(requests)


async def _write(
    ctx: Context, tx: Tx, inputs: AcceptanceInputs, decisions: Sequence[Decision], *, now: bool
) -> Claims:
    """`now`: PostgreSQL writes this part while the next one is decided. The last part is written
    together with the totals."""
    claims = await persist(ctx, tx, inputs, decisions)
    if now:
        await tx.flush()
    return claims


async def _decide_all(
    requests: Sequence[MessageRequest], inputs: AcceptanceInputs, now: datetime
) -> list[Result]:
    """Yields to the event loop after every slice: a large batch must not block other requests."""
    decided = [_decide(request, inputs, now) for request in requests[:SLICE]]
    for start in range(SLICE, len(requests), SLICE):
        await asyncio.sleep(0)
        decided += [_decide(request, inputs, now) for request in requests[start : start + SLICE]]
    return decided


def _decide(request: MessageRequest, inputs: AcceptanceInputs, now: datetime) -> Result:
    if request.file is not None and (request.account_id, request.file.media_id) not in inputs.files:
        return unknown_media()  # removed since the request began
    try:
        return decide_and_reserve(request, inputs, now)
    except (ApiError, OptedOut) as refusal:
        # Its traceback would reference this list through its frames: a reference cycle.
        return refusal.with_traceback(None)


def _decisions(results: Sequence[Result]) -> list[Decision]:
    return [result for result in results if isinstance(result, Decision)]


def _accepted(result: Result, claims: Claims) -> Accepted | Exception:
    if isinstance(result, Decision):
        return Accepted(result.message, claimed=claims.get(result.message.id))
    if isinstance(result, Duplicate):
        return Accepted(result.message, duplicate=True)
    return result
