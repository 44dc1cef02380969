"""Operational endpoints: health, liveness, readiness, metrics, OpenAPI and the reference page."""

import asyncio
from functools import cache

import msgspec

from tidings import times
from tidings.context import Context
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.skew import SKEWED, skew_of
from tidings.engine.http.endpoint import Auth, Endpoint, Example, PlainResponse, Request, at
from tidings.engine.http.unchanged import etag_of, unless_known
from tidings.engine.metrics import CONTENT_TYPE
from tidings.features.operation import gauges

JSON = "application/json"
_REVALIDATED = (b"cache-control", b"no-cache")


class Health(msgspec.Struct):
    """2.1: the health response has no `environment` and no `data`."""

    service: str
    now: str


@Endpoint(
    auth=Auth.NONE,
    extra=Health,
    tag="Service",
    example=Example(
        extra={"service": "tidings", "now": "2026-11-16T11:00:35.961Z"},
        environment=None,
    ),
)
async def get_health(ctx: Context, _request: Request) -> PlainResponse:
    """Check the service.

    It answers while the service is up, without a key and without the database.
    """
    body = {"success": True, "service": "tidings", "now": times.to_wire(ctx.clock.now())}
    return PlainResponse(200, msgspec.json.encode(body), JSON)


@Endpoint(auth=Auth.NONE)
async def get_livez(_ctx: Context, _request: Request) -> PlainResponse:
    """The process runs."""
    return PlainResponse(200, b"ok\n")


@Endpoint(auth=Auth.NONE)
async def get_readyz(ctx: Context, _request: Request) -> PlainResponse:
    """The process takes requests and its database answers."""
    if not ctx.is_ready:
        return PlainResponse(503, b"stopping or starting\n")
    try:
        await ctx.db.ping()
    except UNAVAILABLE_ERRORS:
        return PlainResponse(503, b"the database does not answer\n")
    return PlainResponse(200, _clock_note(ctx).encode())


def _clock_note(ctx: Context) -> str:
    """`ok`, and how wrong this machine's clock is, where that is worth a look."""
    wrong = skew_of(ctx.clock)
    if abs(wrong) <= SKEWED:
        return "ok\n"
    return f"ok, but this machine's clock is {-wrong.total_seconds():+.0f} s from the database's\n"


@Endpoint(auth=Auth.NONE)
async def get_metrics(ctx: Context, _request: Request) -> PlainResponse:
    """Counts for Prometheus."""
    await gauges.measure(ctx)
    return PlainResponse(200, ctx.metrics.render(), CONTENT_TYPE)


OPERATOR = [
    at(None, "GET", "/livez", get_livez),
    at(None, "GET", "/readyz", get_readyz),
    at(None, "GET", "/metrics", get_metrics),
]


@cache
def describe(server_url: str) -> bytes:
    """OpenAPI of the public interface, as JSON."""
    from tidings.engine.http import openapi
    from tidings.engine.http.openapi_webhooks import Webhook
    from tidings.reference import WORDS
    from tidings.routes import API, EVENTS, EXTENSIONS  # imports this module

    document = openapi.document(
        [*API, *EXTENSIONS],
        title="Tidings",
        version="1.0.0",
        server_url=server_url,
        webhooks=[Webhook(kind.name, kind.data, kind.when, kind.example_body()) for kind in EVENTS],
        words=WORDS,
    )
    return msgspec.json.encode(document)


@Endpoint(
    auth=Auth.NONE,
    tag="Service",
    example=Example(),
)
async def get_openapi(ctx: Context, request: Request) -> PlainResponse:
    """Get the OpenAPI document.

    This interface as OpenAPI 3.1, for generators and other viewers.
    """
    # Made once, in a thread: it takes a fifth of a second, and messages must not wait for it.
    response = await asyncio.to_thread(_described, ctx.settings.public_url)
    return unless_known(response, request.headers)


@cache
def _described(server_url: str) -> PlainResponse:
    body = describe(server_url)
    return PlainResponse(200, body, JSON, (_REVALIDATED, etag_of(body)))


@Endpoint(
    auth=Auth.NONE,
    tag="Service",
    example=Example(),
)
async def get_docs(_ctx: Context, request: Request) -> PlainResponse:
    """Open the API reference.

    This interface as a page for people.
    """
    return unless_known(await asyncio.to_thread(_reference), request.headers)


@cache
def _reference() -> PlainResponse:
    from tidings.engine.http import openapi, reference
    from tidings.routes import API, EXTENSIONS

    return reference.page(openapi.error_codes([*API, *EXTENSIONS]))
