"""Parked work: jobs that crashed too often and callbacks that could not be processed."""

from dataclasses import dataclass
from uuid import UUID

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.engine.http.pagination import encode_cursor
from tidings.engine.queue.dead_letters import DeadJob, load_dead
from tidings.errors import ApiError, Code
from tidings.features.accounts.search import load_names
from tidings.features.callbacks.dead_letters import DeadLetter, load_page
from tidings.features.operation import parked
from tidings.features.people.roles import Right
from tidings.portal.operator.cursor import page_key
from tidings.portal.page import Page
from tidings.portal.paging import Paging, paging
from tidings.portal.sorting import Sorting, read_by_time
from tidings.portal.visit import Visit

PATH = "/operator/parked"
PAGE_ROWS = 50
BODY_CHARS_SHOWN_MAX = 20_000
ID_DIGITS_MAX = 18
JOBS, CALLBACKS = "jobs", "callbacks"


@dataclass(frozen=True, slots=True)
class Seen:
    jobs: list[DeadJob]
    callbacks: list[DeadLetter]
    names: dict[UUID, str]  # of accounts
    paging: Paging
    sorting: Sorting


async def show(visit: Visit) -> Response:
    kind = CALLBACKS if visit.query.get("kind") == CALLBACKS else JOBS
    seen = await visit.transact(lambda tx: _load(visit, tx, kind))
    return visit.page("operator/parked.html", seen=seen, kind=kind, text_of=_text_of)


async def _load(visit: Visit, tx: Tx, kind: str) -> Seen:
    """One page of jobs or of callbacks."""
    before, size = page_key(visit, int), PAGE_ROWS + 1
    sorting = read_by_time(PATH, visit.query)
    jobs: list[DeadJob] = []
    callbacks: list[DeadLetter] = []
    if kind == JOBS:
        jobs = await load_dead(tx, before=before, size=size, order=sorting.order)
    else:
        callbacks = await load_page(tx, before=before, size=size, order=sorting.order)
    ids = [job.id for job in jobs] + [one.id for one in callbacks]
    after = encode_cursor(ids[PAGE_ROWS - 1]) if len(ids) > PAGE_ROWS else None
    return Seen(
        jobs=jobs[:PAGE_ROWS],
        callbacks=callbacks[:PAGE_ROWS],
        names=await load_names(tx, [one.account_id for one in jobs]),
        paging=paging(PATH, visit.query, after, sorting.order),
        sorting=sorting,
    )


def _text_of(body: bytes) -> str:
    text = body.decode(errors="replace")
    return text if len(text) <= BODY_CHARS_SHOWN_MAX else f"{text[:BODY_CHARS_SHOWN_MAX]}…"


async def act(visit: Visit) -> Response:
    _, act, kind = visit.gettext, visit.form["act"], visit.form["kind"]
    back = PATH if kind == JOBS else f"{PATH}?kind={CALLBACKS}"
    if act == "discard" and not visit.is_confirmed:
        text = _("It is deleted for good. What it was about is not done.")
        return visit.confirm(_("Discard this?"), text, back=back)
    await (_act_on_job(visit) if kind == JOBS else _act_on_callback(visit))
    done = _("It is discarded.") if act == "discard" else _("It is tried again.")
    if kind == JOBS:
        return visit.redirect(PATH, notice=done)
    return visit.redirect(PATH, notice=done, kind=CALLBACKS)


async def _act_on_job(visit: Visit) -> None:
    job_id = _id(visit)
    verb = parked.discard_job if visit.form["act"] == "discard" else parked.retry_job
    await visit.transact(lambda tx: verb(tx, visit.actor, job_id))


async def _act_on_callback(visit: Visit) -> None:
    if visit.form["act"] == "all":
        await parked.retry_callbacks(visit.ctx, visit.actor)
        return
    callback_id = _id(visit)
    if visit.form["act"] == "discard":
        await visit.transact(lambda tx: parked.discard_callback(tx, visit.actor, callback_id))
    else:
        await parked.retry_callbacks(visit.ctx, visit.actor, callback_id)


def _id(visit: Visit) -> int:
    given = visit.form["id"]
    if not (given.isascii() and given.isdigit() and len(given) <= ID_DIGITS_MAX):
        raise ApiError(Code.NOT_FOUND)
    return int(given)


PAGES = [Page(PATH, get=show, post=act, needs=Right.OPERATE)]
