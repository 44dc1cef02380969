"""New batch, last step: every mistake, what will go, what it costs; then "Send"."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings import ids
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.batches import drafts, parts, read
from tidings.features.batches.drafts import Check, Draft
from tidings.features.batches.sheet_rows import Columns, Mistake
from tidings.features.people.roles import Right
from tidings.portal.batches.columns import load_draft, preview_of
from tidings.portal.batches.words import SLIPS
from tidings.portal.explanations import explain
from tidings.portal.messages.words import REASONS
from tidings.portal.page import Page
from tidings.portal.visit import Visit

SHOWN_MAX = 1000  # mistakes on the page; the page always says how many there are
VALUE_CHARS = 60


@dataclass(frozen=True, slots=True)
class ShownMistake:
    row: int
    column: str
    value: str
    reason: str
    remedy: str


async def show(visit: Visit) -> Response:
    draft = await load_draft(visit)
    if draft.columns is None:
        return visit.redirect(f"/batches/new/{draft.id.hex}")
    try:
        check = await drafts.check(visit.ctx, visit.chosen, draft, draft.columns)
    except ApiError as refusal:  # of the whole batch: the account may not send
        visit.form.error("", explain(refusal, visit.language))
        check = None
    return _page(visit, draft, draft.columns, check)


async def send(visit: Visit) -> Response:
    """A second time it leads to the batch that the first one made."""
    try:
        draft = await load_draft(visit)
    except ApiError:
        return await _sent_before(visit)
    if draft.columns is None:
        return visit.redirect(f"/batches/new/{draft.id.hex}")
    try:
        check = await drafts.check(visit.ctx, visit.chosen, draft, draft.columns)
    except ApiError as refusal:
        visit.form.error("", explain(refusal, visit.language))
        return _page(visit, draft, draft.columns, None)
    if not check.rows.requests:
        visit.form.error("", visit.gettext("No row of the file can be sent."))
        return _page(visit, draft, draft.columns, check)
    await visit.transact(
        partial(parts.send, account=visit.chosen, draft=draft, check=check, actor=visit.actor)
    )
    return visit.redirect(f"/batches/{ids.batch_ref(draft.id)}")


async def _sent_before(visit: Visit) -> Response:
    """The draft's id is the batch's."""
    batch = ids.parse_ref("bat_", f"bat_{visit.params['draft']}")

    async def find(tx: Tx) -> UUID:
        return (await read.load(tx, visit.chosen.id, batch))[0].id

    return visit.redirect(f"/batches/{ids.batch_ref(await visit.transact(find))}")


def _page(visit: Visit, draft: Draft, columns: Columns, check: Check | None) -> Response:
    mistakes = [] if check is None else check.rows.mistakes
    result = None if check is None else check.result
    going = 0 if check is None else len(check.rows.requests)
    return visit.page(
        "batches/check.html",
        draft=draft,
        going=going,
        left_out=len(draft.sheet.rows) - going,
        mistakes=[_shown(visit, one) for one in mistakes[:SHOWN_MAX]],
        more=max(len(mistakes) - SHOWN_MAX, 0),
        cost=None if result is None else result.cost,
        held=Counter() if result is None else Counter(one.reason for one in result.held),
        at_risk=0 if result is None else len(result.at_risk),
        finishes_at=None if check is None else check.finishes_at,
        bubble_shown=preview_of(draft, columns),
        REASONS=REASONS,
    )


def _shown(visit: Visit, mistake: Mistake) -> ShownMistake:
    reason, remedy = SLIPS[mistake.slip]
    value = mistake.value
    return ShownMistake(
        mistake.row,
        mistake.column,
        value if len(value) <= VALUE_CHARS else value[:VALUE_CHARS] + "…",
        visit.gettext(reason, detail=mistake.detail),
        visit.gettext(remedy),
    )


PAGES = [Page("/batches/new/{draft}/check", get=show, post=send, needs=Right.SEND)]
