"""The cache by account: what is dropped, and when."""

from collections.abc import Mapping
from uuid import UUID

import pytest

from tidings.engine.db.versioned_cache import TransactionCache, VersionedCache

A, B, C = (UUID(int=number) for number in range(3))


class Reader:
    """Transactions on one cache, and what they had to read."""

    def __init__(self, rows_max: int = 100) -> None:
        self.cache = VersionedCache(rows_max)
        self.read: list[UUID] = []

    def begin(self, versions: Mapping[UUID, int]) -> TransactionCache:
        transaction = TransactionCache(self.cache)
        for account_id, version in versions.items():
            transaction.read_version(account_id, version)
        return transaction

    async def load(self, transaction: TransactionCache, *account_ids: UUID) -> list[UUID]:
        """Which of them were read."""
        self.read.clear()
        await transaction.load("rows", account_ids, self._find)
        return list(self.read)

    async def _find(self, account_ids: list[UUID]) -> dict[UUID, list[int]]:
        self.read += account_ids
        return {account_id: [1, 2, 3] for account_id in account_ids}


async def test_a_change_of_one_account_keeps_the_entries_of_another() -> None:
    reader = Reader()
    assert await reader.load(reader.begin({A: 1, B: 1}), A, B) == [A, B]
    assert await reader.load(reader.begin({A: 2, B: 1}), A, B) == [A]


async def test_a_transaction_uses_nothing_of_an_account_whose_version_it_has_not_read() -> None:
    reader = Reader()
    await reader.load(reader.begin({A: 1, B: 1}), A, B)
    assert await reader.load(reader.begin({A: 1}), A, B) == [B]


@pytest.mark.parametrize("changed", [[A], None])
async def test_what_a_transaction_changes_is_neither_used_nor_kept(changed: list[UUID]) -> None:
    reader = Reader()
    await reader.load(reader.begin({B: 1}), B)
    changer = reader.begin({A: 1, B: 1})
    changer.begin_changes(changed)
    changer.read_version(A, 2)
    assert await reader.load(changer, A, B) == ([A] if changed else [A, B])
    assert await reader.load(changer, A) == [A]
    assert await reader.load(reader.begin({A: 1, B: 1}), A, B) == [A]


async def test_the_least_recently_used_accounts_are_dropped_beyond_the_limit() -> None:
    reader = Reader(rows_max=11)  # an account takes 5: itself, the list and three rows
    for account_id in (A, B, A, C):
        await reader.load(reader.begin({account_id: 1}), account_id)
    assert await reader.load(reader.begin({A: 1, B: 1, C: 1}), A, C, B) == [B]


async def test_rows_filled_in_after_they_were_dropped_do_not_count() -> None:
    reader = Reader(rows_max=11)
    late = reader.begin({A: 1})
    for version in range(2, 10):
        reader.begin({A: version})
        await reader.load(late, A)
        late = reader.begin({A: version})
    await reader.load(reader.begin({B: 1}), B)
    await reader.load(reader.begin({C: 1}), C)
    assert await reader.load(reader.begin({B: 1, C: 1}), B, C) == []


async def test_the_last_version_is_assumed_where_every_kind_is_cached() -> None:
    reader = Reader()
    await reader.load(reader.begin({A: 1, B: 1}), A)
    assuming = reader.begin({})
    assert not assuming.assume([A, B], {"rows"})
    assert not assuming.assume([A], {"rows", "others"})
    assert assuming.assume([A], {"rows"})
    assert (assuming.version_of(A), assuming.version_of(B)) == (1, None)
    assert await reader.load(assuming, A) == []


async def test_what_was_assumed_wrongly_is_read_again() -> None:
    reader = Reader()
    await reader.load(reader.begin({A: 1}), A)
    assuming = reader.begin({})
    assert assuming.assume([A], {"rows"})
    assuming.forget([A])
    assuming.read_version(A, 2)
    assert await reader.load(assuming, A) == [A]


async def test_nothing_is_assumed_of_what_the_transaction_changes() -> None:
    reader = Reader()
    await reader.load(reader.begin({A: 1}), A)
    changer = reader.begin({})
    changer.begin_changes([A])
    assert not changer.assume([A], {"rows"})
