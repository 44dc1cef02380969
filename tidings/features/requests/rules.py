"""What of a request may be shown: an allow-list of harmless fields; all else is hidden. Pure.

Texts, variables, people's numbers, passcodes, secrets and files are hidden because they are not in
the list; a new field is hidden until it is added here.
"""

import re
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec

from tidings import limits

HIDDEN = "[hidden]"
HARMLESS = frozenset({
    "advanceSeconds", "after", "amount", "batchName", "clientMessageId", "confirmLockedChange",
    "cursor", "deadline", "eventDate", "eventId", "expiresAt", "formId", "format", "fromPolicy",
    "groupBy", "kind", "limit", "mediaId", "mimetype", "nudgeAfterMinutes", "quality",
    "scheduledFor", "sentFrom", "since", "status", "templateLang", "templateName", "transferDate",
    "ttlSeconds", "type", "undeliveredTimeoutMinutes", "wait",
})  # fmt: skip
ITEMS_MAX = 20  # of a list
DEPTH_MAX = 6
_CUT = "… cut here"

# A part of a path that may be a person's number, whatever it stands for.
_NUMBER = re.compile(r"/(?:\+|%2[bB])?[0-9]{7,17}(?=/|$)")


def redact_body(raw: bytes) -> str:
    """JSON of the same shape with only harmless values in it, of at most 4 KB."""
    try:
        document = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.encode("not JSON").decode()
    text = msgspec.json.format(msgspec.json.encode(_redact(document, shown=False, depth=0)))
    shown = text.decode()
    limit = limits.REQUEST_LOG_BODY_CHARS_MAX
    return shown if len(shown) <= limit else shown[:limit] + _CUT


def redact_path(raw_path: bytes, raw_query: bytes) -> str:
    """The path with people's numbers hidden, and of the query what is harmless."""
    path = _NUMBER.sub(f"/{HIDDEN}", raw_path.decode("latin-1"))
    if raw_query:
        pairs = [
            (_name(name), value if name in HARMLESS else HIDDEN)
            for name, value in parse_qsl(raw_query.decode("latin-1"), keep_blank_values=True)
        ]
        path = f"{path}?{urlencode(pairs, safe='[]:')}"
    return path[: limits.REQUEST_LOG_PATH_CHARS_MAX]


def _redact(value: Any, *, shown: bool, depth: int) -> Any:
    if isinstance(value, dict | list) and depth == DEPTH_MAX:
        return HIDDEN
    if isinstance(value, dict):
        return {
            _name(name): _redact(held, shown=name in HARMLESS, depth=depth + 1)
            for name, held in list(value.items())[:ITEMS_MAX]
        }
    if isinstance(value, list):
        items = [_redact(item, shown=shown, depth=depth + 1) for item in value[:ITEMS_MAX]]
        more = len(value) - ITEMS_MAX
        return [*items, f"… {more} more"] if more > 0 else items
    return value if shown or value is None or isinstance(value, bool) else HIDDEN


def _name(name: str) -> str:
    """A name that cannot be a field's may itself be what is to be hidden."""
    return name if name.isalnum() and not name.isdigit() and len(name) <= 40 else HIDDEN
