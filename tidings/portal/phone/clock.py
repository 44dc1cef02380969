"""The clock beside the phone: moves the account's time, as POST /sandbox/v1/clock does."""

from datetime import timedelta

from starlette.responses import Response

from tidings.errors import ApiError
from tidings.features.people.roles import Right
from tidings.features.sandbox import clock
from tidings.features.sandbox.api import ADVANCE_MAX
from tidings.portal.page import Page
from tidings.portal.phone.phone import show
from tidings.portal.visit import Visit

UNITS = {
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
}
FIELDS = {"advanceSeconds": "advance"}
DIGITS_MAX = 9


async def advance(visit: Visit) -> Response:
    by = _asked(visit)
    if by is None:
        return await show(visit)
    account = visit.chosen
    try:
        await clock.advance(visit.ctx, account.id, by, list(visit.ctx.pools))
    except ApiError as refusal:
        if refusal.field not in FIELDS:
            raise
        visit.refuse(refusal, FIELDS)
        return await show(visit)
    seconds = by // timedelta(seconds=1)
    await visit.transact(
        lambda tx: visit.record(tx, "clock.advanced", account.name, seconds=seconds)
    )
    return visit.redirect("/phone", number=visit.form["number"])


def _asked(visit: Visit) -> timedelta | None:
    """None: it is no length of time, and the form says why."""
    given, unit = visit.form["advance"], UNITS.get(visit.form["unit"])
    if unit is None:
        visit.form.error("unit", visit.gettext("Choose minutes, hours or days."))
        return None
    is_number = given.isascii() and given.isdigit() and len(given) <= DIGITS_MAX
    by = int(given) * unit if is_number else timedelta(0)
    if not timedelta(0) < by <= timedelta(seconds=ADVANCE_MAX):
        visit.form.error(
            "advance", visit.gettext("Give a whole number, at least 1 and at most ten years.")
        )
        return None
    return by


PAGES = [Page("/phone/clock", post=advance, needs=Right.SEND, sandbox_only=True)]
