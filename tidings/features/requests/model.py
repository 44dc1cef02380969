"""API calls as they are kept for a week. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.ids import time_of

PREFIX = "req_"
_HEX = re.compile(r"[0-9a-f]{32}")


# A call that has just been answered, as it waits to be written: account, request id, seconds, key,
# method, raw path, raw query, status, the body's size, and the body (None: too large, never shown,
# or one of too many). It holds key and body for less than a second, and is never shown. A plain
# tuple, since one is made for every request.
Call = tuple[UUID, str, float, bytes, str, bytes, bytes, int, int, bytes | None]


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call as the log shows it: without secrets, texts and people's numbers."""

    id: UUID  # of the request: `req_` and its hexadecimal digits
    key: str  # how it begins
    method: str
    path: str
    status: int
    ms: int
    body_bytes: int
    body: str | None  # redacted JSON

    @property
    def at(self) -> datetime:
        """When it began, real time: part of its id."""
        return time_of(self.id)

    @property
    def request_id(self) -> str:
        return f"{PREFIX}{self.id.hex}"


def parse_request_id(text: str) -> UUID | None:
    """The id in `req_...`, or in its digits alone; None if it can be none."""
    digits = text.removeprefix(PREFIX)
    return UUID(hex=digits) if _HEX.fullmatch(digits) else None
