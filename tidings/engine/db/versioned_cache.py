"""Rows of rarely changed tables, cached in the process by account until the account's version
changes.

A transaction that changes such a row also writes the account's version. A reader first reads the
version in its own transaction, and then only the rows that are not cached for that version. The
version is the id of the writing transaction, so it never repeats, not even after a rollback.

A transaction that changes an account neither uses nor fills the cache for it: its rows are not
committed, and differ before and after its own writes.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Set, Sized
from typing import Any, TypeVar
from uuid import UUID

ROWS_MAX = 100_000
OWNERS_MAX = 100_000

V = TypeVar("V")


class Entries(dict[str, Any]):
    """What is cached of one account at one version, by kind."""

    __slots__ = ("present", "rows", "version")

    def __init__(self, version: int) -> None:
        super().__init__()
        self.version = version
        self.present: Any = None  # the account as a transaction last read it
        self.rows = 1


class VersionedCache:
    """One per process and database. Beyond `rows_max`, the least recently used accounts go."""

    def __init__(self, rows_max: int = ROWS_MAX) -> None:
        self._rows_max = rows_max
        self._rows = 0
        self._accounts: OrderedDict[UUID, Entries] = OrderedDict()
        self.owners: dict[Hashable, UUID] = {}  # see TransactionCache.find_owner

    def at(self, account_id: UUID, version: int) -> Entries:
        """The account's entries of this version; those of any other version are dropped."""
        entries = self._accounts.get(account_id)
        if entries is None or entries.version != version:
            self._rows -= 0 if entries is None else entries.rows
            entries = self._accounts[account_id] = Entries(version)
            self._rows += entries.rows
        self._accounts.move_to_end(account_id)
        return entries

    def clear(self) -> None:
        self._accounts.clear()
        self._rows = 0

    def find(self, account_id: UUID) -> Entries | None:
        """Of the version that was read last."""
        return self._accounts.get(account_id)

    def put(self, account_id: UUID, entries: Entries, kind: str, value: Any) -> None:
        """Entries that were dropped meanwhile are filled too, for the transaction that holds them:
        they no longer count."""
        added = 1 + (len(value) if isinstance(value, Sized) else 0)
        counts = kind not in entries and self._accounts.get(account_id) is entries
        entries[kind] = value
        if counts:
            entries.rows += added
            self._rows += added
            self._shorten()

    def _shorten(self) -> None:
        while self._rows > self._rows_max:
            _, oldest = self._accounts.popitem(last=False)
            self._rows -= oldest.rows


class TransactionCache:
    """What one transaction may use of the cache: accounts whose version it has read."""

    __slots__ = ("_changing", "_entries", "_shared", "announced", "changes_all", "present")

    def __init__(self, shared: VersionedCache) -> None:
        self._shared = shared
        self._entries: dict[UUID, Entries] = {}
        self._changing: set[UUID] = set()
        self.changes_all = False
        self.announced: set[UUID] = set()  # accounts whose change is already notified
        self.present: dict[UUID, Any] = {}  # accounts as this transaction has read them before

    def read_version(self, account_id: UUID, version: int) -> None:
        """This transaction has just read the account's version."""
        if not self.changes(account_id):
            self._entries[account_id] = self._shared.at(account_id, version)

    def put_present(self, account_id: UUID, account: Any, *, recallable: bool) -> None:
        """This transaction has just read the account, after its version."""
        if (entries := self._entries.get(account_id)) is not None:
            self.present[account_id] = account
            entries.present = account if recallable else None

    def recall(self, account_id: UUID) -> Entries | None:
        """What the process last read of the account, for this transaction to use. It has to check
        that the account is still so."""
        entries = None if self.changes(account_id) else self._shared.find(account_id)
        if entries is None or entries.present is None:
            return None
        self._entries[account_id] = entries
        self.present[account_id] = entries.present
        return entries

    def assume(self, account_ids: Iterable[UUID], kinds: Set[str]) -> bool:
        """Use the last versions that this process saw: the transaction reads the versions later,
        and compares (`version_of`). False: not all of these kinds are cached."""
        found: dict[UUID, Entries] = {}
        for account_id in account_ids:
            entries = None if self.changes(account_id) else self._shared.find(account_id)
            if entries is None or not kinds <= entries.keys():
                return False
            found[account_id] = entries
        self._entries |= found
        return True

    def cached(self, kind: str, account_id: UUID) -> Any:
        """The account's value of this kind, which `assume` has found in the cache."""
        return self._entries[account_id][kind]

    def version_of(self, account_id: UUID) -> int | None:
        """The version that is used for this account. None: its rows are not cached."""
        entries = self._entries.get(account_id)
        return None if entries is None else entries.version

    def forget(self, account_ids: Iterable[UUID]) -> None:
        """What was assumed of these accounts is not true: it is read again."""
        for account_id in account_ids:
            self._entries.pop(account_id, None)
            self.present.pop(account_id, None)

    def replace(self, kind: str, account_id: UUID, value: object) -> None:
        """Cache another value of the same version."""
        if (held := self._entries.get(account_id)) is not None:
            self._shared.put(account_id, held, kind, value)

    def begin_changes(self, account_ids: Iterable[UUID] | None) -> None:
        """From here on, what is cached of these accounts is not used; None: of all accounts."""
        if account_ids is None:
            self.changes_all = True
            self._entries.clear()
            self.present.clear()
            return
        for account_id in account_ids:
            self._changing.add(account_id)
            self._entries.pop(account_id, None)
            self.present.pop(account_id, None)

    def changes(self, account_id: UUID) -> bool:
        """Whether this transaction may have changed the account."""
        return self.changes_all or account_id in self._changing

    async def load(
        self,
        kind: str,
        account_ids: Iterable[UUID],
        read: Callable[[list[UUID]], Awaitable[Mapping[UUID, V]]],
    ) -> dict[UUID, V]:
        """The values of these accounts: cached ones, and those that `read` finds for the rest."""
        known: dict[UUID, V] = {}
        missing: list[UUID] = []
        for account_id in account_ids:
            entries = self._entries.get(account_id)
            if entries is None or kind not in entries:
                missing.append(account_id)
            else:
                known[account_id] = entries[kind]
        if missing:
            for account_id, value in (await read(missing)).items():
                known[account_id] = value
                if (held := self._entries.get(account_id)) is not None:
                    self._shared.put(account_id, held, kind, value)
        return known

    def find_owner(self, key: Hashable) -> UUID | None:
        """The account that last owned this key. It may be outdated: check the account's rows."""
        return self._shared.owners.get(key)

    def put_owner(self, key: Hashable, account_id: UUID) -> None:
        if len(self._shared.owners) >= OWNERS_MAX:
            self._shared.owners.clear()
        self._shared.owners[key] = account_id
