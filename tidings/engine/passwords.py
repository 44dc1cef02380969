"""Hashes of passwords: argon2id, in threads, a few at a time.

A hash takes tens of milliseconds and 32 MiB by design, so it runs beside the event loop, and a
flood of sign-ins waits in line instead of taking the machine.
"""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from tidings import limits
from tidings.errors import ApiError, Code

T = TypeVar("T")

MEMORY_KIB = 32 * 1024  # above what OWASP asks for: 19 MiB and two passes
PASSES = 2


class Passwords:
    """One per process."""

    def __init__(
        self,
        at_once: int = limits.PASSWORDS_AT_ONCE,
        waiting_max: int = limits.PASSWORDS_WAITING_MAX,
        *,
        passes: int = PASSES,
        memory_kib: int = MEMORY_KIB,
    ) -> None:
        self._hasher = PasswordHasher(passes, memory_kib, parallelism=1, type=Type.ID)
        # Of their own: those of the loop are few on a small machine, and uploads need them too.
        self._threads = ThreadPoolExecutor(at_once, "password")
        self._waiting_max = at_once + waiting_max
        self._admitted = 0
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        return await self.run(lambda: self._hasher.hash(_normal(password)))

    async def is_right(self, hashed: str | None, password: str) -> bool:
        """Takes the same time without a hash: who asks does not learn whether somebody exists."""
        return await self.run(lambda: self._is_right(hashed, password))

    def is_outdated(self, hashed: str) -> bool:
        """Made with other parameters than today's."""
        return self._hasher.check_needs_rehash(hashed)

    async def run(self, work: Callable[[], T]) -> T:
        """Work on a password in a thread, when there is room."""
        if self._admitted >= self._waiting_max:
            raise ApiError(Code.SERVICE_UNAVAILABLE, retry_after=5)
        self._admitted += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._admitted -= 1

    def _is_right(self, hashed: str | None, password: str) -> bool:
        if hashed is None:
            self._nobodys = self._nobodys or self._hasher.hash("nobody has this password")
        try:
            self._hasher.verify(hashed or self._nobodys or "", _normal(password))
        except (VerificationError, InvalidHashError):
            return False
        return hashed is not None


def _normal(password: str) -> str:
    """The same password from every keyboard."""
    return unicodedata.normalize("NFKC", password)
