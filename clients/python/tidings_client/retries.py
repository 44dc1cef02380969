"""When a request is tried again, and how long to wait before.

Only where a second request cannot have a second effect: it changes nothing, or has a
clientMessageId, by which the service knows it. Others only where the first was not taken: no
connection came about, or it was refused with 429.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from .exchange import Outcome, Request, retry_after

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
PASSING = frozenset({429, 502, 503, 504})


@dataclass(frozen=True)
class Retries:
    """Exponential backoff with full jitter. Retry-After of the service goes first."""

    most: int = 3
    first_seconds: float = 0.5
    longest_seconds: float = 8.0
    longest_retry_after: float = 60.0  # beyond that the error is raised instead
    chance: Callable[[], float] = random.random

    def pause_after(self, request: Request, outcome: Outcome, tried: int) -> float | None:
        """Seconds to wait before the next try; None: this outcome stands."""
        if tried > self.most or not _is_safe(request, outcome):
            return None
        backoff = min(self.first_seconds * 2.0 ** (tried - 1), self.longest_seconds)
        asked = retry_after(outcome) if isinstance(outcome, httpx.Response) else None
        if asked is None:
            return backoff * self.chance()
        return asked if asked <= self.longest_retry_after else None


def _is_safe(request: Request, outcome: Outcome) -> bool:
    if isinstance(outcome, httpx.RequestError):
        return request.is_repeatable or isinstance(outcome, NOT_SENT)
    if outcome.status_code not in PASSING:
        return False
    return request.is_repeatable or outcome.status_code == 429
