"""Who asked to stop the account's messages: the list, a check of one number, and removal."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from starlette.responses import Response

from tidings import limits, phone
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.errors import ApiError, Code
from tidings.features.people.roles import Right
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import OptedOut
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.phone.number import as_digits
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

REASON_CHARS_MAX = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """A page of the list, or what a check of `checked` found."""

    people: list[OptedOut]
    following: str | None = None
    checked: str | None = None


async def show(visit: Visit) -> Response:
    """`?number=` checks one."""
    wanted = visit.query.get("number", "")
    number = phone.find(as_digits(wanted)) if wanted else None
    if wanted and number is None:
        text = visit.gettext("Give a number with its country code, 7 to 15 digits.")
        visit.form.error("number", text)
    visit.form.fill({"number": wanted})
    sorting = read_by_time("/optouts", visit.query)
    seen = await visit.transact(partial(_load, visit, number, sorting.order))
    return visit.page(
        "recipients/optouts.html",
        seen=seen,
        paging=paging("/optouts", visit.query, seen.following, sorting.order),
        sorting=sorting,
    )


async def remove(visit: Visit) -> Response:
    """Only at the request of the number's owner: the reason goes into the audit log."""
    _ = visit.gettext
    number = phone.find(visit.params["number"])
    if number is None:
        raise ApiError(Code.NOT_FOUND)
    name = f"reason-{number}"
    if not 0 < len(visit.form[name]) <= REASON_CHARS_MAX:
        visit.form.error(name, _("Say why, in at most 500 characters: who asked for it, and when."))
        return await show(visit)
    if not visit.is_confirmed:
        text = _(
            "Messages to %(number)s are sent again. "
            "Do this only at the request of the number's owner.",
            number=number,
        )
        return visit.confirm(_("Remove this opt-out?"), text, "/optouts")
    removed = await visit.transact(partial(_remove, visit, number, visit.form[name]))
    done = _("%(number)s gets messages again.", number=number)
    notice = done if removed else _("%(number)s had not opted out.", number=number)
    return visit.redirect("/optouts", notice=notice)


async def _load(visit: Visit, number: str | None, order: Order, tx: Tx) -> Seen:
    account_id, cursor = visit.chosen.id, visit.query.get("cursor")
    if number is not None:
        found = await contacts.find_opt_out(tx, account_id, number)
        return Seen([] if found is None else [found], checked=number)
    before = pagination.decode_cursor(cursor, tuple[datetime, str]) if cursor else None
    size = limits.LIST_LIMIT_DEFAULT
    people = await contacts.load_opted_out(tx, account_id, before, size + 1, order)
    if len(people) <= size:
        return Seen(people)
    last = people[size - 1]
    return Seen(people[:size], pagination.encode_cursor((last.since, last.phone)))


async def _remove(visit: Visit, number: str, reason: str, tx: Tx) -> bool:
    account_id = visit.chosen.id
    removed = await contacts.opt_in(tx, [(account_id, number)])
    if removed:
        await visit.record(tx, "optout.removed", number, reason=reason)
    return bool(removed)


PAGES = [
    Page("/optouts", get=show),
    Page("/optouts/{number}/remove", post=remove, needs=Right.SEND),
]
