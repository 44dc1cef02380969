"""Remove files that nothing refers to (contract2 A and E, "Files").

A file is referenced by its `mediaId` while that is valid, by a message until it is sent, and by a
request that is about to create a message. The row is deleted first, in a transaction that locks it,
then the object. Object names are never reused, so this cannot delete another upload's object. A
crash in between leaves an object without a row, which `remove_orphans` deletes.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from operator import itemgetter
from uuid import UUID

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
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
    """Release holds and remove their files. Best effort: `sweep` removes what is left."""
    if not holds:
        return
    try:
        removed = await ctx.db.transact(partial(_release, account_id=account_id, holds=holds))
    except UNAVAILABLE_ERRORS as fault:
        error = type(fault).__name__
        log.warning("media.release_failed", account=account_id, holds=len(holds), error=error)
        return
    await _delete_objects(ctx, (media.object_key for media in removed))


async def _release(tx: Tx, account_id: UUID, holds: Sequence[UUID]) -> list[MediaFile]:
    await use_store.lock_storage(tx, account_id)
    media_ids = await use_store.delete_holds(tx, account_id, holds)
    return await _remove(tx, account_id, media_ids)


async def sweep(ctx: Context) -> int:
    """Remove every unreferenced file of all accounts; returns how many."""
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


async def end_validity(tx: Tx, account_id: UUID, media_ids: Sequence[UUID]) -> None:
    """Their mediaIds are valid no more; `sweep` removes those that nothing else refers to."""
    before = _expired_before(tx) - timedelta(seconds=1)
    await store.end_validity(tx, account_id, media_ids, before)


async def remove_orphans(ctx: Context) -> int:
    """Delete objects without a row: left by a crash, or by versions that wrote the object first."""
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
    return await store.find_unreferenced(tx, _expired_before(tx), limits.PURGE_PAGE_ROWS)


async def _remove_locked(tx: Tx, account_id: UUID, media_ids: Sequence[UUID]) -> list[MediaFile]:
    await use_store.lock_storage(tx, account_id)
    return await _remove(tx, account_id, media_ids)


async def _remove(tx: Tx, account_id: UUID, media_ids: Sequence[UUID]) -> list[MediaFile]:
    removed = await store.delete_unreferenced(tx, account_id, media_ids, _expired_before(tx))
    if removed:
        await uploaded_store.delete_of(tx, account_id, [media.id for media in removed])
        await use_store.add_bytes(tx, account_id, -sum(media.size for media in removed))
    return removed


def _expired_before(tx: Tx) -> datetime:
    """With a grace period: a request in progress may use an id that has just expired."""
    return tx.now - limits.MEDIA_HELD


async def _find_orphans(tx: Tx, listed: Sequence[Listed], before: datetime) -> list[str]:
    """Only keys of our accounts, as the bucket may be shared, and only old ones, because earlier
    versions wrote the object before the row."""
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
            log.warning("media.removal_failed", key=key)  # an orphan now
