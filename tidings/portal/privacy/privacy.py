"""Privacy: what is kept of a person, its export and erasure, and the account's retention time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from starlette.responses import Response

from tidings import limits, phone
from tidings.account_file.edit import Edit
from tidings.features.people.roles import Right
from tidings.features.privacy.erase import erase_person
from tidings.features.privacy.export import export_person, record_export
from tidings.features.privacy.find import find_person, is_erasable
from tidings.features.privacy.model import Kept
from tidings.features.replies import kept_readings
from tidings.portal.download import json_file
from tidings.portal.operator.account import edit
from tidings.portal.page import Page
from tidings.portal.phone.number import as_digits
from tidings.portal.visit import Visit

PATH = "/privacy"


@dataclass(frozen=True, slots=True)
class Found:
    """What is kept of a person."""

    number: str
    kept: Sequence[Kept]
    can_be_erased: bool


async def show(visit: Visit) -> Response:
    """`?number=` finds a person."""
    wanted = visit.query.get("number") or visit.form["number"]
    number = _number(visit, wanted) if wanted else None
    found = None
    if number is not None:
        kept = await visit.transact(partial(find_person, account_id=visit.chosen.id, phone=number))
        found = Found(number, kept, is_erasable(kept))
    account = visit.chosen
    filled = {
        "number": wanted,
        "days": account.retention_days,
        "readerPrecision": account.reader_precision,
    }
    visit.form.fill(filled)
    days = limits.RETENTION_DAYS
    readings = await visit.transact(partial(kept_readings.count, account_id=account.id))
    return visit.page(
        "privacy/privacy.html",
        found=found,
        days=days,
        has_reader=visit.ctx.reader is not None,
        readings=readings,
    )


async def export(visit: Visit) -> Response:
    """A POST, because it is recorded: who took a copy of whose data."""
    number = _number(visit, visit.form["number"])
    if number is None:
        return await show(visit)
    account = visit.chosen
    work = partial(
        record_export,
        sealer=visit.ctx.sealer,
        account_id=account.id,
        phone=number,
        actor=visit.actor,
    )
    await visit.transact(work)
    return json_file(number, export_person(visit.ctx, account, number))


async def erase(visit: Visit) -> Response:
    _ = visit.gettext
    number = _number(visit, visit.form["number"])
    if number is None:
        return await show(visit)
    if not visit.is_confirmed:
        text = _(
            "Texts, replies, answers and files of %(number)s are erased, and messages that wait "
            "are cancelled and refunded. This cannot be undone. An opt-out is remembered.",
            number=number,
        )
        title = _("Erase this person?")
        return visit.confirm(title, text, f"{PATH}?number={number}")
    erased = await erase_person(visit.ctx, visit.chosen.id, number, visit.actor)
    done = _("The person is erased.")
    under_way = _(
        "The person is erased, but for a message that is just being sent. The rest follows within "
        "two minutes."
    )
    return visit.redirect(PATH, notice=done if erased.is_complete else under_way)


async def retain(visit: Visit) -> Response:
    """Set for how many days data of people is kept; empty: for ever."""
    _ = visit.gettext
    days = visit.form["days"]
    if not days:
        await edit(visit, visit.chosen, Edit({}, frozenset({"retentionDays"})))
        return visit.redirect(PATH, notice=_("Data is kept as long as the messages are."))
    if not _is_allowed(days):
        low, high = limits.RETENTION_DAYS.low, limits.RETENTION_DAYS.high
        text = _("Give whole days, from %(low)s to %(high)s, or nothing.", low=low, high=high)
        visit.form.error("days", text)
        return await show(visit)
    if not visit.is_confirmed:
        text = visit.ngettext(
            "What is older than %(num)s day is erased within a day, and every day from then on. "
            "This cannot be undone.",
            "What is older than %(num)s days is erased within a day, and every day from then on. "
            "This cannot be undone.",
            int(days),
        )
        return visit.confirm(_("Erase old data?"), text, PATH)
    await edit(visit, visit.chosen, Edit({"retentionDays": int(days)}))
    notice = visit.ngettext(
        "Data is kept for %(num)s day.", "Data is kept for %(num)s days.", int(days)
    )
    return visit.redirect(PATH, notice=notice)


def _is_allowed(days: str) -> bool:
    limit = limits.RETENTION_DAYS
    return (
        days.isascii() and days.isdigit() and len(days) < 6 and limit.low <= int(days) <= limit.high
    )


def _number(visit: Visit, wanted: str) -> str | None:
    """The number that was written; one that cannot be a number is said to be wrong."""
    number = phone.find(as_digits(wanted))
    if number is None:
        text = visit.gettext("Give a number with its country code, such as 972501234567.")
        visit.form.error("number", text)
    return number


PAGES = [
    Page(PATH, get=show),
    Page(f"{PATH}/export", post=export, needs=Right.MANAGE),
    Page(f"{PATH}/erase", post=erase, needs=Right.MANAGE),
    Page(f"{PATH}/retention", post=retain, needs=Right.MANAGE),
]
