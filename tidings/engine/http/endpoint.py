"""Routes, and what their endpoints take and return. `application.py` reads and writes the wire."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, Protocol
from uuid import UUID

import msgspec

from tidings import limits
from tidings.errors import ErrorCode


class Caller(Protocol):
    """The account behind a key, as far as the HTTP application needs to know it."""

    @property
    def id(self) -> UUID: ...
    @property
    def environment(self) -> str: ...
    @property
    def active(self) -> bool: ...
    @property
    def is_partner(self) -> bool: ...
    @property
    def requests_per_minute(self) -> int: ...


class Auth(Enum):
    """Who may call a route. Checked in the order contract.md fixes."""

    NONE = "none"
    KEY = "key"
    PARTNER = "partner"  # a key of a partner account, else NOT_A_PARTNER
    SANDBOX = "sandbox"  # a key of a sandbox account; to a live key the route does not exist


@dataclass(slots=True)
class Request:
    """One request that passed authentication, rate limit, size and field checks."""

    method: str
    id: str
    headers: Mapping[bytes, bytes]  # lower-case names
    params: Mapping[str, str]  # of the path: {"cid": "order-0001"}
    account: Any = None  # what `authenticate` returned (features.accounts.model.Account), or None
    body: Any = None  # an instance of Route.body
    query: Any = None  # an instance of Route.query
    raw: bytes = b""
    raw_query: bytes = b""
    address: str = ""  # the caller's, as reported by a trusted proxy


@dataclass(slots=True)
class Response:
    """A response in the envelope of 2.1: `{success, environment, data, **extra}`."""

    data: object  # msgspec.UNSET leaves it out (health has none)
    status: int = 200
    extra: dict[str, object] = field(default_factory=dict)  # e.g. nextCursor
    headers: tuple[tuple[bytes, bytes], ...] = ()


@dataclass(slots=True)
class PlainResponse:
    """A response outside the envelope: a page, a redirect, an OpenAPI file, a stream."""

    status: int
    body: bytes | AsyncIterator[bytes]
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[bytes, bytes], ...] = ()


Handler = Callable[[Any, Request], Awaitable[Response | PlainResponse]]


@dataclass(frozen=True, slots=True)
class Example:
    """One request and its response, for OpenAPI and the curl samples of the reference."""

    data: Any = msgspec.UNSET  # of the response; unset where that is not in the envelope
    status: int = 200
    body: dict[str, Any] | None = None
    path: Mapping[str, str] = field(default_factory=dict)  # the values of the path's parameters
    query: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)  # additional envelope fields
    environment: str | None = "sandbox"
    output: str = ""  # the file that the sample writes the response to


async def _undeclared(_ctx: Any, _request: Request) -> Response:
    raise NotImplementedError("an Endpoint decorates its handler")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A handler with its request and response types: `@Endpoint(...)` above `async def post_link`.

    The application parses and validates requests with it; OpenAPI and the reference are generated
    from it. `data`, `extra`, `errors` and the fields after `is_secret` are for documentation only.
    """

    handle: Handler = _undeclared  # its docstring is the summary in OpenAPI
    auth: Auth = Auth.KEY
    body: type[msgspec.Struct] | None = None  # None: the body is ignored
    body_optional: bool = False  # it may be left out; `request.body` is then None
    keyed_body: type[msgspec.Struct] | None = None  # beside Idempotency-Key; None: that is ignored
    query: type[msgspec.Struct] | None = None
    data: Any = None  # type of `data` in the response
    extra: Any = None  # struct of additional envelope fields (nextCursor)
    media_type: str = ""  # of a response outside the envelope
    other_media_type: str = ""  # of a successful response that was asked for in place of JSON
    page_statuses: tuple[int, ...] = ()  # refusals that are pages: people open the address
    statuses: tuple[int, ...] = (200,)  # the successful ones
    errors: tuple[ErrorCode, ...] = ()  # in addition to those of every endpoint and of the fields
    raw_body: bool = False  # pass `request.raw` unparsed (the platform's callbacks)
    bytes_max: int = limits.REQUEST_BYTES_MAX  # of its body
    is_secret: bool = False  # the request log shows nothing of its body
    dry_run: bool = False  # it supports X-Dry-Run
    dry_run_data: Any = None  # type of `data` in a dry run, if another
    read_only: bool = False  # no effects, although it is not a GET
    tag: str = ""  # the chapter of the reference
    response_headers: tuple[str, ...] = ()  # headers of a successful response
    example: Example | None = None

    def __call__(self, handle: Handler) -> "Endpoint":
        return replace(self, handle=handle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route(Endpoint):
    """An endpoint at its address. `number` is its row in the specification's section 4."""

    number: int | None
    method: str
    path: str  # the full path, e.g. "/api/v1/messages/{cid}"

    @property
    def has_effects(self) -> bool:
        """Reads and checks have none; routes without a key are not called by customers."""
        return self.method != "GET" and not self.read_only and self.auth is not Auth.NONE


def at(number: int | None, method: str, path: str, endpoint: Endpoint) -> Route:
    """The route that serves an endpoint at this address."""
    declared = {one.name: getattr(endpoint, one.name) for one in fields(Endpoint)}
    return Route(number=number, method=method, path=path, **declared)
