"""One account: its state and settings, what it lacks, and what was changed by hand."""

from dataclasses import dataclass
from uuid import UUID

from starlette.responses import Response

from tidings.account_file.carry_out import load_current
from tidings.account_file.edit import Edit, edit_account
from tidings.account_file.edit_table import Editor
from tidings.account_file.plan import State
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.hand_edits import load_edits
from tidings.features.accounts.keys import load_keys
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import (
    Account,
    Configured,
    HandEdit,
    IssuedKey,
    Organisation,
)
from tidings.features.accounts.organisations import load_organisation
from tidings.features.people.members import load_invited, load_members
from tidings.features.people.model import Member, Welcome
from tidings.features.people.roles import Right, Role
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.templates.readiness import Check
from tidings.features.templates.ready import load_checks
from tidings.ids import new_id
from tidings.portal.form import Form
from tidings.portal.keys.keys import shape
from tidings.portal.operator import account_fields
from tidings.portal.page import Page
from tidings.portal.states import WORDS
from tidings.portal.visit import Visit

PATH = "/operator/accounts"
TEMPLATES_SHOWN = 8  # the others are on their own page


@dataclass(frozen=True, slots=True)
class Seen:
    """`state` is the account as a file would declare it; `numbers` as the platform reports them."""

    account: Account
    organisation: Organisation
    state: State
    numbers: list[Number]
    checks: list[Check]
    edits: list[HandEdit]
    members: list[Member]
    invited: list[Welcome]
    keys: list[IssuedKey]


async def show(visit: Visit, status: int | None = None) -> Response:
    return await _show(visit, await require_account(visit), status=status)


async def show_new(visit: Visit, made: Configured) -> Response:
    """The page of an account that was just created, with its secrets, once."""
    visit.form = Form()
    return await _show(visit, await visit.transact(lambda tx: _find(tx, made.id)), made=made)


async def show_once(visit: Visit, *, link: str, is_sent: bool) -> Response:
    """The page with a link that is shown once; `is_sent`: by mail as well."""
    visit.form = Form()
    return await _show(visit, await require_account(visit), link=link, is_sent=is_sent)


async def _show(
    visit: Visit, account: Account, status: int | None = None, **shown: object
) -> Response:
    seen = await visit.transact(lambda tx: _load(visit, account, tx))
    visit.form.fill(account_fields.values_of(seen.state))
    values: dict[str, object] = {"made": None, "link": "", "is_sent": False}
    return visit.page(
        "operator/account.html",
        status,
        seen=seen,
        account=seen.account,
        path=f"{PATH}/{account.id}",
        edited={one.setting for one in seen.edits},
        new_id=f"adjustment-{new_id().hex}",
        key_shape=shape,
        templates_max=TEMPLATES_SHOWN,
        roles=[(role.value, visit.gettext(WORDS[role.value])) for role in Role],
        **(values | shown),
    )


async def _load(visit: Visit, account: Account, tx: Tx) -> Seen:
    fresh = await _find(tx, account.id)
    organisation = await load_organisation(tx, account.id)
    return Seen(
        account=fresh,
        organisation=organisation,
        state=(await load_current(tx, visit.ctx.sealer, [fresh.name]))[fresh.name],
        numbers=(await load_numbers(tx, [fresh.id]))[fresh.id],
        checks=[one for one in await load_checks(tx, fresh) if one.reasons],
        edits=(await load_edits(tx, [fresh.id]))[fresh.id],
        members=await load_members(tx, organisation.id),
        invited=await load_invited(tx, organisation.id),
        keys=await load_keys(tx, fresh),
    )


async def require_account(visit: Visit) -> Account:
    """That of the address."""
    try:
        account_id = UUID(visit.params["id"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None
    return await visit.transact(lambda tx: _find(tx, account_id))


async def _find(tx: Tx, account_id: UUID) -> Account:
    found = (await load_accounts(tx, [account_id])).get(account_id)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    return found


def editor_of(visit: Visit, account: Account) -> Editor:
    allow_private = visit.ctx.settings.allow_private_webhooks
    return Editor(visit.ctx.sealer, visit.actor, account.name, allow_private)


async def switch(visit: Visit) -> Response:
    """Disable or enable the account, pause or resume it."""
    account = await require_account(visit)
    act = visit.form["act"]
    _ = visit.gettext
    acts = {
        "disable": ({"active": False}, _("The account is disabled.")),
        "enable": ({"active": True}, _("The account is enabled.")),
        "pause": ({"paused": True}, _("The account's sending is paused.")),
        "resume": ({"paused": False}, _("The account sends again.")),
    }
    if act not in acts:
        raise ApiError(Code.NOT_FOUND)
    if act == "disable" and not visit.is_confirmed:
        title = _("Disable %(name)s?", name=account.name)
        text = _("Its requests are refused at once, and nothing that waits is sent.")
        return visit.confirm(title, text, back=f"{PATH}/{account.id}")
    values, done = acts[act]
    await edit(visit, account, Edit(values))
    return visit.redirect(f"{PATH}/{account.id}", notice=done)


async def edit(visit: Visit, account: Account, changes: Edit) -> bool:
    """Whether anything changed. Raises ValuesRefused, or ApiError."""
    edited = await visit.transact(
        lambda tx: edit_account(
            tx,
            visit.ctx.sealer,
            visit.actor,
            account.name,
            changes,
            allow_private=visit.ctx.settings.allow_private_webhooks,
        )
    )
    visit.ctx.accounts_changed([account.id])  # here at once, elsewhere by notification
    return bool(edited.changes)


PAGES = [Page(f"{PATH}/{{id}}", get=show, post=switch, needs=Right.OPERATE)]
