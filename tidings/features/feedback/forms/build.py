"""Create a live form at the platform: a flow per version, immutable once published, and a template
whose button opens it (contract.md, "Live accounts").

Runs as a job, so that no transaction waits for the network. Each step is saved when it is done, and
what an earlier attempt may have created is found by its name, so nothing is created twice.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

import msgspec
import structlog
from msgspec.structs import replace

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders import sync
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.senders.sync import Access
from tidings.platforms.whatsapp import flows
from tidings.platforms.whatsapp.call_errors import GraphCallError, GraphErrorResponse
from tidings.platforms.whatsapp.flow_json import flow_json

from ..model import Flow, Stage, Version
from . import store
from .names import platform_name
from .states import APPROVED

BUILD = "feedback.build"
POOL = sync.POOL
NOW = timedelta(0)

log = structlog.get_logger()


async def put(
    tx: Tx, account_id: UUID, form_ids: Sequence[str], wait: timedelta = NOW, tries: int = 0
) -> None:
    """Enqueue a job per form that creates its approved versions at the platform; deduplicated."""
    payload = msgspec.json.encode(tries)
    jobs = [
        NewJob(
            account_id,
            POOL,
            BUILD,
            form_id,
            tx.now + wait,
            unique_key=f"{BUILD}:{form_id}",
            payload=payload,
        )
        for form_id in form_ids
    ]
    await queue.enqueue(tx, jobs)


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `feedback.build`."""
    for job in jobs:
        await _run(ctx, job)


async def _run(ctx: Context, job: Job) -> None:
    versions, numbers = await ctx.db.transact(partial(_load, job=job))
    accesses = sync.accesses(ctx.sealer, job.account_id, numbers)
    tries = 0 if job.payload is None else int(msgspec.json.decode(job.payload))
    wait: timedelta | None = None
    try:
        async with asyncio.timeout(limits.PLATFORM_SYNC_TIMEOUT.total_seconds()):
            for version in versions:
                for access in accesses:
                    fault = await _build(ctx, version, access)
                    wait = _later(wait, fault, tries)
    except TimeoutError:
        wait = _wait(tries)
    built = bool(versions and accesses)
    await ctx.db.transact(partial(_end, job=job, wait=wait, tries=tries, built=built))


async def _load(tx: Tx, job: Job) -> tuple[list[Version], list[Number]]:
    """The approved versions of the form, and the account's numbers."""
    accounts = await load_accounts(tx, [job.account_id])
    account = accounts.get(job.account_id)
    if account is None or account.is_sandbox:
        return [], []
    forms = await store.load_forms(tx, [(account.id, job.subject)])
    approved = [one for one in forms.get((account.id, job.subject), []) if one.state in APPROVED]
    return approved, (await load_numbers(tx, [account.id]))[account.id]


async def _end(tx: Tx, job: Job, wait: timedelta | None, tries: int, built: bool) -> None:
    await queue.complete(tx, [job])
    if wait is not None:
        await put(tx, job.account_id, [job.subject], wait, tries + 1)
    elif built:
        await sync.put_sync(
            tx, [job.account_id], NOW
        )  # the sync reads whether the template is approved


def _later(wait: timedelta | None, fault: GraphCallError | None, tries: int) -> timedelta | None:
    """The longest wait of all faults."""
    if fault is None:
        return wait
    retry_after: timedelta | None = getattr(fault, "retry_after", None)
    return max(wait or NOW, _wait(tries), retry_after or NOW)


def _wait(tries: int) -> timedelta:
    return limits.FORM_BUILD_WAITS[min(tries, len(limits.FORM_BUILD_WAITS) - 1)]


async def _build(ctx: Context, version: Version, access: Access) -> GraphCallError | None:
    """Do the remaining steps in one business account; returns the fault that stopped it."""
    flow = await ctx.db.transact(partial(_find, version=version, waba_id=access.waba_id))
    while flow.stage is not Stage.OFFERED:
        try:
            flow = await _step(ctx, version, access, flow)
        except GraphCallError as fault:
            flow = replace(flow, problem=_problem(fault))
            await ctx.db.transact(partial(store.save_flow, flow=flow))
            log.warning(
                "form.build_failed",
                account=version.account_id,
                form=version.form_id,
                stage=flow.stage,
                error=flow.problem,
            )
            return fault
        await ctx.db.transact(partial(store.save_flow, flow=flow))
    return None


async def _find(tx: Tx, version: Version, waba_id: str) -> Flow:
    known = (await store.load_flows(tx, [version.key])).get(version.key, [])
    fresh = Flow(version.account_id, version.form_id, version.version, waba_id)
    return next((flow for flow in known if flow.waba_id == waba_id), fresh)


async def _step(ctx: Context, version: Version, access: Access, flow: Flow) -> Flow:
    """Read the platform's state, then make the next change."""
    graph, token, name = ctx.graph, access.token, platform_name(version.key)
    form = version.form
    if flow.stage is Stage.PENDING:
        found = await flows.find_flow(graph, access.waba_id, token, name)
        flow_id = found.id if found else await flows.create_flow(graph, access.waba_id, token, name)
        return replace(flow, flow_id=flow_id, stage=Stage.DRAFT, problem=None)
    assert flow.flow_id is not None, "a flow past PENDING has an id"
    if flow.stage is not Stage.PUBLISHED:
        if await flows.read_status(graph, flow.flow_id, token) != flows.DRAFT:
            return replace(flow, stage=Stage.PUBLISHED, problem=None)
        if flow.stage is Stage.FILLED:
            await flows.publish_flow(graph, flow.flow_id, token)
            return replace(flow, stage=Stage.PUBLISHED, problem=None)
        definition = flow_json(
            version.form_id, version.version, form.title, form.language, form.questions
        )
        await flows.upload_json(graph, flow.flow_id, token, definition)
        return replace(flow, stage=Stage.FILLED, problem=None)
    if not await flows.has_template(graph, access.waba_id, token, name):
        await flows.create_template(
            graph, access.waba_id, token, name=name, language=form.language, text=form.message,
            button=form.button_label, flow_id=flow.flow_id,
        )  # fmt: skip
    return replace(flow, stage=Stage.OFFERED, problem=None)


def _problem(fault: GraphCallError) -> str:
    text = str(fault)
    if isinstance(fault, GraphErrorResponse) and fault.error.details:
        return f"{text}: {fault.error.details}"
    return text
