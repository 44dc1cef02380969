"""What a process does that is started only to race for a key: as little imported as can be."""

from pathlib import Path

from tidings.engine.vault_keys import HourlyKeys


def make_key(folder: Path) -> bytes:
    HourlyKeys(folder).make("2026-01-01T12")
    return (folder / "2026-01-01T12").read_bytes()
