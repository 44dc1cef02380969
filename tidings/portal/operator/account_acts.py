"""What else an operator does about an account: read the platform now, adjust a partner."""

from starlette.responses import Response

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.operation.money import adjust_partner, read_amount
from tidings.features.operation.platform import sync_now
from tidings.features.partner.model import LedgerEntry
from tidings.features.people.roles import Right
from tidings.portal.operator import account as account_page
from tidings.portal.operator.account import PATH, require_account
from tidings.portal.page import Page
from tidings.portal.visit import Visit

MESSAGES_DIGITS_MAX = 12


async def sync(visit: Visit) -> Response:
    account, ctx, _ = await require_account(visit), visit.ctx, visit.gettext
    if account.is_sandbox:
        raise ApiError(Code.NOT_FOUND)
    synced = await sync_now(ctx.db, ctx.graph, ctx.sealer, visit.actor, account)
    problem = (
        _("It has no number with a business account id.") if synced is None else synced.problem
    )
    if problem is not None:
        text = _("The platform was not read: %(problem)s", problem=problem)
        visit.form.error("", text)
        return await account_page.show(visit)
    assert synced is not None
    is_new = bool(synced.numbers or synced.templates)
    done = _("Read, and something was new.") if is_new else _("Read: nothing was different.")
    return visit.redirect(f"{PATH}/{account.id}", notice=done)


async def adjust(visit: Visit) -> Response:
    """Correct what a partner owes, its capacity, or both: a line of its ledger, for good."""
    account, _ = await require_account(visit), visit.gettext
    if not account.is_partner:
        raise ApiError(Code.NOT_FOUND)
    try:
        messages = _messages(visit)
        amount = read_amount(account, visit.form["adjust.amount"] or "0", "amount")
        note = _note(visit)
        if visit.form.errors:
            return await account_page.show(visit)
        if not visit.is_confirmed:
            title = _("Adjust %(name)s?", name=account.name)
            text = _("It is booked in the ledger, which the partner sees, and stays there.")
            return visit.confirm(title, text, back=f"{PATH}/{account.id}")

        async def work(tx: Tx) -> LedgerEntry:
            return await adjust_partner(
                tx, visit.actor, account, amount=amount, messages=messages, note=note,
                reference=_reference(visit),
            )  # fmt: skip

        await visit.transact(work)
    except ApiError as refusal:
        return await _refused(visit, refusal)
    return visit.redirect(f"{PATH}/{account.id}", notice=_("The adjustment is booked."))


async def _refused(visit: Visit, refusal: ApiError) -> Response:
    fields = {name: f"adjust.{name}" for name in ("amount", "messages", "note", "reference")}
    visit.refuse(refusal, fields | {"": "adjust.amount"})
    return await account_page.show(visit)


def _messages(visit: Visit) -> int:
    given = visit.form["adjust.messages"] or "0"
    digits = given.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MESSAGES_DIGITS_MAX):
        problem = visit.gettext("Give a whole number, such as 100 or -100.")
        visit.form.error("adjust.messages", problem)
        return 0
    return int(given)


def _note(visit: Visit) -> str:
    note = visit.form["adjust.note"]
    if not 1 <= len(note) <= limits.NOTE_CHARS_MAX:
        problem = visit.gettext("Say why, in a few words: the partner reads it in the ledger.")
        visit.form.error("adjust.note", problem)
    return note


def _reference(visit: Visit) -> str:
    """Without one of the operator's own, the form's: sent twice, it is booked once."""
    given = visit.form["adjust.reference"] or visit.form["adjust.id"]
    return given[: limits.REFERENCE_CHARS_MAX]


_ONE = f"{PATH}/{{id}}"
PAGES = [
    Page(f"{_ONE}/sync", post=sync, needs=Right.OPERATE),
    Page(f"{_ONE}/adjust", post=adjust, needs=Right.OPERATE),
]
