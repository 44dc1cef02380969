"""Logs: one event name and fields, as JSON lines on stderr (a terminal gets colours).

Every line has the process and the version, and where it is about a request, that and its account.
docs/operating/logs.md lists all events. The last processor masks sensitive values that a caller
passed by mistake: phone numbers, keys, codes and message texts.
"""

import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TextIO
from uuid import UUID

import msgspec
import structlog
from structlog.typing import EventDict, Processor

from tidings import __version__, ids, phone
from tidings.clock import Clock
from tidings.secrets import Secret
from tidings.times import to_wire

# Of the request that is answered. Not the request itself: connections that are opened meanwhile
# keep the context, and with it whatever it refers to.
REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
ACCOUNT: ContextVar[UUID | None] = ContextVar("account", default=None)

_levels = {"shown": logging.INFO}  # set by `configure`, once
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
_REFERENCES = {"account": ids.account_ref, "batch": ids.batch_ref}  # as in the API
_TOKENS = re.compile(r"\b(td_(?:live|sandbox)_|whsec_)[A-Za-z0-9_\-+/=]+")
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def configure(
    clock: Clock,
    level: str = "info",
    stream: TextIO | None = None,
    *,
    pretty: bool | None = None,
    roles: str = "command",
) -> None:
    """Set up structlog and the standard library's loggers. Call once, at startup. `roles`: what
    the process does."""
    out = sys.stderr if stream is None else stream
    shown = out.isatty() if pretty is None else pretty
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        _stamp(clock),
        _name_process(roles),
        add_request,
        structlog.processors.format_exc_info,
        mask,
    ]
    last: Processor = (
        structlog.dev.ConsoleRenderer() if shown else structlog.processors.JSONRenderer(_encoded)
    )
    threshold = _levels["shown"] = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=lambda *_: Printer(out),
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


class Printer(structlog.PrintLogger):
    """Writes lines. One that cannot be written, because the disk is full or nobody reads the pipe
    any more, is lost: whoever logs goes on with the work."""

    def msg(self, message: str) -> None:
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = msg
    fatal = failure = err = error = critical = exception = msg


def _encoded(event: EventDict, **_: Any) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()


def _stamp(clock: Clock) -> Processor:
    def stamp(_: Any, __: str, event: EventDict) -> EventDict:
        event["at"] = to_wire(clock.now())
        return event

    return stamp


def _name_process(roles: str) -> Processor:
    process = {"pid": os.getpid(), "roles": roles, "version": __version__}

    def name(_: Any, __: str, event: EventDict) -> EventDict:
        event.update(process)
        return event

    return name


def add_request(_: Any, __: str, event: EventDict) -> EventDict:
    request_id, account = REQUEST_ID.get(), ACCOUNT.get()
    if request_id is not None:
        event.setdefault("request_id", request_id)
    if account is not None:
        event.setdefault("account", account)
    return event


def shows_debug() -> bool:
    """Ask before many lines of this level are made: a line costs even if it is not shown."""
    return _levels["shown"] <= logging.DEBUG


def mask(_: Any, __: str, event: EventDict) -> EventDict:
    """The last processor before the line is written."""
    return _mask_fields(event)


def _mask_fields(fields: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: _mask_field(name, value) for name, value in fields.items()}


def _mask_field(name: str, value: Any) -> Any:
    if isinstance(value, UUID) and name in _REFERENCES:
        return _REFERENCES[name](value)
    return _mask_of(name)(value)


@lru_cache(maxsize=1000)
def _mask_of(name: str) -> Callable[[Any], Any]:
    key = _SNAKE.sub("_", str(name)).replace("-", "_").lower()
    if key in _SECRETS:
        return _hide
    return _mask_phones if key in _PHONES or key.endswith(("_phone", "_number")) else _mask_value


def _hide(_: Any) -> str:
    return _HIDDEN


def _mask_phones(value: Any) -> Any:
    if isinstance(value, str):
        return phone.mask(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_phones(item) for item in value]
    return _HIDDEN if isinstance(value, int) and value >= 10**7 else _mask_value(value)


def _mask_value(value: Any) -> Any:
    if isinstance(value, str):
        may_hold = "td_" in value or "whsec_" in value
        return _TOKENS.sub(r"\1" + _HIDDEN, value) if may_hold else value
    if isinstance(value, Secret | bytes):
        return _HIDDEN
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, Mapping):
        return _mask_fields(dict(value))
    if isinstance(value, list | tuple | set | frozenset):
        return [_mask_value(item) for item in value]
    return value
