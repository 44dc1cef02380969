"""The platform's own word for no: reading a Graph error and how long it asks us to wait. Pure.

`{"error": {"message", "type", "code", "error_subcode", "error_data": {"details"}, "fbtrace_id"}}`;
every part of it but `code` may be missing, and `error_data` may be a plain string.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

WAIT_MAX = timedelta(days=1)  # longer is no wait but a mistake
USAGE_HEADER = "X-Business-Use-Case-Usage"


@dataclass(frozen=True, slots=True)
class GraphError:
    """What the platform said no with."""

    code: int
    subcode: int | None = None
    details: str = ""  # its own words; they may quote what we sent
    trace: str = ""  # fbtrace_id: what its support asks for


def find_error(answer: Mapping[str, Any] | None) -> GraphError | None:
    """The error in a JSON answer. None: there is none, or none that has a code."""
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
    """A JSON object, or None for anything else."""
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return answer if isinstance(answer, dict) else None


def find_wait(headers: Mapping[str, str]) -> timedelta | None:
    """How long the platform asks us to wait: `Retry-After`, or its report on our call budget."""
    seconds = headers.get("Retry-After", "").strip()
    if seconds.isascii() and seconds.isdigit() and len(seconds) <= 6:
        return _sane(timedelta(seconds=int(seconds)))
    usage = parse_object(headers.get(USAGE_HEADER, "").encode(errors="replace"))
    minutes = [_minutes(entry) for entries in (usage or {}).values() for entry in _list(entries)]
    return _sane(timedelta(minutes=max(minutes, default=0)))


def _minutes(entry: object) -> int:
    """Until one budget is open again; 0 while it is."""
    asked = entry.get("estimated_time_to_regain_access") if isinstance(entry, dict) else None
    minutes = _integer(asked) or 0
    return minutes if 0 < minutes <= WAIT_MAX // timedelta(minutes=1) else 0


def _sane(wait: timedelta) -> timedelta | None:
    return wait if timedelta(0) < wait <= WAIT_MAX else None


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
