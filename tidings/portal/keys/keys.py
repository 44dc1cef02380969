"""API keys: who has which and when it was last used. Create, rotate, revoke; each is shown once."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings import limits
from tidings.errors import ApiError, Code
from tidings.features.accounts.keys import load_key, load_keys
from tidings.features.accounts.model import Account, IssuedKey
from tidings.features.operation import credentials
from tidings.features.people.roles import Right
from tidings.ids import new_id
from tidings.portal import sorting
from tidings.portal.form import Form
from tidings.portal.page import Page
from tidings.portal.sorting import Keys
from tidings.portal.visit import Visit

OVERLAP_DAYS = 1  # that the form begins with
SHAPE_CHARS = 6
SORT_KEYS: Keys[IssuedKey] = {
    "name": lambda key: key.name or None,
    "created": lambda key: key.created_at,
    "used": lambda key: key.last_used_at,
}


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose keys a page is about, and where the page is: an operator has one for each account."""

    account: Account
    path: str = "/keys"
    template: str = "keys/keys.html"
    load_more: Callable[[Visit, "Holder"], Awaitable[dict[str, object]]] | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A new key, on the only page that shows it. `name` is its owner's word for it."""

    key: str
    name: str


Action = Callable[[Visit, Holder], Awaitable[Response]]


async def show(visit: Visit, of: Holder, shown: Shown | None = None, **more: object) -> Response:
    found = await visit.transact(lambda tx: load_keys(tx, of.account))
    if of.load_more is not None:
        more = await of.load_more(visit, of) | more
    by = sorting.read(of.path, visit.query, SORT_KEYS, default="-created")
    return visit.page(
        of.template,
        None,
        of=of,
        keys=by.sort(found[::-1], SORT_KEYS),
        sorting=by,
        shape=shape,
        shown=shown,
        new_id=new_id(),
        overlap_days=OVERLAP_DAYS,
        overlap_max=limits.KEY_OVERLAP_DAYS.high,
        **more,
    )


async def act(visit: Visit, of: Holder, actions: Mapping[str, Action]) -> Response:
    """One address for all: whatever was done, the page that follows is the list."""
    action = actions.get(visit.form["action"])
    if action is None:
        raise ApiError(Code.NOT_FOUND)
    try:
        return await action(visit, of)
    except ApiError as refusal:
        if refusal.code is Code.NOT_FOUND:
            raise
        visit.refuse(refusal)
        return await show(visit, of)


async def create(visit: Visit, of: Holder) -> Response:
    name = visit.form["name"]
    if not name:
        problem = visit.gettext("Say what the key is for, so that you know it again.")
        visit.form.error("name", problem)
        return await show(visit, of)
    issue = partial(
        credentials.issue_key,
        sealer=visit.ctx.sealer,
        actor=visit.actor,
        account=of.account,
        name=name,
        key_id=_id(visit),
    )
    key = await visit.transact(issue)
    return await show_new(visit, of, Shown(key, name))


async def rotate(visit: Visit, of: Holder) -> Response:
    account, key_id = of.account, _id(visit)
    previous = await visit.transact(lambda tx: load_key(tx, account, key_id))
    overlap = read_overlap(visit)
    if overlap is None:
        return await show(visit, of)
    if not overlap and not visit.is_confirmed:
        text = visit.gettext("With no overlap the old key stops working at once.")
        return visit.confirm(_question(visit, visit.gettext("Rotate"), previous), text, of.path)
    key = await visit.transact(
        lambda tx: credentials.rotate_key(
            tx, visit.ctx.sealer, visit.actor, account, key_id, overlap
        )
    )
    return await show_new(visit, of, Shown(key, previous.name))


async def revoke(visit: Visit, of: Holder) -> Response:
    account, key_id = of.account, _id(visit)
    key = await visit.transact(lambda tx: load_key(tx, account, key_id))
    if not visit.is_confirmed:
        text = visit.gettext("Requests with this key are refused from now on. It cannot come back.")
        return visit.confirm(_question(visit, visit.gettext("Revoke"), key), text, of.path)
    await visit.transact(lambda tx: credentials.revoke_key(tx, visit.actor, account, key_id))
    return visit.redirect(of.path, notice=visit.gettext("The key is revoked."))


ACTIONS: dict[str, Action] = {
    "create": create,
    "rotate": rotate,
    "revoke": revoke,
}


async def show_new(
    visit: Visit, of: Holder, shown: Shown | None = None, **more: object
) -> Response:
    """Not a redirect: the key is in this one answer, and nowhere else."""
    visit.form = Form()
    return await show(visit, of, shown, **more)


def shape(key: IssuedKey) -> str:
    """How it begins and ends: `td_live_Xy3k9w…q2Zp`."""
    start = key.prefix.index("_", len("td_")) + 1
    return f"{key.prefix[: start + SHAPE_CHARS]}…{key.last4}"


def _question(visit: Visit, verb: str, key: IssuedKey) -> str:
    return f"{verb}: {key.name or key.prefix}"


def _id(visit: Visit) -> UUID:
    try:
        return UUID(visit.form["key"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None


def read_overlap(visit: Visit) -> timedelta | None:
    """None: it is no number of days that a rotation may take; the form says so."""
    days, span = visit.form["overlap"], limits.KEY_OVERLAP_DAYS
    if days.isascii() and days.isdigit() and len(days) < 3 and int(days) in span:
        return timedelta(days=int(days))
    problem = visit.gettext("Give whole days, 0 to %(most)s.", most=span.high)
    visit.form.error(f"overlap-{visit.form['key']}", problem)
    return None


async def show_own(visit: Visit) -> Response:
    return await show(visit, Holder(visit.chosen))


async def act_on_own(visit: Visit) -> Response:
    return await act(visit, Holder(visit.chosen), ACTIONS)


PAGES = [Page("/keys", get=show_own, post=act_on_own, needs=Right.BUILD)]
