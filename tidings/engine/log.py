"""Logs: one event name and fields, as JSON lines on stderr (a terminal gets colours).

The last processor masks sensitive values that a caller passed by mistake: phone numbers, keys,
codes and message texts.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextvars import ContextVar
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from tidings import phone
from tidings.clock import Clock
from tidings.secrets import Secret
from tidings.times import to_wire

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)

_HIDDEN = "***"
_PHONES = frozenset({"to", "phone", "from", "from_", "number", "recipient", "sender", "sent_from"})
_SECRETS = frozenset(
    {
        "api_key",
        "apikey",
        "access_token",
        "authorization",
        "body",
        "code",
        "cookie",
        "message",
        "otp",
        "password",
        "secret",
        "signing_secret",
        "text",
        "token",
        "x_api_key",
    }
)
_TOKENS = re.compile(r"\b(td_(?:live|sandbox)_|whsec_)[A-Za-z0-9_\-+/=]+")
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def configure(
    clock: Clock, level: str = "info", stream: TextIO | None = None, *, pretty: bool | None = None
) -> None:
    """Set up structlog and the standard library's loggers. Call once, at startup."""
    out = sys.stderr if stream is None else stream
    shown = out.isatty() if pretty is None else pretty
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        _stamp(clock),
        add_request_id,
        structlog.processors.format_exc_info,
        mask,
    ]
    last: Processor = (
        structlog.dev.ConsoleRenderer() if shown else structlog.processors.JSONRenderer()
    )
    threshold = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(threshold, logging.WARNING), force=True)


def _stamp(clock: Clock) -> Processor:
    def stamp(_: Any, __: str, event: EventDict) -> EventDict:
        event["at"] = to_wire(clock.now())
        return event

    return stamp


def add_request_id(_: Any, __: str, event: EventDict) -> EventDict:
    request_id = REQUEST_ID.get()
    if request_id is not None:
        event.setdefault("request_id", request_id)
    return event


def mask(_: Any, __: str, event: EventDict) -> EventDict:
    """The last processor before the line is written."""
    return _mask_fields(event)


def _mask_fields(fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: _mask_field(name, value) for name, value in fields.items()}


def _mask_field(name: str, value: Any) -> Any:
    key = _SNAKE.sub("_", str(name)).replace("-", "_").lower()
    if key in _SECRETS:
        return _HIDDEN
    if key in _PHONES or key.endswith(("_phone", "_number")):
        return _mask_phones(value)
    return _mask_value(value)


def _mask_phones(value: Any) -> Any:
    if isinstance(value, str):
        return phone.mask(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_phones(item) for item in value]
    return _HIDDEN if isinstance(value, int) and value >= 10**7 else _mask_value(value)


def _mask_value(value: Any) -> Any:
    if isinstance(value, str):
        return _TOKENS.sub(r"\1" + _HIDDEN, value)
    if isinstance(value, Secret | bytes):
        return _HIDDEN
    if isinstance(value, Mapping):
        return _mask_fields(dict(value))
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_value(item) for item in value]
    return value
