"""Remove files that nothing refers to (contract2 A and E, "Files").

A file is needed by an upload's `mediaId` while that is valid, by a message until it has left us,
and by a request that is about to make a message. The row goes first, in a transaction that has
locked it; then the object, whose name is never used again, so no other upload can be hit. What a
crash leaves in between is an object without a row, and `remove_orphans` finds it.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine.db.pool import UNAVAILABLE_ERRORS
from tidings.engine.db.tx import Tx
from tidings.engine.objects import Listed, ObjectsUnavailable
from tidings.features.accounts.lookup import load_accounts

from . import platform_file_store as uploaded_store
from . import reference_store as use_store
from . import store
from .model import MediaFile

OBJECT_KEY = re.compile("([0-9a-f]{32})/([0-9a-f]{64})")

log = structlog.get_logger()


async def release(ctx: Context, account_id: UUID, holds: Sequence[UUID]) -> None:
    """What these held is needed no more. Best effort: `sweep` finds what is left."""
    if not holds:
        return
    try:
        removed = await ctx.db.transact(partial(_release, account_id=account_id, holds=holds))
    except UNAVAILABLE_ERRORS as fault:
        log.warning("media.not_released", holds=len(holds), error=type(fault).__name__)
        return
    await _delete_objects(ctx, (media.object_key for media in removed))


async def _release(tx: Tx, account_id: UUID, holds: Sequence[UUID]) -> list[MediaFile]:
    await use_store.lock_storage(tx, account_id)
    media_ids = await use_store.delete_holds(tx, account_id, holds)
    return await _remove(tx, account_id, media_ids)


async def sweep(ctx: Context) -> int:
    """Every file that nothing refers to, of all accounts; how many were removed."""
    await ctx.db.transact(use_store.delete_expired_holds)
    count = 0
    while True:
        found = await ctx.db.transact(_find_unreferenced)
        removed: list[MediaFile] = []
        for account_id, keys in groupby(sorted(found), key=itemgetter(0)):
            media_ids = [media_id for _, media_id in keys]
            removed += await ctx.db.transact(
                partial(_remove_locked, account_id=account_id, media_ids=media_ids)
            )
        await _delete_objects(ctx, (media.object_key for media in removed))
        count += len(removed)
        if len(found) < limits.PURGE_PAGE_ROWS or not removed:
            break
    if count:
        log.info("media.removed", files=count)
    return count


async def remove_orphans(ctx: Context) -> int:
    """Objects that no row names: left by a crash, or by versions that wrote the object first."""
    before = ctx.clock.now() - limits.MEDIA_HELD
    count = await ctx.objects.clear_drafts(before)
    async for page in ctx.objects.list():
        orphans = await ctx.db.transact(partial(_find_orphans, listed=page, before=before))
        await _delete_objects(ctx, orphans)
        count += len(orphans)
    if count:
        log.info("media.orphans_removed", objects=count)
    return count


async def _find_unreferenced(tx: Tx) -> list[store.Key]:
    return await store.find_unreferenced(tx, _ended(tx), limits.PURGE_PAGE_ROWS)


async def _remove_locked(tx: Tx, account_id: UUID, media_ids: Sequence[UUID]) -> list[MediaFile]:
    await use_store.lock_storage(tx, account_id)
    return await _remove(tx, account_id, media_ids)


async def _remove(tx: Tx, account_id: UUID, media_ids: Sequence[UUID]) -> list[MediaFile]:
    removed = await store.delete_unreferenced(tx, account_id, media_ids, _ended(tx))
    if removed:
        await uploaded_store.delete_of(tx, account_id, [media.id for media in removed])
        await use_store.add_bytes(tx, account_id, -sum(media.size for media in removed))
    return removed


def _ended(tx: Tx) -> datetime:
    """An id that was valid a moment ago may be in a request that is being served."""
    return tx.now - limits.MEDIA_HELD


async def _find_orphans(tx: Tx, listed: Sequence[Listed], before: datetime) -> list[str]:
    """Only keys of our accounts, as others may share the place, and only old ones: the version
    before this one writes the object first."""
    keys = {
        (UUID(hex=found[1]), bytes.fromhex(found[2])): item.key
        for item in listed
        if item.modified_at < before and (found := OBJECT_KEY.fullmatch(item.key))
    }
    ours = await load_accounts(tx, {account_id for account_id, _ in keys}) if keys else {}
    objects = sorted(name for name in keys if name[0] in ours)
    named = await store.find_named(tx, objects) if objects else set()
    return [keys[name] for name in objects if name not in named]


async def _delete_objects(ctx: Context, keys: Iterable[str]) -> None:
    for key in keys:
        try:
            await ctx.objects.delete(key)
        except ObjectsUnavailable:
            log.warning("media.object_left", key=key)  # an orphan now
