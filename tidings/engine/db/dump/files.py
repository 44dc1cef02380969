"""One table as one compressed file, in COPY's text format, which every PostgreSQL reads.

A file is named with its number of rows and its SHA-256: a damaged one is recognised before a
single row of it is loaded.
"""

import gzip
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tidings.engine.db.connections import Connection
from tidings.engine.db.tx import Tx

from .catalogue import Table, quoted

LEVEL = 3  # of compression: half the time of the default for a few percent of size
PIECE_BYTES = 1 << 18

# What COPY writes and reads depends on these, which a server, a database or a role may have set
# otherwise: with another order of day and month, a date would be read as another date.
# `row_security`: an error in place of rows that are not shown.
SETTINGS = {
    "datestyle": "ISO, MDY",
    "intervalstyle": "postgres",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "row_security": "off",
    "synchronize_seqscans": "off",
}

Moved = Callable[[int], None]  # told how many bytes of COPY data were written or read


class TableFile(msgspec.Struct, frozen=True):
    """A table's file, as the manifest lists it."""

    table: str
    columns: list[str]
    file: str
    rows: int
    bytes: int
    unpacked: int  # bytes of COPY data
    sha256: str


class Damaged(Exception):
    """A file is missing or is not the one that was written. The text names it."""


class HashedFile:
    """A file that is hashed while it is written; `close` makes it durable."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("xb")
        self._hash = hashlib.sha256()
        self.bytes = 0

    def write(self, data: Any) -> int:
        self._hash.update(data)
        self.bytes += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


async def set_format(tx: Tx) -> None:
    """Before `write_table` or `load_table`."""
    for name, value in SETTINGS.items():
        await tx.run(f"SET LOCAL {name} = '{value}'")


async def write_table(
    connection: Connection, table: Table, folder: Path, moved: Moved
) -> TableFile:
    """Copy a table, with its partitions, in the connection's snapshot."""
    name = f"{table.name}.copy.gz"
    hashed = HashedFile(folder / name)
    # Without a time and a name in its header, the same rows make the same file.
    packed = gzip.GzipFile("", "wb", LEVEL, hashed, mtime=0)
    unpacked = 0

    async def take(data: bytes) -> None:
        nonlocal unpacked
        unpacked += len(data)
        packed.write(data)
        moved(len(data))

    columns = ", ".join(map(quoted, table.columns))
    query = f"SELECT {columns} FROM {quoted(table.name)}"
    status: str = await connection.copy_from_query(query, output=take)
    packed.close()
    hashed.close()
    rows = int(status.rpartition(" ")[2])
    return TableFile(
        table=table.name,
        columns=list(table.columns),
        file=name,
        rows=rows,
        bytes=hashed.bytes,
        unpacked=unpacked,
        sha256=hashed.sha256,
    )


async def load_table(connection: Connection, one: TableFile, folder: Path, moved: Moved) -> None:
    """The rows of a file into its table, within the connection's transaction."""
    status: str = await connection.copy_to_table(
        one.table, source=_pieces(folder / one.file, moved), columns=one.columns
    )
    rows = int(status.rpartition(" ")[2])
    if rows != one.rows:
        raise Damaged(f"{one.file} has {rows} rows in place of {one.rows}")


async def _pieces(path: Path, moved: Moved) -> AsyncIterator[bytes]:
    with gzip.open(path, "rb") as packed:
        while piece := packed.read(PIECE_BYTES):
            yield piece
            moved(len(piece))


def require_intact(path: Path, sha256: str, moved: Moved) -> None:
    """Damaged, unless the file has this hash."""
    found = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                found.update(piece)
                moved(len(piece))
    except FileNotFoundError:
        raise Damaged(f"{path.name} is missing") from None
    if found.hexdigest() != sha256:
        raise Damaged(f"{path.name} is damaged: its SHA-256 is not the one of the manifest")
