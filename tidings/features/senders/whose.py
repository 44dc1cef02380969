"""Which account a callback is for: by the platform's id of a number, or of a business account.

A number at the platform belongs to one account here (`configure` sees to it), so its callbacks do
too. A business account may hold numbers of several accounts; its news are for all of them.
"""

from collections.abc import Iterable
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx
from tidings.engine.db.versioned_cache import split

from . import platform_store as store

KIND = "number at the platform"


class Line(msgspec.Struct, frozen=True):
    """A number of ours, and the account it is of."""

    account_id: UUID
    number: str


async def find_lines(tx: Tx, phone_number_ids: Iterable[str]) -> dict[str, Line]:
    """Remembered while nothing changes. An id that is none of ours is absent."""
    asked = sorted(set(phone_number_ids))
    facts = tx.cache if tx.cache is not None else {}
    known, missing = split(facts, KIND, asked)
    if missing:
        found = await store.find_by_platform_id(tx, missing)
        for phone_number_id, (account_id, number) in found.items():
            line = Line(account_id, number)
            known[phone_number_id] = facts[KIND, phone_number_id] = line
    return known


async def find_owned(tx: Tx, owners: Iterable[str]) -> dict[UUID, set[str]]:
    """Accounts with numbers of these business accounts or portfolios: which of them."""
    asked = sorted(set(owners))
    return await store.find_owned(tx, asked) if asked else {}
