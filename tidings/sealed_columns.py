"""Every column that is sealed under the master key: what a rotation seals anew.

A test compares this list with the schema, so that a new column cannot be forgotten.
"""

from dataclasses import dataclass, field
from functools import partial

from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts import credentials, keys, master_key
from tidings.features.accounts.sealed import Key, SealedColumn, count_by_key, reseal_page
from tidings.features.people import second_factor
from tidings.features.privacy import erase
from tidings.features.senders import lookup
from tidings.secrets import Sealer

# The check of the master key comes last: until then a process with the old key alone can start.
COLUMNS: tuple[SealedColumn, ...] = (
    credentials.SEALED,
    keys.SEALED,
    lookup.SEALED,
    *second_factor.SEALED,
    erase.SEALED,
    master_key.SEALED,
)
PAGE = 100


@dataclass(slots=True)
class Counts:
    """How many values are sealed under the present key, and how many under another."""

    current: int = 0
    others: int = 0


@dataclass(slots=True)
class Resealed:
    count: int = 0
    shut: list[str] = field(default_factory=list)  # rows that no key at hand opens


async def count_sealed(tx: Tx, sealer: Sealer) -> Counts:
    counts = Counts()
    for column in COLUMNS:
        for prefix, number in (await count_by_key(tx, column)).items():
            if prefix == sealer.prefix:
                counts.current += number
            else:
                counts.others += number
    return counts


async def reseal_all(db: Database, sealer: Sealer) -> Resealed:
    """In pages of one transaction each. It can be interrupted: what is sealed anew is not looked at
    again."""
    done = Resealed()
    for column in COLUMNS:
        after: Key | None = None
        while True:
            step = partial(reseal_page, sealer=sealer, column=column, after=after, size=PAGE)
            page = await db.transact(step)
            done.count += page.resealed
            done.shut += [f"{column.name} {' '.join(map(str, key))}" for key in page.shut]
            if page.last is None:
                break
            after = page.last
    return done
