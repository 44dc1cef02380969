"""Authentication: the account of an API key (section 5).

A known key costs no query. Unknown keys are looked up in batches, on one connection, so that a
flood of guesses cannot exhaust the pool.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.lane import Lane
from tidings.errors import ApiError, Code
from tidings.secrets import key_hash

from . import changes, key_store, store
from .model import Account
from .store import Keyed

KNOWN_MAX = 100_000
UNKNOWN_MAX = 10_000
UNKNOWN_KEPT = timedelta(seconds=1)  # a key issued just now must be found soon
LOOKUP_BATCH_MAX = 1000


class Authenticator:
    """One per process. `forget` on a notification of changes.CHANNEL, `refresh` periodically."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._known: dict[bytes, Keyed] = {}
        self._unknown: dict[bytes, float] = {}  # until when, by the monotonic clock
        self._lookups: Lane[bytes, Keyed | None] = Lane(self._look_up, batch_max=LOOKUP_BATCH_MAX)
        self._used: set[bytes] = set()  # since they were last noted
        self._noted: dict[bytes, datetime] = {}
        self._epoch = 0  # rises with every `forget`
        self._watch = changes.Watch()

    async def authenticate(self, key: str | None) -> Account:
        """The account of the key. The caller checks whether it is active."""
        if not key:
            raise ApiError(Code.UNAUTHORIZED, "send the account's API key in the x-api-key header")
        if len(key) > limits.API_KEY_BYTES_MAX or not key.isascii():
            raise _refusal()
        hashed = key_hash(key)
        found = self._known.get(hashed)
        if found is None:
            found = await self._find(hashed)
        if found is None or self._is_over(found):
            raise _refusal()
        self._used.add(hashed)
        return found.account

    def forget(self, account_ids: Collection[UUID] | None = None) -> None:
        """Invalidate the cached keys of accounts, or all; the next request reads them again."""
        self._epoch += 1
        self._unknown.clear()
        if account_ids is None:
            self._known.clear()
            return
        for hashed in [h for h, keyed in self._known.items() if keyed.account.id in account_ids]:
            del self._known[hashed]

    async def note_use(self) -> int:
        """Write when keys were last used: each at most once a minute, by all processes together;
        how many. Called every second, off the path of requests."""
        now = self._clock.now()
        before = now - limits.KEY_USE_NOTED_EVERY
        due = [key for key in self._used if self._noted.get(key, before) <= before]
        if not due:
            return 0
        noted = await self._db.transact(lambda tx: key_store.save_used(tx, due, before))
        self._used.difference_update(due)
        self._noted = {key: at for key, at in self._noted.items() if at > before}
        self._noted |= dict.fromkeys(due, now)
        return noted

    async def refresh(self) -> changes.Changed:
        """Invalidate the accounts that changed since the last call: notifications may be lost."""
        changed = self._watch.compare(await self._db.transact(self._watch.read))
        if changed:
            self.forget(changed.account_ids)
        return changed

    async def _find(self, hashed: bytes) -> Keyed | None:
        until = self._unknown.get(hashed)
        if until is not None and self._clock.monotonic() < until:
            return None
        return await self._lookups.put(hashed)

    async def _look_up(self, hashes: list[bytes]) -> list[Keyed | Exception | None]:
        epoch = self._epoch

        async def read(tx: Tx) -> dict[bytes, Keyed]:
            return await store.find_by_key_hashes(tx, hashes)

        found = await self._db.transact(read)
        # What was read before a `forget` answers the pending requests, but is not cached.
        if epoch == self._epoch:
            self._remember(hashes, found)
        return [found.get(hashed) for hashed in hashes]

    def _remember(self, hashes: list[bytes], found: dict[bytes, Keyed]) -> None:
        until = self._clock.monotonic() + UNKNOWN_KEPT.total_seconds()
        self._known.update(found)
        self._unknown.update((hashed, until) for hashed in hashes if hashed not in found)
        _shorten(self._known, KNOWN_MAX)
        _shorten(self._unknown, UNKNOWN_MAX)

    def _is_over(self, keyed: Keyed) -> bool:
        return keyed.expires_at is not None and self._clock.now() >= keyed.expires_at


def _shorten(entries: dict[bytes, Keyed] | dict[bytes, float], size_max: int) -> None:
    """Beyond `size_max`, evict the older half: cheaper than one entry at a time."""
    if len(entries) > size_max:
        for old in list(entries)[: size_max // 2]:
            del entries[old]


def _refusal() -> ApiError:
    return ApiError(
        Code.INVALID_API_KEY,
        "the API key is unknown or was rotated out; check it, or have the operator issue another "
        "(`tidings keys rotate NAME`)",
    )
