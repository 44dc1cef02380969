"""One number of an account: its limits, and of a live account the credentials of the platform.

An access token is entered and never shown again; where it is left empty, it stays.
"""

from starlette.responses import Response

from tidings.account_file.edit import Edited
from tidings.account_file.edit_numbers import prefer_number, put_number, remove_number
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.people.roles import Right
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.portal.operator.account import PATH, editor_of, require_account
from tidings.portal.operator.account_forms import saved
from tidings.portal.operator.refused import REFUSED, refuse
from tidings.portal.page import Page
from tidings.portal.phone.number import as_digits
from tidings.portal.visit import Visit

NEW = "new"


async def show(visit: Visit) -> Response:
    account = await require_account(visit)
    number = await _find(visit, account)
    if number is not None:
        visit.form.fill(
            {
                "number": number.number,
                "displayName": number.display_name,
                "phoneNumberId": number.phone_number_id,
                "wabaId": number.waba_id,
                "portfolioId": number.portfolio_id,
                "perSecond": number.per_second,
                "dailyLimit": number.daily_limit,
            }
        )
    path = f"{PATH}/{account.id}"
    return visit.page("operator/number.html", account=account, known=number, path=path)


async def _find(visit: Visit, account: Account) -> Number | None:
    """None: a new one."""
    wanted = visit.params["phone"]
    if wanted == NEW:
        return None
    numbers = (await visit.transact(lambda tx: load_numbers(tx, [account.id])))[account.id]
    found = next((one for one in numbers if one.number == wanted), None)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    return found


async def act(visit: Visit) -> Response:
    account = await require_account(visit)
    known = await _find(visit, account)
    back, _ = f"{PATH}/{account.id}", visit.gettext
    if visit.form["act"] == "prefer" and known is not None:
        editor, first = editor_of(visit, account), known.number
        await visit.transact(lambda tx: prefer_number(tx, editor, first))
        return visit.redirect(back, notice=_("Messages leave from it first, where they can."))
    is_removal = visit.form["act"] == "remove" and known is not None
    if is_removal and not visit.is_confirmed:
        title = _("Remove %(number)s?", number=visit.params["phone"])
        text = _("Messages no longer leave from it, and its access token is forgotten.")
        return visit.confirm(title, text, back=back)
    try:
        edited = await visit.transact(
            lambda tx: _edit(visit, account, tx, known if is_removal else None)
        )
    except REFUSED as refusal:
        refuse(visit, refusal, "numbers")
        return await show(visit)
    return visit.redirect(back, notice=saved(visit, changed=bool(edited.changes)))


async def _edit(visit: Visit, account: Account, tx: Tx, removed: Number | None) -> Edited:
    editor = editor_of(visit, account)
    if removed is not None:
        return await remove_number(tx, editor, removed.number)

    def read(name: str) -> str:
        text = visit.form[name]
        return as_digits(text) if name == "number" else text

    return await put_number(tx, editor, read)


PAGES = [Page(f"{PATH}/{{id}}/numbers/{{phone}}", get=show, post=act, needs=Right.OPERATE)]
