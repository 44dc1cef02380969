"""The mutants that may survive, each with a reason: `survivors.toml`."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

FILE = Path(__file__).with_name("survivors.toml")


def read_explained(file: Path = FILE) -> dict[str, str]:
    """Why each of these mutants survives, by its name."""
    entries = tomllib.loads(file.read_text()).get("survivor", [])
    return {name: entry["why"] for entry in entries for name in entry["mutants"]}


def unexplained(survived: Iterable[str], explained: dict[str, str]) -> list[str]:
    return [name for name in survived if name not in explained]


def outdated(
    killed: Iterable[str], known: Iterable[str], explained: dict[str, str], whole: bool
) -> list[str]:
    """Explained mutants that a test notices by now, or that do not exist any more (which only a run
    of everything can tell)."""
    noticed = [name for name in killed if name in explained]
    return noticed + ([name for name in explained if name not in set(known)] if whole else [])
