"""Sync the templates of live accounts with the platform; and the job that syncs an account.

If the platform is down or refuses, stored data stays as it is (contract.md, "Live accounts").
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

import msgspec
import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts import changes
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.senders import sync as senders
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.platforms.whatsapp.account_updates import TemplateUpdate
from tidings.platforms.whatsapp.call_errors import GraphCallError, GraphErrorResponse
from tidings.platforms.whatsapp.client import Graph
from tidings.platforms.whatsapp.templates import ListedTemplate, list_templates
from tidings.secrets import Sealer

from . import store
from .lookup import configure
from .model import Template, TemplateButton

log = structlog.get_logger()


class Synced(msgspec.Struct, frozen=True):
    """The result of syncing an account."""

    account: str
    numbers: int = 0  # how many changed
    templates: bool = False  # whether any changed
    problem: str | None = None
    wait: timedelta = timedelta(0)  # the platform's Retry-After


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `senders.sync`: sync, and schedule the next sync."""
    for job in jobs:
        synced = await sync_account(ctx.db, ctx.graph, ctx.sealer, job.account_id)
        if synced is not None:
            _note(ctx, job.account_id, synced)
        await ctx.db.transact(partial(_end, job=job, synced=synced, every=_every(ctx)))


async def on_dead_letter(ctx: Context, jobs: list[Job]) -> None:
    """A sync that crashed workers is rescheduled at the usual interval. As a dead letter it would
    be replaced every minute (`put_missing`), and dead letters would pile up. It is logged."""
    await ctx.db.transact(partial(_reschedule, jobs=jobs, every=_every(ctx)))


async def _reschedule(tx: Tx, jobs: list[Job], every: timedelta) -> None:
    await queue.complete(tx, jobs)
    await senders.put_sync(tx, [job.account_id for job in jobs], every)


def _every(ctx: Context) -> timedelta:
    return timedelta(minutes=ctx.settings.sync_minutes)


def _note(ctx: Context, account_id: UUID, synced: Synced) -> None:
    ctx.metrics.syncs.labels("failed" if synced.problem else "read").inc()
    if synced.problem is not None:
        log.warning("sync.failed", account=account_id, error=synced.problem)
    elif synced.numbers or synced.templates:
        numbers, templates = synced.numbers, synced.templates
        log.info("sync.changed", account=account_id, numbers=numbers, templates=templates)


async def _end(tx: Tx, job: Job, synced: Synced | None, every: timedelta) -> None:
    await queue.complete(tx, [job])
    if synced is not None:
        wait = max(every, synced.wait)
        await senders.put_sync(tx, [job.account_id], wait)


async def sync_account(
    db: Database, graph: Graph, sealer: Sealer, account_id: UUID
) -> Synced | None:
    """Sync an account's numbers and templates. None: the account cannot be synced."""
    account, numbers = await db.transact(partial(_load, account_id=account_id))
    accesses = senders.accesses(sealer, account_id, numbers)
    if account is None or account.is_sandbox or not accesses:
        return None
    changed = 0
    try:
        async with _timeout():
            reported = await senders.read_numbers(graph, sealer, account_id, numbers)
        changed = await db.transact(
            partial(senders.apply_numbers, account=account, reported=reported)
        )
        async with _timeout():
            listed = [
                await list_templates(graph, access.waba_id, access.token) for access in accesses
            ]
    except (GraphCallError, TimeoutError) as fault:
        synced = _failed(account, changed, fault)
        error, tokens = synced.problem or "", [access.token for access in accesses]
        await db.transact(
            partial(senders.note_refusal, account_id=account_id, error=error, hidden=tokens)
        )
        return synced
    templates = merged(listed)
    renewed = await db.transact(partial(configure, account_id=account_id, templates=templates))
    return Synced(account.name, changed, renewed)


def _timeout() -> asyncio.Timeout:
    """The timeout of each half, so that both end within the job's lease."""
    return asyncio.timeout(limits.PLATFORM_SYNC_TIMEOUT.total_seconds() / 2)


async def _load(tx: Tx, account_id: UUID) -> tuple[Account | None, list[Number]]:
    account = (await load_accounts(tx, [account_id])).get(account_id)
    return account, (await load_numbers(tx, [account_id]))[account_id]


def _failed(account: Account, changed: int, fault: Exception) -> Synced:
    problem = str(fault) or "the platform did not answer in time"
    if isinstance(fault, GraphErrorResponse) and fault.error.details:
        problem = f"{problem}: {fault.error.details}"
    wait = getattr(fault, "retry_after", None) or timedelta(0)
    return Synced(account.name, changed, problem=problem, wait=wait)


def merged(listed: Sequence[Sequence[ListedTemplate]]) -> list[Template]:
    """The templates of all business accounts of an account as one list. If two have the same
    template, a usable one wins, then that of the number named first in the file.
    """
    found: dict[tuple[str, str], Template] = {}
    for one in (_template(template) for templates in listed for template in templates):
        known = found.get((one.name, one.language))
        if known is None or (one.usable and not known.usable):
            found[one.name, one.language] = one
    return list(found.values())


def _template(listed: ListedTemplate) -> Template:
    values = {name: getattr(listed, name) for name in listed.__struct_fields__}
    buttons = (msgspec.structs.asdict(button) for button in listed.buttons)
    return Template(**values | {"buttons": tuple(TemplateButton(**button) for button in buttons)})


async def take(tx: Tx, account_id: UUID, update: TemplateUpdate) -> None:
    """A callback reported the status or category of a template; an unknown one is synced."""
    await changes.begin(tx, [account_id])
    if await store.change(
        tx, account_id, update.name, update.language, status=update.status, category=update.category
    ):
        await changes.announce(tx, account_id)
