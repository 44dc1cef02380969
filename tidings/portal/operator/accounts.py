"""The accounts of the installation: found by name, and created."""

from starlette.responses import Response

from tidings.account_file.edit import create_account
from tidings.engine.db.order import Order
from tidings.features.accounts.search import search_accounts
from tidings.features.people.roles import Right
from tidings.portal import sorting
from tidings.portal.operator import account
from tidings.portal.operator.refused import REFUSED, refuse
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.visit import Visit

PATH = "/operator/accounts"
PAGE_ROWS = 50
STATES = ("active", "paused", "disabled")
FIELDS = ("name", "environment", "organisation")


async def show(visit: Visit) -> Response:
    search, state = visit.query.get("search", "").strip(), visit.query.get("state", "")
    after = visit.query.get("cursor", "")
    by = sorting.read(PATH, visit.query, ["name", "created"], "name")
    is_by_time = by.column == "created"
    page = await visit.transact(
        lambda tx: search_accounts(
            tx,
            search,
            state=state if state in STATES else "",
            after=after,
            size=PAGE_ROWS,
            by="created" if is_by_time else "name",
            order=by.order,
        )
    )
    order = by.order if is_by_time else Order.NEWEST_FIRST
    return visit.page(
        "operator/accounts.html",
        listed=page.accounts,
        paging=paging(PATH, visit.query, page.next_name, order),
        sorting=by,
        states=STATES,
    )


async def create(visit: Visit) -> Response:
    """As a file with this one account would; its key and secret are shown once."""
    values = {name: visit.form[name] for name in FIELDS if visit.form[name]}
    try:
        made = await visit.transact(
            lambda tx: create_account(
                tx,
                visit.ctx.sealer,
                visit.actor,
                {"environment": "sandbox"} | values,
                allow_private=visit.ctx.settings.allow_private_webhooks,
            )
        )
    except REFUSED as refusal:
        refuse(visit, refusal)
        return await show(visit)
    return await account.show_new(visit, made.account)


PAGES = [Page(PATH, get=show, post=create, needs=Right.OPERATE)]
