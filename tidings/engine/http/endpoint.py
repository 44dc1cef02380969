"""Routes, and what their endpoints take and return. `application.py` reads and writes the wire."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
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
    path: str
    id: str
    headers: Mapping[bytes, bytes]  # lower-case names
    params: Mapping[str, str]  # of the path: {"cid": "order-0001"}
    account: Any = None  # what `authenticate` returned (features.accounts.model.Account), or None
    body: Any = None  # an instance of Route.body
    query: Any = None  # an instance of Route.query
    raw: bytes = b""
    raw_query: bytes = b""
    address: str = ""  # the caller's, as far as a trusted proxy tells


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


Endpoint = Callable[[Any, Request], Awaitable[Response | PlainResponse]]


@dataclass(frozen=True, slots=True)
class Route:
    """One address of the service. `number` is its row in the specification's section 4."""

    number: int | None
    method: str
    path: str  # whole, e.g. "/api/v1/messages/{cid}"
    endpoint: Endpoint  # its docstring is the summary in OpenAPI
    auth: Auth
    body: type[msgspec.Struct] | None = None  # None: a body is neither read nor needed
    body_optional: bool = False  # it may be left out; `request.body` is then None
    query: type[msgspec.Struct] | None = None
    data: Any = None  # type of `data` in the answer, for OpenAPI
    extra: Any = None  # struct of further envelope fields (nextCursor), for OpenAPI
    statuses: tuple[int, ...] = (200,)  # the successful ones
    errors: tuple[ErrorCode, ...] = ()  # beyond those every keyed endpoint has
    raw_body: bool = False  # hand over `request.raw` unparsed (the platform's callbacks)
    bytes_max: int = limits.REQUEST_BYTES_MAX  # of its body
    tag: str = ""
    reads: tuple[tuple[str, str], ...] = ()  # optional headers and what they do, for OpenAPI
    tells: tuple[str, ...] = ()  # headers that a successful answer may have, for OpenAPI
    only_checks: bool = False  # it changes nothing, though it is no GET
    rehearsed: Any = None  # type of `data` with 200 where X-Dry-Run asks, if another; for OpenAPI
