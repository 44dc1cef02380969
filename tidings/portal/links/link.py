"""One link: its opens by day, and its end."""

from datetime import UTC
from functools import partial

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.features.links import lookup
from tidings.features.links.deactivate import deactivate
from tidings.features.links.model import DayOpens, Link
from tidings.features.links.rules import short_url
from tidings.features.people.roles import Right
from tidings.portal import days
from tidings.portal.links.links import opens_by_day, state_of
from tidings.portal.page import Page
from tidings.portal.visit import Visit

DAYS_SHOWN = 60


async def show(visit: Visit) -> Response:
    account_id, code = visit.chosen.id, visit.params["code"]
    await visit.ctx.follower.settle(account_id, code)
    shown = days.last_days(visit.now.astimezone(UTC).date(), DAYS_SHOWN)

    async def load(tx: Tx) -> tuple[Link, list[DayOpens]]:
        link = await lookup.load_link(tx, account_id, code)
        return link, await lookup.load_days(tx, account_id, code, shown[0])

    link, opens = await visit.transact(load)
    return visit.page(
        "links/link.html",
        link=link,
        state=state_of(visit, link),
        short_url=short_url(visit.ctx.settings.public_url, link.code),
        chart=opens_by_day(visit, shown, opens),
    )


async def end(visit: Visit) -> Response:
    """Deactivate it; there is no way back."""
    account, code = visit.chosen, visit.params["code"]
    link = await visit.transact(lambda tx: lookup.load_link(tx, account.id, code))
    if not visit.is_confirmed:
        return visit.confirm(
            visit.gettext("Deactivate the link?"),
            visit.gettext(
                "%(code)s leads to %(url)s. Whoever opens it afterwards reads that it is no longer "
                "active. This cannot be undone.",
                code=link.code,
                url=link.url,
            ),
            "/links",
        )
    changed = await visit.transact(partial(deactivate, account_id=account.id, actor=visit.actor,
                                           code=code))  # fmt: skip
    done = visit.gettext("The link was deactivated.")
    before = visit.gettext("The link had been deactivated before.")
    return visit.redirect("/links", notice=done if changed else before)


PAGES = [Page("/links/{code}", get=show, post=end, post_needs=Right.BUILD)]
