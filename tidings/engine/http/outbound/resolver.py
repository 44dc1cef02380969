"""DNS lookups with the system's resolver, shared fairly by tenants (reliability 2.10).

The resolver blocks its thread, for half a minute if a name server does not answer, and cannot be
interrupted. So every lookup has its own thread, the number of threads is limited, and a tenant may
hold at most a quarter of the free ones: names that never resolve use up only their own tenant's
share. docs/decisions/0006-egress-guard.md
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread

from tidings import limits

Resolve = Callable[[str], Sequence[str]]  # blocks; raises OSError if there is no answer

FAILURES_MAX = 4096
SHARE = 4  # a tenant may hold a quarter of the free threads


def resolve_by_system(host: str) -> Sequence[str]:
    """Uses the machine's configuration: /etc/hosts, DNS, search domains."""
    kind, flags = socket.SOCK_STREAM, socket.AI_ADDRCONFIG
    found = socket.getaddrinfo(host.encode("ascii"), None, type=kind, flags=flags)
    return [str(address[0]) for *_, address in found]


def may_begin(held: int, free: int) -> bool:
    """Whether a tenant that holds `held` threads may take another of the `free` ones."""
    return free > 0 and held < max(1, free // SHARE)


@dataclass(frozen=True, slots=True)
class _LookUp:
    """A running lookup, shared by all callers that need the same name."""

    tenant: Hashable
    began: float
    outcome: asyncio.Future[Sequence[str] | Exception]


class Resolver:
    """The lookups of one process. Used in one event loop."""

    def __init__(
        self,
        resolve: Resolve = resolve_by_system,
        *,
        concurrency: int = limits.LOOK_UPS_MAX,
        timeout: timedelta = limits.DNS_TIMEOUT,
        failure_kept: timedelta = limits.LOOK_UP_FAILURE_KEPT,
    ) -> None:
        self._resolve = resolve
        self._concurrency = concurrency
        self._timeout = timeout.total_seconds()
        self._failure_kept = failure_kept.total_seconds()
        self._under_way: dict[str, _LookUp] = {}
        self._held: Counter[Hashable] = Counter()  # threads, by tenant
        self._failed: dict[str, float] = {}  # expiry of cached failures, oldest first
        self._ended = asyncio.Event()  # replaced whenever a lookup ends
        self._loop = asyncio.get_running_loop()

    async def find(self, host: str, tenant: Hashable) -> Sequence[str]:
        """The addresses of a name. Raises TimeoutError or another OSError."""
        async with asyncio.timeout(self._timeout):
            look_up = await self._join(host, tenant)
            outcome = await asyncio.shield(look_up.outcome)
        if isinstance(outcome, Exception):
            raise OSError("the name has no address") from outcome
        return outcome

    async def _join(self, host: str, tenant: Hashable) -> _LookUp:
        """The running lookup of this name, or a new one once the tenant's share allows it."""
        while True:
            now = self._loop.time()
            if self._failed.get(host, now) > now:
                raise OSError("the name had no address a moment ago")
            known = self._under_way.get(host)
            if known is not None:
                if known.began + self._timeout < now:
                    raise TimeoutError("the name has not been answered in time")
                return known
            if may_begin(self._held[tenant], self._concurrency - len(self._under_way)):
                return self._begin(host, tenant)
            await self._ended.wait()

    def _begin(self, host: str, tenant: Hashable) -> _LookUp:
        # Daemon threads, so that a hanging resolver does not delay the exit of the process.
        thread = Thread(target=self._run, args=(host,), name="look-up", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            raise OSError("the system has no thread left") from None
        look_up = _LookUp(tenant, self._loop.time(), self._loop.create_future())
        self._under_way[host] = look_up
        self._held[tenant] += 1
        return look_up

    def _run(self, host: str) -> None:
        """Runs in its own thread."""
        outcome: Sequence[str] | Exception
        try:
            outcome = self._resolve(host)
        except (OSError, ValueError) as error:
            outcome = error
        with suppress(RuntimeError):  # the loop is closed, so no caller is waiting
            self._loop.call_soon_threadsafe(self._end, host, outcome)

    def _end(self, host: str, outcome: Sequence[str] | Exception) -> None:
        look_up = self._under_way.pop(host)
        self._held[look_up.tenant] -= 1
        if not self._held[look_up.tenant]:
            del self._held[look_up.tenant]
        if not outcome or isinstance(outcome, Exception):
            self._remember(host)
        look_up.outcome.set_result(outcome)
        self._ended.set()
        self._ended = asyncio.Event()

    def _remember(self, host: str) -> None:
        self._failed.pop(host, None)
        self._failed[host] = self._loop.time() + self._failure_kept
        if len(self._failed) > FAILURES_MAX:
            del self._failed[next(iter(self._failed))]
