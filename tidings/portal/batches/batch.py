"""One batch: how far it is, and cancelling what has not been sent."""

from functools import partial

from starlette.responses import Response

from tidings import ids
from tidings.engine.db.tx import Tx
from tidings.features.batches import cancel as cancelling
from tidings.features.batches import read
from tidings.features.batches.read import Batch
from tidings.features.batches.responses import Cancelled, state_of
from tidings.features.batches.rules import Progress
from tidings.features.people.roles import Right
from tidings.portal.page import Page
from tidings.portal.visit import Visit

RUNNING_MS = 1000  # how soon the page looks again while something is being sent


async def show(visit: Visit) -> Response:
    batch, progress = await visit.transact(partial(_load, visit))
    return visit.page(
        "batches/batch.html",
        ref=ids.batch_ref(batch.id),
        batch=batch,
        progress=progress,
        state=state_of(batch, progress),
        is_running=batch.completed_at is None,
        estimate=_estimate(batch, visit),
        again=RUNNING_MS if batch.to_come or progress.in_progress else None,
    )


async def _load(visit: Visit, tx: Tx) -> tuple[Batch, Progress]:
    return await read.load(tx, visit.chosen.id, ids.parse_ref("bat_", visit.params["batchId"]))


def _estimate(batch: Batch, visit: Visit) -> object:
    """An estimate that has passed says nothing any more."""
    estimate = batch.estimated_at
    return estimate if estimate is not None and estimate > visit.now else None


async def cancel(visit: Visit) -> Response:
    batch, progress = await visit.transact(partial(_load, visit))
    path = f"/batches/{ids.batch_ref(batch.id)}"
    if not visit.is_confirmed:
        text = visit.ngettext(
            "%(num)s message that has not been sent is cancelled and refunded. "
            "What was sent stays sent.",
            "%(num)s messages that have not been sent are cancelled and refunded. "
            "What was sent stays sent.",
            progress.pending,
        )
        return visit.confirm(visit.gettext("Cancel batch?"), text, path)
    result = await visit.transact(partial(_cancel, visit, batch))
    return visit.redirect(path, notice=_outcome(visit, result, batch.to_come))


async def _cancel(visit: Visit, batch: Batch, tx: Tx) -> Cancelled:
    await visit.record(tx, "batch.cancelled", batch.name)
    return await cancelling.cancel(visit.ctx, tx, batch.account_id, batch.id)


def _outcome(visit: Visit, result: Cancelled, to_come: int) -> str:
    texts = [
        visit.ngettext(
            "%(num)s message was cancelled and refunded.",
            "%(num)s messages were cancelled and refunded.",
            result.cancelled,
        )
    ]
    if to_come:
        texts.append(
            visit.ngettext(
                "%(num)s row was not taken any more.",
                "%(num)s rows were not taken any more.",
                to_come,
            )
        )
    if result.already_sent + result.in_flight:
        texts.append(
            visit.ngettext(
                "%(num)s had been sent.",
                "%(num)s had been sent.",
                result.already_sent + result.in_flight,
            )
        )
    return " ".join(texts)


PAGES = [
    Page("/batches/{batchId}", get=show),
    Page("/batches/{batchId}/cancel", post=cancel, needs=Right.SEND),
]
