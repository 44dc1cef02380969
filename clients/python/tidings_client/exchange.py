"""A request, and what its response means. Nothing here waits or touches the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from .failures import ConnectionFailedError, TidingsError, TimedOutError, UnexpectedResponseError
from .generated.codes import CODES
from .values import decode

KNOWN = frozenset({"code", "message", "field", "action", "docUrl", "requestId"})

Outcome = httpx.Response | httpx.RequestError


@dataclass(frozen=True)
class Request:
    """What to send, and what comes back."""

    method: str
    path: str
    result: Any  # the type of `data`; bytes: the response is a file
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = field(default=None, repr=False)  # it may have a passcode
    headers: Mapping[str, str] = field(default_factory=dict)
    has_key: bool = True
    is_repeatable: bool = False  # a second one has no second effect

    @property
    def client_message_id(self) -> str | None:
        return None if self.body is None else self.body.get("clientMessageId")


def read_outcome(request: Request, outcome: Outcome) -> Any:
    """The result of a request, or its error."""
    envelope = read_envelope(request, outcome)
    if isinstance(envelope, bytes):
        return envelope
    return decode(request.result, envelope.get("data", envelope))  # health has no data


def read_envelope(request: Request, outcome: Outcome) -> Any:
    """The envelope of a successful response, or the bytes of a file."""
    if isinstance(outcome, httpx.RequestError):
        raise _unanswered(request, outcome) from outcome
    if not outcome.is_success:
        raise _refused(request, outcome)
    if request.result is bytes:
        return outcome.content
    envelope = _json(outcome)
    if not isinstance(envelope, dict):
        raise _unexpected(request, outcome)
    return envelope


def _unanswered(request: Request, fault: httpx.RequestError) -> TidingsError:
    where = f"{request.method} {request.path}"
    cid = request.client_message_id
    if isinstance(fault, httpx.TimeoutException):
        message = f"{where} was not answered in time"
        return TimedOutError(message, code="TIMEOUT", client_message_id=cid)
    message = f"{where}: {fault or type(fault).__name__}"
    return ConnectionFailedError(message, code="CONNECTION_FAILED", client_message_id=cid)


def _refused(request: Request, response: httpx.Response) -> TidingsError:
    envelope = _json(response)
    error = envelope.get("error") if isinstance(envelope, dict) else None
    if not isinstance(error, dict) or "code" not in error:
        return _unexpected(request, response)
    kind = CODES.get(error["code"], TidingsError)
    return kind(
        error.get("message", ""),
        code=error["code"],
        status=response.status_code,
        field=error.get("field"),
        action=error.get("action"),
        doc_url=error.get("docUrl"),
        request_id=error.get("requestId") or response.headers.get("x-request-id"),
        retry_after=retry_after(response),
        client_message_id=request.client_message_id,
        details={name: value for name, value in error.items() if name not in KNOWN},
    )


def _unexpected(request: Request, response: httpx.Response) -> TidingsError:
    return UnexpectedResponseError(
        f"{request.method} {request.path} was answered with {response.status_code} and no JSON of"
        f" Tidings: {response.text[:200]!r}",
        code="UNEXPECTED_RESPONSE",
        status=response.status_code,
        retry_after=retry_after(response),
        client_message_id=request.client_message_id,
    )


def retry_after(response: httpx.Response) -> float | None:
    """The header Retry-After in seconds; we never send its other form, a date."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isdigit() else None


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None
