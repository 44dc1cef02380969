"""Mend what can be mended safely, and say what cannot."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from tidings.engine.db.pool import Database, DryRunRollback
from tidings.engine.db.tx import Tx
from tidings.features.audit.record import Actor, Entry, record

from .model import Broken
from .repairs import REPAIRS

ADVISORY_LOCK = 0x646F_6374_6F72  # "doctor": one repair at a time
ACTION = "database.repaired"
RECORDED_MAX = 100  # ids in an entry of the audit log


@dataclass(frozen=True, slots=True)
class Repaired:
    name: str
    ids: list[str]


async def repair(
    db: Database, broken: Sequence[Broken], actor: Actor, *, dry_run: bool = False
) -> list[Repaired]:
    """Each repair is one transaction, with an entry in the audit log; `dry_run` rolls it back."""
    names = dict.fromkeys(one.invariant.mended_by for one in broken)
    return [await _mend(db, name, actor, dry_run=dry_run) for name in names if name is not None]


async def _mend(db: Database, name: str, actor: Actor, *, dry_run: bool) -> Repaired:
    ids: list[str] = []
    with suppress(DryRunRollback):
        async with db.long_transaction() as tx:
            await tx.run("SET LOCAL lock_timeout = '5s'")
            await tx.run("SELECT pg_advisory_xact_lock($1)", ADVISORY_LOCK)
            ids = await REPAIRS[name](tx)
            await _record(tx, name, ids, actor)
            if dry_run:
                raise DryRunRollback
    return Repaired(name, ids)


async def _record(tx: Tx, name: str, ids: list[str], actor: Actor) -> None:
    if ids:
        details = {"count": len(ids), "ids": ids[:RECORDED_MAX]}
        await record(tx, Entry(actor=actor, action=ACTION, subject=name, details=details))
    await tx.flush()
