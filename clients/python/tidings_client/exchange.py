"""A request, and what its response means. Nothing here waits or touches the network."""

from __future__ import annotations

import json
import re
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
    has_bare_result: bool = False  # the fields of the result are those of the envelope
    is_repeatable: bool = False  # a second one has no second effect
    least_seconds: float = 0.0  # of the time-out, for what takes long by design

    @property
    def client_message_id(self) -> str | None:
        return None if self.body is None else self.body.get("clientMessageId")

    @property
    def client_message_ids(self) -> list[str]:
        """Of all its messages: a batch has many."""
        if self.client_message_id is not None:
            return [self.client_message_id]
        messages = None if self.body is None else self.body.get("messages")
        several = messages if isinstance(messages, list) else []  # a top-up has a number of them
        return [message["clientMessageId"] for message in several]


def read_outcome(request: Request, outcome: Outcome) -> Any:
    """The result of a request, or its error."""
    response, envelope = read_envelope(request, outcome)
    if request.result is bytes:
        return response.content
    data = envelope if request.has_bare_result else envelope.get("data")
    if data is None:
        raise _unexpected(request, response)
    return _decoded(request, response, data)


def read_items(request: Request, outcome: Outcome) -> tuple[list[Any], str | None]:
    """A page of a list, and the cursor of the next."""
    response, envelope = read_envelope(request, outcome)
    data, cursor = envelope.get("data"), envelope.get("nextCursor")
    is_cursor = cursor is None or (isinstance(cursor, str) and cursor not in request.query.values())
    if not isinstance(data, list) or not is_cursor:  # one that leads to itself would never end
        raise _unexpected(request, response)
    return [_decoded(request, response, item) for item in data], cursor


def read_envelope(request: Request, outcome: Outcome) -> tuple[httpx.Response, dict[str, Any]]:
    """A successful response and its envelope; a file has none."""
    if isinstance(outcome, httpx.RequestError):
        raise _unanswered(request, outcome) from outcome
    if not outcome.is_success:
        raise _refused(request, outcome)
    if request.result is bytes:
        return outcome, {}
    envelope = _json(outcome)
    if not isinstance(envelope, dict) or envelope.get("success") is not True:
        raise _unexpected(request, outcome)
    return outcome, envelope


def _decoded(request: Request, response: httpx.Response, data: Any) -> Any:
    try:
        return decode(request.result, data)
    except ValueError as fault:
        raise _unexpected(request, response) from fault


def _unanswered(request: Request, fault: httpx.RequestError) -> TidingsError:
    where = f"{request.method} {request.path}"
    ids = request.client_message_ids
    if isinstance(fault, httpx.TimeoutException):
        message = f"{where} was not answered in time"
        return TimedOutError(message, code="TIMEOUT", client_message_ids=ids)
    message = f"{where}: {str(fault) or type(fault).__name__}"
    return ConnectionFailedError(message, code="CONNECTION_FAILED", client_message_ids=ids)


def _refused(request: Request, response: httpx.Response) -> TidingsError:
    envelope = _json(response)
    error = envelope.get("error") if isinstance(envelope, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        return _unexpected(request, response)
    said = {name: text for name, text in error.items() if isinstance(text, str)}
    kind = CODES.get(said["code"], TidingsError)
    return kind(
        said.get("message", said["code"]),
        code=said["code"],
        status=response.status_code,
        field=said.get("field"),
        action=said.get("action"),
        doc_url=said.get("docUrl"),
        request_id=said.get("requestId") or response.headers.get("x-request-id"),
        retry_after=retry_after(response),
        client_message_ids=request.client_message_ids,
        details={name: value for name, value in error.items() if name not in KNOWN},
    )


def _unexpected(request: Request, response: httpx.Response) -> TidingsError:
    location = response.headers.get("location")
    begins = response.content[:200].decode(errors="replace").strip() or "(empty)"
    what = f"a redirect to {location}" if location else f"no JSON of Tidings: {begins}"
    return UnexpectedResponseError(
        f"{request.method} {request.path} was answered with {response.status_code} and {what}",
        code="UNEXPECTED_RESPONSE",
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        retry_after=retry_after(response),
        client_message_ids=request.client_message_ids,
    )


def retry_after(response: httpx.Response) -> float | None:
    """The header Retry-After in seconds; we never send its other form, a date."""
    text = response.headers.get("retry-after", "")
    return float(text) if re.fullmatch("[0-9]+", text) else None


def _json(response: httpx.Response) -> Any:
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return None
