"""The portal's application: page -> session -> right -> form and its token -> handler.

It runs on the same listener as the API, so connections, headers and slow clients are bounded by
`engine/http/protocol.py`. Every answer carries the headers of `_HEADERS`.
"""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from tidings.context import Context
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.fair_queue import OWNER
from tidings.engine.http.asgi import AsgiConnection
from tidings.engine.http.client_address import Proxies
from tidings.engine.http.exchange import Exchange
from tidings.engine.http.routing import Routing
from tidings.engine.log import ACCOUNT, REQUEST_ID
from tidings.engine.objects import ObjectsUnavailable
from tidings.errors import ApiError, Code
from tidings.portal import arrival, assets, form, refusals
from tidings.portal.language import choose
from tidings.portal.origin import is_own
from tidings.portal.page import Route, routes_of
from tidings.portal.pages import PAGES
from tidings.portal.stream.hub import Hub
from tidings.portal.tokens import LANGUAGE, NOTICE, VISITOR, ZONE, Tokens, new_visitor
from tidings.portal.visit import Visit

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_SECURE_HEADERS = {"strict-transport-security": "max-age=31536000"}  # behind https
_PRIVATE = "no-store"
_UNAVAILABLE = (*UNAVAILABLE_ERRORS, ObjectsUnavailable)

log = structlog.get_logger()


class Portal:
    """Serves the pages of the table `pages.py`."""

    def __init__(self, ctx: Context, proxies: Proxies) -> None:
        self._ctx = ctx
        self._proxies = proxies
        self._routing: Routing[Route] = Routing(
            route for page in PAGES for route in routes_of(page)
        )
        is_secure = ctx.settings.public_url.startswith("https://")
        self._headers = _HEADERS | (_SECURE_HEADERS if is_secure else {})
        self._tokens = Tokens(ctx.sealer, secure=is_secure)
        self._hub = Hub(ctx)
        self._traffic = ctx.metrics.traffic

    async def __call__(self, exchange: Exchange) -> None:
        asgi = AsgiConnection(exchange)
        REQUEST_ID.set(exchange.id)
        started = self._ctx.clock.monotonic()
        self._traffic.in_flight += 1
        try:
            response = await self._respond(exchange, asgi)
            self._complete(response, exchange)
            exchange.status = response.status_code
            await response(asgi.scope, asgi.receive, asgi.send)
        finally:
            self._traffic.in_flight -= 1
            seconds = self._ctx.clock.monotonic() - started
            self._traffic.record(exchange.template or "/portal", exchange.status, seconds)

    async def _respond(self, exchange: Exchange, asgi: AsgiConnection) -> Response:
        raw_path = exchange.raw_path
        if raw_path.startswith(assets.PATH.encode()):
            exchange.template = f"{assets.PATH}{{name}}"
            return assets.respond(raw_path[len(assets.PATH) :].decode("latin-1"))
        visit = self._begin(exchange, asgi)
        try:
            return _finish(visit, await self._answer(visit, exchange, raw_path))
        except ClientDisconnect:
            return PlainTextResponse("", 400)
        except Exception as fault:  # noqa: BLE001 - outermost: every error gets a page
            return self._explain(visit, fault, exchange)

    def _begin(self, exchange: Exchange, asgi: AsgiConnection) -> Visit:
        request = Request(asgi.scope, asgi.receive)
        cookies = request.cookies
        path = asgi.path.removeprefix("/portal") or "/"
        return Visit(
            ctx=self._ctx,
            request=request,
            request_id=exchange.id,
            params={},
            query={name: form.clean(value) for name, value in request.query_params.items()},
            language=choose(cookies.get(LANGUAGE, ""), request.headers.get("accept-language", "")),
            zone=_zone(cookies.get(ZONE, "")),
            address=exchange.address(self._proxies),
            tokens=self._tokens,
            hub=self._hub,
            cookie=cookies.get(VISITOR, ""),
            notice=self._tokens.open_notice(cookies.get(NOTICE, "")),
            path=path.rstrip("/") or "/",
        )

    async def _answer(self, visit: Visit, exchange: Exchange, raw_path: bytes) -> Response:
        OWNER.set(visit.address)
        await arrival.recognise(visit)
        ACCOUNT.set(None if visit.account is None else visit.account.id)
        if not visit.cookie:
            visit.cookie = new_visitor()
        try:
            route, visit.params = self._routing.require(exchange.method, _normal(raw_path))
        except ApiError:
            if visit.session is None:
                return _to_sign_in(visit)
            raise
        exchange.template = route.path
        if route.needs is not None and visit.session is None:
            return _to_sign_in(visit)
        _require_right(visit, route)
        if exchange.method == "POST":
            return await _act(visit, route, exchange)
        return await route.handle(visit)

    def _explain(self, visit: Visit, fault: Exception, exchange: Exchange) -> Response:
        if isinstance(fault, _UNAVAILABLE):
            log.warning("page.declined", route=exchange.template, error=type(fault).__name__)
        elif not isinstance(fault, refusals.EXPECTED):
            log.error("page.failed", route=exchange.template, exc_info=fault)
        if isinstance(fault, form.FormTooLarge):
            exchange.must_close = True
        return _finish(visit, refusals.page(visit, fault, unavailable=_UNAVAILABLE))

    def _complete(self, response: Response, exchange: Exchange) -> None:
        for name, value in self._headers.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("cache-control", _PRIVATE)
        response.headers["x-request-id"] = exchange.id


def _require_right(visit: Visit, route: Route) -> None:
    if not visit.may(route.needs):
        raise refusals.Forbidden
    if route.page.sandbox_only and (visit.account is None or not visit.account.is_sandbox):
        raise ApiError(Code.NOT_FOUND)


async def _act(visit: Visit, route: Route, exchange: Exchange) -> Response:
    page = route.page
    if not is_own(visit.request.headers, visit.ctx.settings.public_url):
        raise refusals.ForeignForm
    try:
        visit.form = await form.read(visit.request, page.form_bytes_max)
    except form.FormTooLarge:
        if page.get is None or not page.file_field:
            raise
        exchange.must_close = True  # the rest of the body is not read
        text = visit.gettext("The file is too large: at most %(mb)s MB.", mb=page.megabytes_max)
        visit.form.error(page.file_field, text)
        return await page.get(visit)
    if not visit.tokens.is_for(visit.cookie, visit.form["csrf"]):
        raise refusals.StaleForm
    return await route.handle(visit)


def _normal(raw_path: bytes) -> bytes:
    """`/portal` and `/portal/` are one page."""
    return b"/portal/" if raw_path == b"/portal" else raw_path


def _to_sign_in(visit: Visit) -> Response:
    wanted = visit.here if visit.request.method == "GET" else "/portal/"
    if wanted == "/portal/":
        return visit.redirect("/sign-in")
    return visit.redirect("/sign-in", next=wanted)


def _finish(visit: Visit, response: Response) -> Response:
    """Cookies: a visitor's own, for the token of forms; a notice only once."""
    cookies = visit.request.cookies
    if visit.session is None and cookies.get(VISITOR) != visit.cookie:
        visit.tokens.put(response, VISITOR, visit.cookie)
    if NOTICE in cookies and not isinstance(response, RedirectResponse):
        visit.tokens.drop(response, NOTICE)
    return response


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return "UTC"
    return name
