"""Every object that the database refers to: what a backup lists, and a restore looks for."""

import hashlib
from collections.abc import AsyncIterator

import msgspec

from tidings.engine.db.tx import Tx

from . import store

PAGE = 1000


class StoredObject(msgspec.Struct, frozen=True):
    key: str  # in the object store
    bytes: int
    sha256: str


def is_content(one: StoredObject, data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == one.sha256


async def read_stored_objects(tx: Tx) -> AsyncIterator[list[StoredObject]]:
    """All of them, in pages."""
    after = None
    while rows := await store.load_objects(tx, after, PAGE):
        yield [
            StoredObject(
                f"{row['account_id'].hex}/{row['object_name'].hex()}",
                row["bytes"],
                row["sha256"].hex(),
            )
            for row in rows
        ]
        after = rows[-1]["account_id"], rows[-1]["id"]
