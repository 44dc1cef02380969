"""The base of all exceptions, and those that no response of the service brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class TidingsError(Exception):
    """A request that failed. Each error code has a class of its own below this one."""

    usual_action: ClassVar[str] = ""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        field: str | None = None,
        action: str | None = None,
        doc_url: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        client_message_ids: Sequence[str] = (),
        details: Mapping[str, Any] | None = None,
    ) -> None:
        self.message = message
        """The cause: the field, the rule and the value received."""
        self.code = code
        """The error code, such as `INVALID_PHONE`."""
        self.status = status
        """The HTTP status; None where no response came."""
        self.field = field
        """The field at fault, by its JSON name, such as `messages[3].to`."""
        self.action = action or self.usual_action
        """What to do about it."""
        self.doc_url = doc_url
        """The page that explains the code."""
        self.request_id = request_id
        """Names this response to support."""
        self.retry_after = retry_after
        """Seconds to wait before the next try, where the service said so."""
        self.client_message_ids = list(client_message_ids)
        """The ids of the request's messages in its order, also those that the client made: repeat
        it with these, and nothing is sent twice."""
        self.client_message_id = (
            self.client_message_ids[0] if len(client_message_ids) == 1 else None
        )
        """The one of a request with one message."""
        self.details = dict(details or {})
        """Further fields of the error, by their JSON names, such as `invoiceNumber`."""
        super().__init__(message)

    def __str__(self) -> str:
        request = f" (request {self.request_id})" if self.request_id else ""
        action = f" {self.action}" if self.action else ""
        return f"{self.code}: {self.message.rstrip('.')}.{action}{request}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions travel between processes, with all that they say."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[TidingsError], args: tuple[str, ...], fields: dict[str, Any]
) -> TidingsError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class ConfigurationError(TidingsError):
    """The client lacks something, such as its key. Nothing was sent."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="CONFIGURATION")


class ConnectionFailedError(TidingsError):
    """The service could not be reached, or the connection broke."""

    usual_action = "Check base_url (or TIDINGS_URL) and that the service runs."


class TimedOutError(TidingsError):
    """The service did not answer in time."""

    usual_action = "Repeat the request with the same client_message_id, or raise timeout."


class UnexpectedResponseError(TidingsError):
    """A response that is not the service's: often that of a proxy in front of it."""

    usual_action = "Check that base_url leads to the service itself."


class WebhookVerificationError(TidingsError):
    """A post that must not be trusted. `reason` says why, in one word; `message` in a sentence."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message, code="WEBHOOK_NOT_VERIFIED")
