"""The uploaded files of a backup: put back if they are in it, and looked for in any case."""

import gzip
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tidings.app import open_objects
from tidings.engine.objects import ObjectMissing, Objects
from tidings.settings import Settings

from .manifest import OBJECTS, Manifest


@dataclass(frozen=True, slots=True)
class Files:
    restored: int
    missing: int


async def put_back(settings: Settings, folder: Path, manifest: Manifest) -> Files:
    """Of each file of the list: what is in the store already stays."""
    if not manifest.objects.count:
        return Files(0, 0)
    target = open_objects(settings)
    copies = Objects.open(None, folder / OBJECTS) if manifest.objects.copied else None
    restored = missing = 0
    with gzip.open(folder / manifest.objects.file, "rb") as lines:
        for line in lines:
            key = msgspec.json.decode(line)["key"]
            if await target.exists(key):
                continue
            if copies is not None and await _copy(copies, target, key):
                restored += 1
            else:
                missing += 1
    return Files(restored, missing)


async def _copy(copies: Objects, target: Objects, key: str) -> bool:
    try:
        await target.put(key, await copies.get(key))
    except ObjectMissing:
        return False
    return True
