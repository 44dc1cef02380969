"""Take a batch into custody: one transaction for all its messages (4.3)."""

from dataclasses import dataclass, field
from datetime import datetime

from tidings import ids
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages import accept, attach, batching
from tidings.features.messages.model import Message, Wanted
from tidings.features.messages.states import Status

from . import progress, rules, store
from .parse import Parsed, Rejected, placed


@dataclass(slots=True)
class Submitted:
    """What became of a batch (2.4)."""

    batch: store.Batch
    total: int
    accepted: list[Message] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    now: datetime | None = None
    decisions: list[accept.Decision] = field(default_factory=list)

    @property
    def failed(self) -> list[Message]:
        return [message for message in self.accepted if message.status is Status.FAILED]


async def submit(
    ctx: Context, account: Account, parsed: Parsed, *, name: str, event_id: str | None
) -> Submitted:
    await _attach_media(ctx, account, parsed, storing=True)
    return await ctx.db.transact(
        lambda tx: _submit(ctx, tx, account, parsed, name, event_id, storing=True)
    )


async def preview(
    ctx: Context, account: Account, parsed: Parsed, *, name: str, event_id: str | None
) -> Submitted:
    """What `submit` would do; nothing is stored."""
    await _attach_media(ctx, account, parsed, storing=False)
    return await ctx.db.preview(
        lambda tx: _submit(ctx, tx, account, parsed, name, event_id, storing=False)
    )


async def _attach_media(ctx: Context, account: Account, parsed: Parsed, *, storing: bool) -> None:
    for index, wanted in list(parsed.wanted.items()):
        if wanted.media is None:
            continue
        try:
            parsed.wanted[index] = await attach.attach(ctx, account, wanted, storing=storing)
        except ApiError as error:
            refused = placed(error, f"messages[{index}]")
            parsed.rejected.append(Rejected(index, wanted.client_message_id, refused))
            del parsed.wanted[index]


async def _submit(
    ctx: Context, tx: Tx, account: Account, parsed: Parsed, name: str, event_id: str | None,
    *, storing: bool,
) -> Submitted:  # fmt: skip
    fresh = (await load_accounts(tx, [account.id]))[account.id]
    now = fresh.now(tx.now)
    batch = store.Batch(account.id, ids.new_id(), name, event_id, 0, now)
    result = Submitted(batch, len(parsed.wanted) + len(parsed.rejected), now=now)
    result.rejected.extend(parsed.rejected)
    indexes = sorted(parsed.wanted)
    wanted = [_of_batch(parsed.wanted[index], batch) for index in indexes]
    taken = await accept.accept_in(ctx, tx, wanted, storing=storing)
    for index, item, became in zip(indexes, wanted, taken, strict=True):
        _sort(result, index, item, became)
    result.rejected.sort(key=lambda rejected: rejected.index)
    batch.total = len(result.accepted)
    if storing:
        await store.insert(tx, batch)
        await batching.start(tx, fresh, batch.id)
        if not result.accepted:
            await progress.tell(tx, account.id, batch.id)
    return result


def _of_batch(wanted: Wanted, batch: store.Batch) -> Wanted:
    from dataclasses import replace

    return replace(wanted, batch_id=batch.id)


def _sort(
    result: Submitted, index: int, wanted: Wanted, became: accept.Accepted | Exception
) -> None:
    if isinstance(became, ApiError):
        refused = placed(became, f"messages[{index}]")
        result.rejected.append(Rejected(index, wanted.client_message_id, refused))
    elif isinstance(became, Exception):
        raise became
    elif became.duplicate:
        result.duplicates.append(wanted.client_message_id)
    else:
        result.accepted.append(became.message)


def finish_estimate(result: Submitted) -> datetime | None:
    """When the last of them will have gone, conservatively; None where nobody can know."""
    assert result.now is not None
    latest = result.now
    for message in result.accepted:
        planned = message.planned_at
        if planned is None:
            return None
        latest = max(latest, rules.conservative(result.now, planned))
    return latest
