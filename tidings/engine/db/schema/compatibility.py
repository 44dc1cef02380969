"""Which migrations a database still needs, and whether a program may run on it. Pure.

A program goes on beside a newer one: it accepts files that it does not know, if they say that it
may. A file that older programs must not meet waits until none of them runs.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tidings.engine.db.schema.files import (
    ANY,
    Migration,
    MigrationError,
    version_name,
    version_number,
)


@dataclass(frozen=True, slots=True)
class Applied:
    """A row of `schema_migrations`."""

    version: int
    name: str
    sha256: str
    programs_from: str | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A file that cannot be applied yet."""

    migration: Migration
    reason: str  # a whole sentence


def find_too_old(
    migrations: Iterable[Migration], applied: Iterable[Applied], version: str
) -> str | None:
    """Why this program may not run on the database, in one sentence."""
    known = {migration.version for migration in migrations}
    for row in applied:
        if row.version not in known and not _suits(row.programs_from, version):
            needs = f"needs tidings {row.programs_from} or newer" if row.programs_from else (
                "suits only programs that know it"
            )  # fmt: skip
            return (
                f"The database has migration {row.name}, which this version of tidings ({version}) "
                f"does not know and which {needs}: it is newer than the program. Run the newer "
                "version of tidings."
            )
    return None


def decide_pending(
    migrations: Sequence[Migration], applied: Sequence[Applied], version: str
) -> list[Migration]:
    """The migrations still to apply. MigrationError if these files did not create the database."""
    too_old = find_too_old(migrations, applied, version)
    if too_old is not None:
        raise MigrationError(too_old)
    by_version = {migration.version: migration for migration in migrations}
    for row in applied:
        migration = by_version.pop(row.version, None)
        if migration is not None and migration.sha256 != row.sha256:
            raise MigrationError(
                f"Migration {row.name} has changed since it was applied to this database. "
                "Undo the change to the file and make it in a new, higher-numbered one. If you did "
                "not change it, the database was made by a development version before the first "
                "release, which has no upgrade path: start with an empty database."
            )
    return list(by_version.values())


def find_obstacle(
    migration: Migration, programs: Mapping[int, int], complete: Collection[str]
) -> str | None:
    """Why a file must wait, in one sentence. `programs`: how many run, by `version_number`."""
    head = migration.head
    for name in head.after:
        if name not in complete:
            return f"{migration.name} waits until the data change {name} is complete."
    if head.programs_from is None or head.programs_from == ANY:
        return None
    limit = version_number(head.programs_from)
    older = {number: count for number, count in programs.items() if number < limit}
    if not older:
        return None
    shown = ", ".join(f"{count} of {version_name(number)}" for number, count in older.items())
    return (
        f"{migration.name} needs programs from {head.programs_from}, and older processes run "
        f"({shown}): it waits until they have stopped."
    )


def _suits(programs_from: str | None, version: str) -> bool:
    if programs_from is None:
        return False
    return programs_from == ANY or version_number(version) >= version_number(programs_from)
