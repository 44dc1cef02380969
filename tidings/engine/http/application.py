"""The HTTP application: checks in the order contract.md fixes, the endpoint, the envelope (2.1).

route -> key -> active -> sandbox -> rate -> size -> partner -> JSON -> fields -> endpoint. It does
not depend on features: routes, authentication and the rate limiter are arguments.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.errors import OUTAGE_ERRORS
from tidings.engine.fair_queue import OWNER, Admission
from tidings.engine.http import assistant, dry_run, fields, idempotency_key
from tidings.engine.http.body import BodyReader
from tidings.engine.http.client_address import NO_PROXIES, Proxies
from tidings.engine.http.endpoint import Auth, Caller, PlainResponse, Request, Response, Route
from tidings.engine.http.envelope import COMMON_JSON, failure, header_lines, success
from tidings.engine.http.exchange import Disconnected, Exchange
from tidings.engine.http.respond import send_bytes, send_plain
from tidings.engine.http.routing import Routing, WrongMethod, not_found
from tidings.engine.http.spans import end_span
from tidings.engine.http.time_slicer import TimeSlicer
from tidings.engine.log import ACCOUNT, REQUEST_ID, shows_debug
from tidings.engine.metrics import Metrics
from tidings.engine.rate import MemoryRate, Rate, Verdict
from tidings.engine.traces.tracer import Tracer
from tidings.errors import ApiError, Code
from tidings.wording import counted

Authenticate = Callable[[str], Awaitable[Caller]]
Record = Callable[[Exchange, float], None]  # and the seconds it took
Audit = Callable[[Any, Route, Request], Awaitable[None]]

_RETRY_SECONDS = 1  # if the database is unreachable; most outages are shorter
_UNMATCHED = "unmatched"
_GONE = 499  # in metrics: the client disconnected before the response

log = structlog.get_logger()


class Application:
    """Answers exchanges over a table of routes."""

    def __init__(
        self,
        ctx: Any,
        routes: Iterable[Route],
        *,
        authenticate: Authenticate,
        rate: Rate,
        clock: Clock,
        docs_url: str,
        metrics: Metrics | None = None,
        unavailable: tuple[type[BaseException], ...] = (),
        proxies: Proxies = NO_PROXIES,
        large_bytes_max: int = limits.LARGE_BODIES_BYTES_MAX,
        record: Record | None = None,
        audit: Audit | None = None,  # of requests by assistants
        tracer: Tracer | None = None,
        unknown_keys_max: int = limits.UNKNOWN_KEYS_PER_MINUTE_MAX,
    ) -> None:
        self._ctx = ctx
        self._require_route = Routing(routes).require
        self._authenticate = authenticate
        self._rate = rate
        self._clock = clock
        self._docs_url = docs_url
        self._unavailable = unavailable
        self._proxies = proxies
        metrics = metrics or Metrics()
        self._traffic = metrics.traffic
        self._bodies = BodyReader(metrics, proxies, large_bytes_max)
        self._admission = Admission()
        self._slices = TimeSlicer()
        self._record = record
        self._audit = audit
        self._tracer = tracer
        self._unknown_keys = MemoryRate(clock)  # unknown keys, by address
        self._unknown_keys_max = unknown_keys_max  # in a minute

    async def __call__(self, exchange: Exchange) -> None:
        REQUEST_ID.set(exchange.id)
        ACCOUNT.set(None)  # of the request before it, if the client did not wait for its answer
        traffic, trace = self._traffic, None
        if self._tracer is not None:
            trace = self._tracer.begin_request(exchange.headers.get(b"traceparent"))
        started = self._clock.monotonic()
        traffic.in_flight += 1
        try:
            await self._send(exchange, await self._answer(exchange))
        except BaseException as fault:  # noqa: BLE001 - outermost: every error gets a response
            await self._send_fault(exchange, fault)
            _drop_frames(fault)
        finally:
            traffic.in_flight -= 1
            self._bodies.release(exchange)
            seconds = self._clock.monotonic() - started
            traffic.record(exchange.template or _UNMATCHED, exchange.status, seconds)
            if self._record is not None and exchange.account is not None:
                self._record(exchange, seconds)
            if self._tracer is not None and trace is not None:
                end_span(self._tracer, trace, exchange)

    # The checks, in order

    async def _answer(self, exchange: Exchange) -> Response | PlainResponse:
        _require_host(exchange)
        try:
            route, params = self._require_route(exchange.method, exchange.raw_path)
        except ApiError:
            await self._identify_account(exchange)
            raise
        exchange.template = route.path
        if route.auth is Auth.NONE:
            await self._wait_for_admission(exchange.address(self._proxies))
        else:
            await self._admit(exchange, route)
        self._bodies.require_size(exchange, route)
        if route.auth is Auth.PARTNER and not exchange.account.is_partner:
            raise ApiError(Code.NOT_A_PARTNER)
        raw = await self._bodies.read(exchange, route)
        exchange.body_bytes = len(raw)
        if len(raw) <= limits.LOGGED_BODY_BYTES_MAX and raw and not route.is_secret:
            exchange.body = raw
        if dry_run.HEADER in exchange.headers:
            dry_run.refuse(route, exchange.headers)
        request = Request(
            method=exchange.method,
            id=exchange.id,
            headers=exchange.headers,
            params=params,
            account=exchange.account,
            raw=raw if route.raw_body else b"",
            raw_query=exchange.raw_query,
            address=exchange.address(self._proxies),
        )
        if route.body is not None and (raw or not route.body_optional):
            kind = route.body
            if idempotency_key.HEADER in exchange.headers:
                kind = idempotency_key.body_type(route, exchange) or kind
            request.body = await self._decode(kind, raw)
            del raw  # free the memory: it may be large, and the endpoint may be slow
        if route.query is not None:
            request.query = fields.query(route.query, request.raw_query)
        if assistant.HEADER in exchange.headers and self._audit is not None:
            await self._audit(self._ctx, route, request)
        try:
            return await route.handle(self._ctx, request)
        except ApiError:
            if request.account is not None:  # without a key, the endpoint may have set it
                exchange.environment = request.account.environment
            raise

    async def _decode(self, kind: type[msgspec.Struct], raw: bytes) -> msgspec.Struct:
        if fields.is_large(raw):
            return await self._slices.run(fields.decode_steps(kind, raw))
        return fields.decode_small(kind, raw)

    async def _identify_account(self, exchange: Exchange) -> None:
        """For 404: if the key is valid, the response still carries the account's environment."""
        with suppress(ApiError, *self._unavailable):
            await self._count(exchange, await self._require_account(exchange))

    async def _require_account(self, exchange: Exchange) -> Caller:
        key = _require_key(exchange)
        try:
            account = await self._authenticate(key)
        except ApiError as refusal:
            if refusal.code is Code.INVALID_API_KEY:
                self._limit_unknown_keys(exchange)
            raise
        exchange.account = account
        ACCOUNT.set(account.id)
        exchange.environment = account.environment
        return account

    async def _admit(self, exchange: Exchange, route: Route) -> None:
        account = await self._require_account(exchange)
        await self._wait_for_admission(account.id)
        verdict = await self._count(exchange, account)  # first: errors carry the headers too
        if not account.active:
            raise ApiError(Code.APP_INACTIVE)
        if route.auth is Auth.SANDBOX and account.environment != "sandbox":
            raise not_found()
        if not verdict.allowed:
            raise _over_rate(verdict)

    async def _wait_for_admission(self, owner: Hashable) -> None:
        """Wait for admission. From here on `OWNER` is set, so other fair queues see the owner."""
        OWNER.set(owner)
        admitted = self._admission.request(owner)
        if admitted is not None:
            await admitted

    async def _count(self, exchange: Exchange, account: Caller) -> Verdict:
        verdict = await self._rate.take(account.id, account.requests_per_minute)
        exchange.rate_headers = (
            b"ratelimit-limit: %d\r\nratelimit-remaining: %d\r\nratelimit-reset: %d\r\n"
            % (verdict.limit, verdict.remaining, verdict.reset_seconds)
        )
        return verdict

    def _limit_unknown_keys(self, exchange: Exchange) -> None:
        """Limit unknown keys per client address. Valid keys are not affected, since their owner may
        share the address with an attacker. Keys are looked up in batches, so a flood of unknown
        ones costs the database little."""
        verdict = self._unknown_keys.take_now(
            exchange.address(self._proxies), self._unknown_keys_max
        )
        if not verdict.allowed:
            wait = verdict.retry_after
            text = (
                f"too many unknown keys from this address; try again in {counted(wait, 'second')}"
            )
            raise ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=wait)

    # Responses

    async def _send(self, exchange: Exchange, reply: Response | PlainResponse) -> None:
        exchange.status = reply.status
        if isinstance(reply, PlainResponse):
            await send_plain(exchange, reply)
            return
        head = COMMON_JSON
        if reply.headers:
            head += header_lines(reply.headers)
        body = success(reply.data, reply.extra, exchange.environment)
        await send_bytes(exchange, head, body)

    async def _send_fault(self, exchange: Exchange, fault: BaseException) -> None:
        refusal = self._refusal(exchange, fault)
        if refusal is None:
            return
        exchange.error_code = refusal.code.name
        if exchange.is_started:
            raise fault  # the response has begun; the server closes the connection
        exchange.status = refusal.code.status
        head = COMMON_JSON
        if isinstance(refusal, WrongMethod):
            exchange.status = refusal.status
            head += b"allow: %b\r\n" % refusal.allow.encode()
        if refusal.retry_after is not None:
            head += b"retry-after: %d\r\n" % refusal.retry_after
        body = failure(
            refusal,
            environment=exchange.environment,
            request=exchange.id,
            docs_url=self._docs_url,
        )
        await send_bytes(exchange, head, body)

    def _refusal(self, exchange: Exchange, fault: BaseException) -> ApiError | None:
        """The error response; None if the client has disconnected."""
        route = exchange.template
        if isinstance(fault, ApiError):
            if shows_debug():
                log.debug("request.refused", route=route, error=fault.code.name, field=fault.field)
            return fault
        if isinstance(fault, Disconnected):
            log.debug("request.disconnected", route=route)
            exchange.status = _GONE
            return None
        if isinstance(fault, self._unavailable):
            log.log(
                logging.DEBUG if isinstance(fault, OUTAGE_ERRORS) else logging.WARNING,
                "request.declined",
                route=route,
                error=type(fault).__name__,
            )
            return ApiError(Code.SERVICE_UNAVAILABLE, retry_after=_RETRY_SECONDS)
        if isinstance(fault, asyncio.CancelledError):  # the shutdown time limit has passed
            log.warning("request.cancelled", route=route)
            return ApiError(Code.SERVICE_UNAVAILABLE, retry_after=_RETRY_SECONDS)
        if not isinstance(fault, Exception):
            raise fault
        log.error("request.failed", route=route, exc_info=fault)
        return ApiError(Code.INTERNAL_ERROR)


def _drop_frames(fault: BaseException) -> None:
    """Break a reference cycle: the traceback's frames hold the body, and a future in one of them
    holds the exception. It would keep megabytes alive until the next garbage collection."""
    passed: BaseException | None = fault
    while passed is not None:
        passed.__traceback__ = None
        passed = passed.__context__


def _require_host(exchange: Exchange) -> None:
    """RFC 9112 3.2: exactly one Host header from HTTP/1.1 on."""
    missing = b"host" not in exchange.headers and exchange.version == "1.1"
    if missing or (exchange.has_repeats and exchange.count(b"host") > 1):
        exchange.must_close = True
        raise ApiError(Code.VALIDATION_ERROR, "the request must have one Host header", field="Host")


def _require_key(exchange: Exchange) -> str:
    raw = exchange.headers.get(b"x-api-key")
    if exchange.has_repeats and exchange.count(b"x-api-key") > 1:
        raise ApiError(Code.INVALID_API_KEY, "x-api-key is given twice; give it once")
    if not raw:
        text = "the x-api-key header is missing; send your API key in it"
        raise ApiError(Code.UNAUTHORIZED, text)
    if len(raw) > limits.API_KEY_BYTES_MAX or not raw.isascii():
        raise ApiError(Code.INVALID_API_KEY)
    return raw.decode()


def _over_rate(verdict: Verdict) -> ApiError:
    wait = verdict.retry_after
    limit, pause = counted(verdict.limit, "request"), counted(wait, "second")
    text = f"more than {limit} a minute; try again in {pause}"
    return ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=wait)
