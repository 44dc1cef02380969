"""Graph API errors, and the wait that the platform asks for. Pure.

`{"error": {"message", "type", "code", "error_subcode", "error_data": {"details"}, "fbtrace_id"}}`;
every field except `code` may be missing, and `error_data` may be a plain string.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

RETRY_AFTER_MAX = timedelta(days=1)  # longer values are ignored
# Names of headers in lower case, as a response's headers are read.
RETRY_AFTER_HEADER = "retry-after"
USAGE_HEADER = "x-business-use-case-usage"


@dataclass(frozen=True, slots=True)
class GraphError:
    """The `error` object of a response."""

    code: int
    subcode: int | None = None
    details: str = ""  # the platform's text; it may quote the request
    trace: str = ""  # fbtrace_id, for the platform's support


def find_error(answer: Mapping[str, Any] | None) -> GraphError | None:
    """The error in a response; None if there is none with a code."""
    error = None if answer is None else answer.get("error")
    if not isinstance(error, dict):
        return None
    code = _integer(error.get("code"))
    if code is None:
        return None
    return GraphError(
        code, _integer(error.get("error_subcode")), _details(error), _text(error.get("fbtrace_id"))
    )


def parse_object(body: bytes) -> dict[str, Any] | None:
    """The JSON object in this body; None for anything else."""
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def find_retry_after(headers: Mapping[str, str]) -> timedelta | None:
    """`Retry-After`, or the longest wait in the usage report on our rate limits."""
    seconds = headers.get(RETRY_AFTER_HEADER, "").strip()
    if seconds.isascii() and seconds.isdigit() and len(seconds) <= 6:
        return _plausible(timedelta(seconds=int(seconds)))
    usage = parse_object(headers.get(USAGE_HEADER, "").encode(errors="replace"))
    minutes = [_minutes(entry) for entries in (usage or {}).values() for entry in _list(entries)]
    return _plausible(timedelta(minutes=max(minutes, default=0)))


def _minutes(entry: object) -> int:
    """Minutes until one rate limit is lifted; 0 if it is not exceeded."""
    estimate = entry.get("estimated_time_to_regain_access") if isinstance(entry, dict) else None
    minutes = _integer(estimate) or 0
    return minutes if 0 < minutes <= RETRY_AFTER_MAX // timedelta(minutes=1) else 0


def _plausible(wait: timedelta) -> timedelta | None:
    return wait if timedelta(0) < wait <= RETRY_AFTER_MAX else None


def _details(error: dict[str, Any]) -> str:
    data = error.get("error_data")
    if isinstance(data, dict):
        data = data.get("details")
    return _text(data) or _text(error.get("message"))


def _integer(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 18:
        return int(value)
    return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
