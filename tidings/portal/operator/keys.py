"""The keys and the signing secret of any account: as its own people, and as `tidings keys`, do."""

from functools import partial

from starlette.responses import Response

from tidings.features.accounts.credentials import load_rotation
from tidings.features.operation import credentials
from tidings.features.people.roles import Right
from tidings.portal.keys import keys
from tidings.portal.keys.keys import Action, Holder, Shown, read_overlap
from tidings.portal.operator.account import PATH, require_account
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    return await keys.show(visit, await _holder(visit))


async def act(visit: Visit) -> Response:
    return await keys.act(visit, await _holder(visit), ACTIONS)


async def _holder(visit: Visit) -> Holder:
    account = await require_account(visit)
    return Holder(account, f"{PATH}/{account.id}/keys", "operator/keys.html", _load_more)


async def _load_more(visit: Visit, of: Holder) -> dict[str, object]:
    return {"signing": await visit.transact(partial(load_rotation, account_id=of.account.id))}


async def rotate_all(visit: Visit, of: Holder) -> Response:
    """One key in place of all, which work on for the overlap."""
    _, overlap = visit.gettext, read_overlap(visit)
    if overlap is None:
        return await keys.show(visit, of)
    if not overlap and not visit.is_confirmed:
        title = _("Rotate all keys of %(name)s?", name=of.account.name)
        return visit.confirm(
            title, _("With no overlap the old keys stop working at once."), of.path
        )
    key = await visit.transact(
        lambda tx: credentials.rotate_keys(tx, visit.ctx.sealer, visit.actor, of.account, overlap)
    )
    return await keys.show_new(visit, of, Shown(key, ""))


async def revoke_all(visit: Visit, of: Holder) -> Response:
    _ = visit.gettext
    if not visit.is_confirmed:
        title = _("Revoke all keys of %(name)s?", name=of.account.name)
        text = _("Every request of the account is refused until a new key is created.")
        return visit.confirm(title, text, of.path)
    await visit.transact(lambda tx: credentials.revoke_keys(tx, visit.actor, of.account))
    return visit.redirect(of.path, notice=_("All keys are revoked."))


async def rotate_secret(visit: Visit, of: Holder) -> Response:
    _ = visit.gettext
    if not visit.is_confirmed:
        title = _("Rotate the signing secret of %(name)s?", name=of.account.name)
        text = _("Webhooks are signed with the new one at once, and for 24 hours with both.")
        return visit.confirm(title, text, of.path)
    secret = await visit.transact(
        lambda tx: credentials.rotate_secret(tx, visit.ctx.sealer, visit.actor, of.account)
    )
    return await keys.show_new(visit, of, secret=secret)


ACTIONS: dict[str, Action] = keys.ACTIONS | {
    "rotate-all": rotate_all,
    "revoke-all": revoke_all,
    "secret": rotate_secret,
}

PAGES = [Page(f"{PATH}/{{id}}/keys", get=show, post=act, needs=Right.OPERATE)]
