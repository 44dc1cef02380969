"""What a backup consists of: `manifest.json`, written last, and the files that it names.

A folder without it is no backup: it was not finished.
"""

import os
from datetime import datetime
from pathlib import Path

import msgspec

from tidings.cli.output import Refused
from tidings.engine.db.dump.catalogue import LastValue
from tidings.engine.db.dump.files import TableFile

FORMAT = 1
NAME = "manifest.json"
TABLES, OBJECTS = "tables", "objects"  # folders


class _Format(msgspec.Struct):
    """What is known of a manifest in any format."""

    format: int


class MigrationName(msgspec.Struct, frozen=True):
    version: int
    name: str
    sha256: str


class ObjectList(msgspec.Struct, frozen=True):
    """Uploaded files: `objects.jsonl.gz` has a line for each; `copied`: they are in the backup."""

    file: str
    sha256: str
    count: int
    bytes: int
    copied: bool


class Manifest(msgspec.Struct, frozen=True, rename="camel"):
    format: int
    version: str  # of the program
    made_at: datetime
    postgres: str  # the server's version
    master_keys: list[str]  # fingerprints; more than one while a key is rotated
    migrations: list[MigrationName]
    partitions: list[str]
    sequences: list[LastValue]
    tables: list[TableFile]
    objects: ObjectList

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self.tables)

    @property
    def unpacked(self) -> int:
        return sum(one.unpacked for one in self.tables)

    @property
    def bytes(self) -> int:
        return sum(one.bytes for one in self.tables)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Durable before it has its name, so that a power cut leaves no half of it."""
    draft = folder / f".{NAME}"
    with draft.open("xb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / NAME)


def read_manifest(folder: Path) -> Manifest:
    try:
        text = (folder / NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise Refused(
            f"{folder} is not a finished backup: it has no {NAME}, which is written last."
        ) from None
    try:
        found = msgspec.json.decode(text, type=_Format).format
        if found != FORMAT:
            raise Refused(
                f"{folder} has format {found}, and this version of tidings reads {FORMAT}."
            )
        return msgspec.json.decode(text, type=Manifest)
    except msgspec.DecodeError as reason:
        raise Refused(f"{folder / NAME} is damaged: {reason}.") from None
