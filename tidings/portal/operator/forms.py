"""Forms that wait for approval, as guests will see them: approved, or returned with a reason."""

from uuid import UUID

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.feedback.forms import edit
from tidings.features.feedback.forms.lookup import SubmittedForm, load_submitted
from tidings.features.feedback.model import Version
from tidings.features.people.roles import Right
from tidings.portal import bubbles
from tidings.portal.page import Page
from tidings.portal.visit import Visit

PATH = "/operator/forms"
VERSION_DIGITS_MAX = 9


async def show(visit: Visit) -> Response:
    waiting = await visit.transact(load_submitted)
    return visit.page(
        "operator/forms.html",
        waiting=[(one, bubbles.of_form(one.version.form), _key(one)) for one in waiting],
        refused=tuple(visit.form[name] for name in ("account", "form", "version")),
    )


def _key(one: SubmittedForm) -> tuple[str, str, str]:
    return str(one.account.id), one.version.form_id, str(one.version.version)


async def act(visit: Visit) -> Response:
    form_id, version = visit.form["form"], _version(visit)
    is_approved = visit.form["act"] != "return"

    async def work(tx: Tx) -> Version:
        account_id = _account_id(visit)
        account = (await load_accounts(tx, [account_id])).get(account_id)
        if account is None:
            raise ApiError(Code.NOT_FOUND)
        if is_approved:
            return await edit.approve(tx, account, visit.actor, form_id, version)
        remark = visit.form["remark"]
        return await edit.send_back(tx, account, visit.actor, form_id, version, remark)

    try:
        settled = await visit.transact(work)
    except ApiError as refusal:
        if refusal.code.status == 404:
            raise
        visit.refuse(refusal)
        return await show(visit)
    _, title = visit.gettext, settled.form.title
    done = (
        _("%(title)s is approved.", title=title)
        if is_approved
        else _("%(title)s is a draft again, with your reason.", title=title)
    )
    return visit.redirect(PATH, notice=done)


def _version(visit: Visit) -> int:
    given = visit.form["version"]
    if not (given.isascii() and given.isdigit() and len(given) <= VERSION_DIGITS_MAX):
        raise ApiError(Code.NOT_FOUND)
    return int(given)


def _account_id(visit: Visit) -> UUID:
    try:
        return UUID(visit.form["account"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None


PAGES = [Page(PATH, get=show, post=act, needs=Right.OPERATE)]
