"""Dry run: what would happen to a message, without writing (contract.md, "Preflight")."""

from collections.abc import Sequence

from tidings import times
from tidings.context import Context
from tidings.engine.http.endpoint import Response
from tidings.features.billing.model import ChargeKind

from ..model import Message, MessageRequest, Status
from ..read.lookup_store import find_charged
from ..read.responses import Cost, Preview, WouldBe
from . import idempotency
from .accept import Accepted, accept


async def preview(ctx: Context, request: MessageRequest) -> Response:
    """Refuses what a live request would refuse."""
    acceptance = await ctx.db.preview(lambda tx: accept(ctx, tx, [request], dry_run=True))
    result = acceptance.results[0]
    if isinstance(result, Exception):
        raise result
    message = result.message
    response = Response(
        Preview(
            client_message_id=message.client_message_id,
            would_be=_would_be(result),
            reason=message.error.code if message.error is not None else message.reason,
            retry_at=times.to_wire_or_none(message.retry_at),
            scheduled_for=times.to_wire_or_none(message.scheduled_for),
            sent_from=message.number,
            fallback_used=message.fallback_used,
            cost=await cost(ctx, [] if result.duplicate else [message]),
        )
    )
    if result.duplicate:
        response.headers = idempotency.headers_of(request, message)
    return response


_WOULD_BE: dict[Status, WouldBe] = {
    Status.SENDING: "sent",
    Status.SCHEDULED: "scheduled",
    Status.DEFERRED: "deferred",
    Status.QUEUED: "queued",
    Status.FAILED: "failed",
}


def _would_be(result: Accepted) -> WouldBe:
    return "duplicate" if result.duplicate else _WOULD_BE[result.message.status]


async def cost(ctx: Context, messages: Sequence[Message]) -> Cost:
    """Units of quota: the first message to a number is unique, a second one a follow-up.

    Where no subscription counts recipients (a partner's capacity, or billing is off), those who
    have a message that was not refunded count as known.
    """
    charged = [message for message in messages if message.status is not Status.FAILED]
    uncounted = [m for m in charged if m.charge not in (ChargeKind.UNIQUE, ChargeKind.FOLLOWUP)]
    keys = [(message.account_id, message.recipient) for message in uncounted]
    known = await ctx.db.transact(lambda tx: find_charged(tx, keys)) if keys else set()
    unique = sum(message.charge == ChargeKind.UNIQUE for message in charged)
    unique += len(set(keys) - known)
    return Cost(unique, len(charged) - unique)
