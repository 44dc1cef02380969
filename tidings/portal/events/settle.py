"""A person settles what a guest meant: POST /events/{eventId}/guests/{to}/answer, as a form."""

from datetime import datetime
from functools import partial

import msgspec
from starlette.responses import Response

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.people.roles import Right
from tidings.features.replies.settle import Answer, settle
from tidings.portal.events.address import event_path
from tidings.portal.events.event import chosen_state, show
from tidings.portal.events.unclear import field_of
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def answer(visit: Visit) -> Response:
    """`answer` is yes, no or guests; a number that was given goes with a yes too."""
    given = _given(visit)
    if given is None:
        return await show(visit)
    try:
        await visit.transact(partial(_settle, visit, given))
    except ApiError as refusal:
        if refusal.field != "seen":
            raise
        text = visit.gettext("The guest has written again since. Read it, then settle it.")
        visit.form.error("", text)
        return await show(visit)
    state = chosen_state(visit)
    kept = {"state": state.value} if state else {}
    return visit.redirect(event_path(visit.params["eventId"]), notice=_notice(visit, given), **kept)


def _given(visit: Visit) -> Answer | None:
    """None: the number of guests is none, and the form says so."""
    wanted, name = visit.form["answer"], field_of(visit.form["to"])
    seen = _seen(visit.form["seen"])
    if wanted == "no":
        return Answer("no", seen=seen)
    number = visit.form[name]
    if not number and wanted == "yes":
        return Answer("yes", seen=seen)
    low, high = limits.GUESTS_PER_ANSWER.low, limits.GUESTS_PER_ANSWER.high
    is_number = number.isascii() and number.isdigit() and len(number) < 9
    if not is_number or not low <= int(number) <= high:
        text = visit.gettext("Give a number from %(low)s to %(high)s.", low=low, high=high)
        visit.form.error(name, text)
        return None
    return Answer("yes", int(number), seen)


def _seen(text: str) -> datetime | msgspec.UnsetType | None:
    try:
        return datetime.fromisoformat(text) if text else msgspec.UNSET
    except ValueError:
        return None


async def _settle(visit: Visit, given: Answer, tx: Tx) -> None:
    account_id, event_id = visit.chosen.id, visit.params["eventId"]
    guest = await settle(tx, account_id, event_id, visit.form["to"], given)
    details = {"eventId": event_id, "answer": given.answer, "guests": given.guests}
    await visit.record(tx, "answer.settled", guest.phone, **details)


def _notice(visit: Visit, given: Answer) -> str:
    number, _ = visit.form["to"], visit.gettext
    if given.answer == "no":
        return _("Settled: %(number)s does not come.", number=number)
    if given.guests is None:
        return _("Settled: %(number)s comes.", number=number)
    return _("Settled: %(number)s comes, guests: %(count)s.", number=number, count=given.guests)


PAGES = [Page("/events/{eventId}/answer", post=answer, needs=Right.SEND)]
