"""The spans of a message (docs/operating/traces.md). Called only where `ctx.tracer` is not None.

They carry ids, kinds, statuses and error codes; no phone number, no text, no key.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.traces.model import Kind, Value, message_span, request_span
from tidings.engine.traces.tracer import ACCOUNT, MESSAGE, REQUEST, Tracer
from tidings.ids import account_ref, batch_ref
from tidings.platforms.port import DispatchResult, Rejected, StatusUpdate, UnknownOutcome

from .model import Message, MessageRequest

STATUS = "tidings.message.status"


def accepted(
    tracer: Tracer, accepted: Sequence[tuple[MessageRequest, Message]], started_at: datetime
) -> None:
    """After the commit. A single message continues the trace of its request. The messages of a
    batch have traces of their own, which link to it."""
    request = REQUEST.get()
    links = () if request is None else (request.span,)
    size = len(accepted)
    for sent, message in accepted:
        own, parent = message_span(message.id), None
        if not tracer.records(own):
            continue
        if sent.traced_at is not None:
            parent = request_span(message.id)
            span = tracer.new_span(message.id.int)
            tracer.put("accept.wait", sent.traced_at, span, parent=parent, ended_at=started_at)
        tracer.put(
            "message.accept",
            started_at,
            own,
            parent=parent,
            attributes=_attributes(message) | {"tidings.transaction.messages": size},
            error=_error(message),
            links=links,
        )


class Dispatch:
    """The spans of one message while it is dispatched, made at the end of it."""

    def __init__(self, tracer: Tracer, message: Message, due_at: datetime | None) -> None:
        """`due_at`: of the job, if it was claimed from the queue."""
        self._tracer = tracer
        self._message = message
        self._due_at = due_at
        self._started_at = tracer.now()
        self._calls_at = self._started_at
        self._called_at: datetime | None = None
        self._result: DispatchResult | None = None
        self._id = tracer.new_span(message.id.int)

    def calls(self) -> None:
        self._calls_at = self._tracer.now()

    def called(self, result: DispatchResult | None) -> None:
        """`result`: None if it was not sent."""
        self._called_at, self._result = self._tracer.now(), result

    def recorded(self, message: Message) -> None:
        tracer = self._tracer
        if not tracer.records(self._id):
            return
        above, called_at = message_span(message.id), self._called_at or self._started_at
        if self._due_at is not None:
            span = tracer.new_span(message.id.int)
            tracer.put("queue.wait", self._due_at, span, parent=above, ended_at=self._started_at)
        if self._result is not None:
            self._put("platform.call", self._calls_at, called_at, _refusal(self._result))
        attributes = _attributes(message)
        tracer.put(
            "message.outcome",
            called_at,
            tracer.new_span(message.id.int),
            parent=self._id,
            attributes=attributes,
        )
        tracer.put(
            "message.dispatch",
            self._started_at,
            self._id,
            parent=above,
            kind=Kind.PRODUCER,
            attributes=attributes,
            error=_error(message),
        )

    def _put(self, name: str, started_at: datetime, ended_at: datetime, error: str | None) -> None:
        message = self._message
        self._tracer.put(
            name,
            started_at,
            self._tracer.new_span(message.id.int),
            parent=self._id,
            kind=Kind.CLIENT,
            ended_at=ended_at,
            attributes={"tidings.attempt": len(message.attempts) + 1},
            error=error,
        )


def reported(
    tracer: Tracer, found: Sequence[tuple[Message, StatusUpdate]], started_at: datetime
) -> None:
    """Callbacks about these messages, after the commit."""
    for message, update in found:
        span = tracer.new_span(message.id.int)
        if tracer.records(span):
            tracer.put(
                "message.callback",
                started_at,
                span,
                parent=message_span(message.id),
                kind=Kind.CONSUMER,
                attributes=_attributes(message) | {"tidings.callback.status": update.status.value},
                error=None if update.failure is None else update.failure.code,
            )


def link_request(message_ids: Sequence[UUID | None]) -> None:
    """The current request is about these messages."""
    request = REQUEST.get()
    if request is not None:
        for message_id in message_ids:
            if message_id is not None:
                request.add_link(message_id)


def continue_request(message_id: UUID, *, duplicate: bool) -> None:
    """The current request has sent this message; a duplicate only links to the original."""
    request = REQUEST.get()
    if request is None:
        return
    if duplicate:
        request.add_link(message_id)
    else:
        request.message_id = message_id


def _attributes(message: Message) -> dict[str, Value]:
    found: dict[str, Value] = {
        ACCOUNT: account_ref(message.account_id),
        MESSAGE: message.id.hex,
        "tidings.message.kind": str(message.kind),
        STATUS: message.status.value,
    }
    if message.batch_id is not None:
        found["tidings.batch.id"] = batch_ref(message.batch_id)
    if message.reason is not None:
        found["tidings.message.reason"] = message.reason
    return found


def _error(message: Message) -> str | None:
    return None if message.error is None else message.error.code


def _refusal(result: DispatchResult) -> str | None:
    if isinstance(result.outcome, Rejected):
        return result.outcome.failure.code
    return "UNKNOWN_OUTCOME" if isinstance(result.outcome, UnknownOutcome) else None
