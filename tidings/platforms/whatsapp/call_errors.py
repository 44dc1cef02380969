"""How a call to the Graph API can fail, and what a response means.

The caller of a failed call must know whether the platform may have acted on it, so there are three
errors (contract.md, "Sending"):

- `Unreachable`: it did not act. Nothing was written, or another server responded.
- `GraphErrorResponse`: it did not act. The body is a Graph error, whatever the HTTP status.
- `NoResponse`: the request was written and no valid response came. It may have acted.

docs/decisions/0016-live-adapter.md
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from tidings.platforms.whatsapp.graph_errors import (
    GraphError,
    find_error,
    find_retry_after,
    parse_object,
)

INVALID_TOKEN = 190  # the platform's code


class GraphCallError(Exception):
    """A failed call. Its text never quotes the request."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        self.status = status  # of HTTP, if a response came
        super().__init__(reason)


class Unreachable(GraphCallError):
    """The platform did not act: the call may be retried."""

    def __init__(
        self, reason: str, status: int | None = None, retry_after: timedelta | None = None
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, status)


class GraphErrorResponse(GraphCallError):
    """The platform responded with an error."""

    def __init__(self, status: int, error: GraphError, retry_after: timedelta | None) -> None:
        self.error = error
        self.retry_after = retry_after
        super().__init__(f"refused with code {error.code}", status)


class NoResponse(GraphCallError):
    """The request was written and no valid response came: the platform may have acted."""


def fault(kind: str, *, written: bool) -> GraphCallError:
    """A reason that customers may see; `kind` is for the operator."""
    if written:
        return NoResponse(f"the platform did not answer ({kind})")
    return Unreachable(f"the platform cannot be reached ({kind})")


def require_token(token: str) -> str:
    """A token that cannot be sent in a header is refused here like an invalid one."""
    if token and token.isascii() and token.isprintable() and " " not in token:
        return token
    said = "the access token is empty or has invalid characters"
    raise GraphErrorResponse(HTTPStatus.UNAUTHORIZED, GraphError(INVALID_TOKEN, None, said), None)


def result(status: int, body: bytes, headers: Callable[[], Mapping[str, str]]) -> dict[str, Any]:
    """The JSON object of a response; raises for an error, and only then reads the headers."""
    answer = parse_object(body)
    error = find_error(answer)
    if error is not None:
        raise GraphErrorResponse(status, error, find_retry_after(headers()))
    if 200 <= status < 300 and answer is not None:
        return answer
    if status >= 500 or 200 <= status < 300:
        raise NoResponse(f"HTTP {status} without a Graph API body", status)
    raise Unreachable(f"HTTP {status}, not from the platform", status, find_retry_after(headers()))
