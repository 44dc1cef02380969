"""Set up the second factor: a QR code for the app, a code of it, the recovery codes once."""

import segno
from markupsafe import Markup
from starlette.responses import Response

from tidings.errors import ApiError
from tidings.features.people import second_factor
from tidings.features.people.roles import Right
from tidings.portal.entry.refused import explain
from tidings.portal.page import Page
from tidings.portal.people.people import page
from tidings.portal.visit import Visit

GROUP_CHARS = 4  # of the secret, to be typed by hand


async def begin(visit: Visit) -> Response:
    return visit.redirect("/people/second-factor")


async def show(visit: Visit) -> Response:
    if await visit.transact(lambda tx: second_factor.is_on(tx, visit.person)):
        return visit.redirect("/people")
    return await _page(visit)


async def turn_on(visit: Visit) -> Response:
    code = visit.form["code"]
    try:
        codes = await visit.transact(
            lambda tx: second_factor.turn_on(
                tx, visit.ctx.sealer, visit.person, code, visit.address
            )
        )
    except ApiError as refusal:
        explain(visit, refusal)
        return await _page(visit)
    return visit.page("people/recovery.html", codes=codes)


async def turn_off(visit: Visit) -> Response:
    try:
        await second_factor.turn_off(visit.ctx, visit.person, visit.form["code"], visit.address)
    except ApiError as refusal:
        return await page(visit, explain(visit, refusal))
    notice = visit.gettext("The second factor is off. Signing in asks for the password only.")
    return visit.redirect("/people", notice=notice)


async def _page(visit: Visit) -> Response:
    sealer = visit.ctx.sealer
    setup = await visit.transact(lambda tx: second_factor.begin_setup(tx, sealer, visit.person))
    groups = range(0, len(setup.secret), GROUP_CHARS)
    secret = " ".join(setup.secret[at : at + GROUP_CHARS] for at in groups)
    return visit.page("people/second_factor.html", secret=secret, picture=_picture(setup.uri))


def _picture(uri: str) -> Markup:
    """An SVG without styles of its own: the content security policy allows none."""
    made = segno.make_qr(uri, error="m")
    svg = made.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None)
    return Markup(svg)  # noqa: S704 - drawn here, nothing of it is text that somebody gave


PAGES = [
    Page("/people/second-factor", get=show, post=turn_on, needs=Right.SELF),
    Page("/people/second-factor/begin", post=begin, needs=Right.SELF),
    Page("/people/second-factor/off", post=turn_off, needs=Right.SELF),
]
