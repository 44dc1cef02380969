"""How the account's guests' replies are read, which decides who sees their words."""

from functools import partial

from starlette.responses import Response

from tidings.account_file.form_values import CHECKED, by_field, to_edit
from tidings.account_file.read import ValuesRefused
from tidings.features.people.roles import Right
from tidings.features.replies import kept_readings
from tidings.portal.operator.account import edit
from tidings.portal.page import Page
from tidings.portal.privacy.privacy import PATH, show
from tidings.portal.visit import Visit

NAMES = ("readerPrecision", "secondOpinion", "keepReadings")


async def save(visit: Visit) -> Response:
    """By the rules of the account file. Who lets texts leave the house, or erases what was kept, is
    asked first."""
    account, _ = visit.chosen, visit.gettext
    questions = [one for one in (_opens(visit), await _erases(visit)) if one is not None]
    if questions and not visit.is_confirmed:
        return visit.confirm(questions[0][0], " ".join(text for _, text in questions), PATH)
    try:
        await edit(visit, account, to_edit(lambda name: visit.form[name], NAMES))
    except ValuesRefused as refusal:
        for name, problem in by_field(refusal.problems).items():
            visit.form.error(name, problem)
        return await show(visit)
    return visit.redirect(PATH, notice=_("Saved. It holds from the next reply on."))


def _opens(visit: Visit) -> tuple[str, str] | None:
    _ = visit.gettext
    if visit.form["secondOpinion"] != CHECKED or visit.chosen.second_opinion:
        return None
    text = _(
        "What your guests write, where it is not understood, goes to a language model that "
        "your operator has chosen, without number or name."
    )
    return _("Ask for a second opinion?"), text


async def _erases(visit: Visit) -> tuple[str, str] | None:
    """Whoever does not agree any more does not keep what there is either."""
    account = visit.chosen
    if visit.form["keepReadings"] == CHECKED or not account.keep_readings:
        return None
    count = await visit.transact(partial(kept_readings.count, account_id=account.id))
    if not count:
        return None
    text = visit.ngettext(
        "%(num)s settled reply that was kept is erased. This cannot be undone.",
        "%(num)s settled replies that were kept are erased. This cannot be undone.",
        count,
    )
    return visit.gettext("Keep settled replies no longer?"), text


PAGES = [Page(f"{PATH}/reading", post=save, needs=Right.MANAGE)]
