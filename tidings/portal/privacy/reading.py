"""How the account's guests' replies are read, which decides who sees their words."""

from starlette.responses import Response

from tidings.account_file.form_values import CHECKED, by_field, to_edit
from tidings.account_file.read import ValuesRefused
from tidings.features.people.roles import Right
from tidings.portal.operator.account import edit
from tidings.portal.page import Page
from tidings.portal.privacy.privacy import PATH, show
from tidings.portal.visit import Visit

NAMES = ("readerPrecision", "secondOpinion", "keepReadings")


async def save(visit: Visit) -> Response:
    """By the rules of the account file. Who lets texts leave the house is asked first."""
    account, _ = visit.chosen, visit.gettext
    opens = visit.form["secondOpinion"] == CHECKED and not account.second_opinion
    if opens and not visit.is_confirmed:
        text = _(
            "What your guests write, where it is not understood, goes to a language model that "
            "your operator has chosen, without number or name."
        )
        return visit.confirm(_("Ask for a second opinion?"), text, PATH)
    try:
        await edit(visit, account, to_edit(lambda name: visit.form[name], NAMES))
    except ValuesRefused as refusal:
        for name, problem in by_field(refusal.problems).items():
            visit.form.error(name, problem)
        return await show(visit)
    return visit.redirect(PATH, notice=_("Saved. It holds from the next reply on."))


PAGES = [Page(f"{PATH}/reading", post=save, needs=Right.MANAGE)]
