"""The span of a post to a customer's server. Made only where `ctx.tracer` is not None."""

from urllib.parse import urlsplit

from tidings.engine.http.outbound.client import Posted
from tidings.engine.traces.model import Kind, Value, message_span
from tidings.engine.traces.tracer import ACCOUNT, MESSAGE, Tracer
from tidings.ids import account_ref

from . import rules
from .store import Webhook


class PostSpan:
    """In the trace of its message; a webhook about something else has a trace of its own."""

    def __init__(self, tracer: Tracer, webhook: Webhook, url: str, attempt: int) -> None:
        self._tracer = tracer
        self._webhook = webhook
        self._url = url
        self._attempt = attempt
        self._started_at = tracer.now()
        message_id = webhook.message_id
        self._parent = None if message_id is None else message_span(message_id)
        self._id = tracer.new_span(None if message_id is None else message_id.int)
        self._is_recorded = tracer.records(self._id)

    @property
    def headers(self) -> dict[str, str]:
        """So that the receiver's own spans can continue the trace."""
        return {"traceparent": self._id.traceparent} if self._is_recorded else {}

    def ended(self, posted: Posted) -> None:
        if not self._is_recorded:
            return
        webhook = self._webhook
        attributes: dict[str, Value] = {
            ACCOUNT: account_ref(webhook.account_id),
            "tidings.webhook.id": webhook.id,
            "tidings.attempt": self._attempt,
            "http.request.method": "POST",
            "server.address": urlsplit(self._url).hostname or "",
        }
        if webhook.message_id is not None:
            attributes[MESSAGE] = webhook.message_id.hex
        if posted.status is not None:
            attributes["http.response.status_code"] = posted.status
        self._tracer.put(
            "webhook.post",
            self._started_at,
            self._id,
            parent=self._parent,
            kind=Kind.CLIENT,
            attributes=attributes,
            error=_error(posted),
        )


def _error(posted: Posted) -> str | None:
    if posted.error is not None:
        return posted.error.value
    return None if rules.is_success(posted.status) else str(posted.status)
