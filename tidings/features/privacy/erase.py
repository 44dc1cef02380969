"""Erase a person: ask for it in one transaction, then carry it out in many short ones.

Each step can be repeated, and an erasure is open until the last one: after a crash, or while a
message is just being sent, `resume` goes on. The number is forgotten half a minute later: API calls
are logged a little after they are answered, and such a call may still come into the log.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine.db.pages import repeat
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.sealed import SealedColumn
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.feedback.answers import results
from tidings.features.media import remove as files
from tidings.features.messages.request import attachments
from tidings.features.messages.track.batches import cancel_waiting_to
from tidings.ids import new_id

from . import message_store, person_store, rules, store
from .model import Erased, Erasure

ACTION = "person.erased"
SEALED = SealedColumn("erasures", "sealed", ("account_id", "id"), lambda key: _context(key[1]))

log = structlog.get_logger()


async def erase_person(ctx: Context, account_id: UUID, phone: str, actor: Actor) -> Erased:
    """Erase all that is kept of a person (0029-privacy.md). The audit log names the pseudonym."""
    erasure = _new(ctx, account_id, phone)
    await ctx.db.transact(partial(_request, erasure=erasure, actor=actor))
    return await _carry_out(ctx, erasure, phone)


async def resume(ctx: Context) -> int:
    """Finish what was asked for half a minute ago; how many erasures that were."""
    before = ctx.clock.now() - limits.ERASURE_RESUMED_AFTER
    found = await ctx.db.transact(
        partial(store.find_open, before=before, limit=limits.PURGE_PAGE_ROWS)
    )
    for erasure in found:
        phone = ctx.sealer.open(erasure.sealed, _context(erasure.id)).reveal()
        if erasure.is_complete or (await _carry_out(ctx, erasure, phone)).is_complete:
            await ctx.db.transact(partial(_forget, erasure=erasure, phone=phone))
    return len(found)


def _new(ctx: Context, account_id: UUID, phone: str) -> Erasure:
    erasure_id = new_id()
    key = ctx.sealer.signing_key(rules.PURPOSE)
    mask = rules.pseudonym(key, account_id, phone, erasure_id.hex)
    sealed = ctx.sealer.seal(phone, _context(erasure_id))
    return Erasure(account_id, erasure_id, mask, sealed)


def _context(erasure_id: UUID) -> str:
    return f"erasures {erasure_id.hex}"


async def _request(tx: Tx, erasure: Erasure, actor: Actor) -> None:
    await store.insert(tx, erasure)
    entry = Entry(
        actor=actor, action=ACTION, subject=erasure.pseudonym, account_id=erasure.account_id
    )
    await record(tx, entry)


async def _carry_out(ctx: Context, erasure: Erasure, phone: str) -> Erased:
    cancelled = await _repeat(ctx, partial(_cancel, ctx, erasure, phone))
    messages = await _repeat(ctx, partial(_erase_messages, erasure, phone))
    await _repeat(ctx, partial(_erase_replies, erasure, phone))
    await ctx.db.transact(partial(_erase_rest, erasure=erasure, phone=phone))
    await _drop_events(ctx, erasure, phone)
    is_complete = await ctx.db.transact(partial(_complete, erasure=erasure, phone=phone))
    await attachments.sweep(ctx)
    log.info(
        "privacy.erased",
        account=erasure.account_id,
        person=erasure.pseudonym,
        messages=messages,
        complete=is_complete,
    )
    return Erased(erasure.pseudonym, messages, cancelled, is_complete)


async def _repeat(ctx: Context, step: Callable[[Tx], Awaitable[int]]) -> int:
    return await repeat(ctx.db, step, limits.ERASURE_PAGE_ROWS)


async def _cancel(ctx: Context, erasure: Erasure, phone: str, tx: Tx) -> int:
    account = (await load_accounts(tx, [erasure.account_id]))[erasure.account_id]
    return await cancel_waiting_to(ctx, tx, account, phone, limits.ERASURE_PAGE_ROWS)


async def _erase_messages(erasure: Erasure, phone: str, tx: Tx) -> int:
    owner, mask = erasure.account_id, erasure.pseudonym
    found = await message_store.lock_messages_to(tx, owner, phone, limits.ERASURE_PAGE_ROWS)
    names = {message_id: (phone, mask) for message_id, _ in found}
    await erase_messages(tx, owner, names)
    return len(found)


async def erase_messages(tx: Tx, account_id: UUID, names: dict[UUID, tuple[str, str]]) -> None:
    """These messages, and what belongs to them: by id, the number and what stands in its place."""
    if not names:
        return
    masks = {message_id: mask for message_id, (_, mask) in names.items()}
    orphaned = await message_store.find_files(tx, account_id, list(names))
    await message_store.erase_messages(tx, account_id, names)
    await message_store.erase_invitations(tx, account_id, masks)
    await message_store.erase_form_sends(tx, account_id, masks)
    if orphaned:
        await files.end_validity(tx, account_id, orphaned)


async def _erase_replies(erasure: Erasure, phone: str, tx: Tx) -> int:
    return await person_store.erase_replies(
        tx, erasure.account_id, phone, erasure.pseudonym, limits.ERASURE_PAGE_ROWS
    )


async def _erase_rest(tx: Tx, erasure: Erasure, phone: str) -> None:
    """A few rows in each table."""
    owner, mask = erasure.account_id, erasure.pseudonym
    await results.forget(tx, owner, mask)
    await person_store.drop_readings(tx, owner, phone)
    await person_store.erase_contact(tx, owner, phone)
    await person_store.mask_counters(tx, owner, phone, mask)
    await person_store.drop_jobs(tx, owner, rules.pattern_of(phone))
    await person_store.mask_calls(tx, owner, phone, mask)
    await person_store.mask_audit(tx, owner, phone, mask)


async def _drop_events(ctx: Context, erasure: Erasure, phone: str) -> None:
    after: person_store.Place | None = ("0", 0)
    while after is not None:
        after = await ctx.db.transact(
            partial(
                person_store.drop_events,
                account_id=erasure.account_id,
                phone=phone,
                pattern=rules.pattern_of(phone),
                after=after,
                scanned=limits.ERASURE_SCANNED_ROWS,
            )
        )


async def _complete(tx: Tx, erasure: Erasure, phone: str) -> bool:
    if await message_store.has_messages_under_way(tx, erasure.account_id, phone):
        return False
    await store.complete(tx, erasure)
    return True


async def _forget(tx: Tx, erasure: Erasure, phone: str) -> None:
    await person_store.mask_calls(tx, erasure.account_id, phone, erasure.pseudonym)
    await store.forget(tx, erasure)
