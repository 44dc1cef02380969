"""The uploaded files of a backup: put back if they are in it, and looked for in any case."""

import gzip
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tidings.app import open_objects
from tidings.cli.output import remark
from tidings.engine.objects import ObjectMissing, Objects
from tidings.features.media.stored_objects import StoredObject, is_content
from tidings.settings import Settings

from .manifest import OBJECTS, Manifest


@dataclass(frozen=True, slots=True)
class Files:
    restored: int
    missing: int


async def put_back(settings: Settings, folder: Path, manifest: Manifest) -> Files:
    """Of each file of the list: what is in the store already stays. Before the rows, so that it can
    be repeated: files that nothing refers to do no harm."""
    if not manifest.objects.count:
        return Files(0, 0)
    target = open_objects(settings)
    copies = Objects.open(None, folder / OBJECTS) if manifest.objects.copied else None
    restored = missing = 0
    with gzip.open(folder / manifest.objects.file, "rb") as lines:
        for line in lines:
            one = msgspec.json.decode(line, type=StoredObject)
            if await target.exists(one.key):
                continue
            if copies is not None and await _copy(copies, target, one):
                restored += 1
            else:
                missing += 1
    return Files(restored, missing)


async def _copy(copies: Objects, target: Objects, one: StoredObject) -> bool:
    try:
        data = await copies.get(one.key)
    except ObjectMissing:
        return False
    if not is_content(one, data):
        remark(f"{one.key} is damaged in the backup; it is not put back.")
        return False
    await target.put(one.key, data)
    return True
