"""API calls as they are kept for a week. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

PREFIX = "req_"


class Call(NamedTuple):
    """A call that has just been answered, as it waits to be written. Holds the key and the raw body
    for less than a second, and is never shown."""

    account_id: UUID
    request_id: str
    started: float  # monotonic
    seconds: float
    key: bytes
    method: str
    raw_path: bytes
    raw_query: bytes
    status: int
    body_bytes: int
    body: bytes | None  # None: too large, never shown, or one of too many


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A call as the log shows it: without secrets, texts and people's numbers."""

    id: UUID  # of the request: `req_` and its hexadecimal digits
    at: datetime  # real time
    key: str  # how it begins
    method: str
    path: str
    status: int
    ms: int
    body_bytes: int
    body: str | None  # redacted JSON

    @property
    def request_id(self) -> str:
        return f"{PREFIX}{self.id.hex}"
