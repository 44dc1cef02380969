"""`tidings migrate`: apply what is pending; show its plan or how far it is; wait for its end.

It says what must wait and why, and that is no failure: the service goes on, and its workers
continue where this command ends.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

from tidings import __version__
from tidings.cli.database import connected
from tidings.cli.output import Styled, print_json, remark, say
from tidings.cli.runner import load_settings, run
from tidings.engine.db.migrate import Outcome, apply_pending
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.data_changes import State, load_states
from tidings.engine.db.schema.plan import Lock, Plan, Size, Step, make_plan
from tidings.engine.db.schema.upgrade import Status, load_status
from tidings.settings import Settings

from .migration_progress import continue_visibly

POLL_SECONDS = 1.0
STATEMENT_CHARS_MAX = 300
UNITS = ("bytes", "kB", "MB", "GB")


def migrate_database(*, wait: bool, as_json: bool) -> None:
    """Print the names of the migrations that were applied."""
    outcome = run(_migrate(load_settings(), wait=wait))
    waiting = [{"name": one.migration.name, "reason": one.reason} for one in outcome.waiting]
    if as_json:
        print_json({"applied": outcome.names, "waiting": waiting})
        return
    for name in outcome.names:
        say(name)
    for one in outcome.waiting:
        remark(one.reason)
    remark(f"{len(outcome.names)} applied." if outcome.names else "Up to date.")


async def _migrate(settings: Settings, *, wait: bool) -> Outcome:
    async with connected(settings, create=True) as db:
        outcome = await apply_pending(db)
        while wait and await continue_visibly(db):
            more = await apply_pending(db)
            new = {one.reason for one in more.waiting} - {one.reason for one in outcome.waiting}
            for reason in sorted(new):
                remark(reason)
            outcome = Outcome([*outcome.names, *more.names], more.waiting)
            if more.waiting and not more.names:
                await asyncio.sleep(POLL_SECONDS)
        return outcome


def show_plan(*, as_json: bool) -> None:
    """Each statement with its locks; nothing is changed."""
    plan = run(_plan(load_settings()))
    if as_json:
        print_json(_wire(plan))
        return
    for line in plan_lines(plan):
        say(*line) if isinstance(line, tuple) else say(line)
    if not plan.files:
        remark("Up to date.")
    elif plan.tried_on != plan.server:
        remark(f"Tried on PostgreSQL {plan.tried_on}; the database has {plan.server}.")


async def _plan(settings: Settings) -> Plan:
    async with connected(settings, create=True) as db:
        return await make_plan(db)


def plan_lines(plan: Plan) -> Iterator[str | tuple[Styled, str]]:
    for file in plan.files:
        yield Styled(file.name, bold=True), f" ({file.how}; {_programs(file.programs_from)})"
        if file.waits:
            yield f"  {file.waits}"
        for number, step in enumerate(file.steps, 1):
            yield f"  {number}. {_short(step.statement)}"
            yield from (f"     {line}" for line in _effects(step))


def _programs(programs_from: str | None) -> str:
    if programs_from is None:
        return "older programs must be stopped first"
    return "older programs go on" if programs_from == "any" else f"programs from {programs_from}"


def _short(statement: str) -> str:
    text = " ".join(statement.split())
    return text if len(text) <= STATEMENT_CHARS_MAX else text[: STATEMENT_CHARS_MAX - 1] + "…"


def _effects(step: Step) -> Iterator[str]:
    for lock in step.locks:
        yield _lock(lock)
    locked = {lock.table for lock in step.locks}
    for table, work in step.work.items():
        if table not in locked:
            yield f"{work} of {table}"
    if step.note:
        yield step.note
    elif not step.locks and not step.work:
        yield "no further lock that anybody waits for"


def _lock(lock: Lock) -> str:
    waits = {"nobody": "nobody waits", "writes": "writes wait"}.get(
        lock.waits, "reads and writes wait"
    )
    return f"{lock.table}: {lock.mode}, {waits}; held for {lock.held_for} ({_size(lock.size)})"


def _size(size: Size) -> str:
    amount, unit = float(size.bytes), 0
    while amount >= 1024 and unit < len(UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.0f} {UNITS[unit]}, about {size.rows:,} rows"


def show_status(*, as_json: bool) -> None:
    status, changes = run(_status(load_settings()))
    if as_json:
        print_json(_as_json(status, changes))
        return
    say(f"Program {__version__}; migrations applied: {len(status.applied)}")
    for version, processes in status.running.items():
        say(f"Running: {processes} of {version}")
    for one in status.unknown:
        say(f"{one} is of a newer program, and suits this one")
    for name, reason in status.pending.items():
        say(f"{name} is to be applied" if reason is None else reason)
    for change in changes:
        say(_progress(change))


async def _status(settings: Settings) -> tuple[Status, list[State]]:
    async with connected(settings, create=False) as db:
        return await _load(db)


async def _load(db: Database) -> tuple[Status, list[State]]:
    return await load_status(db), await load_states(db)


def _progress(change: State) -> str:
    rows = f"{change.rows_done:,} of about {change.rows_total:,} rows"
    if change.complete_at is not None:
        return f"{change.name}: complete ({change.rows_done:,} rows)"
    error = f"; the last page failed: {change.error}" if change.error else ""
    return f"{change.name}: {rows}{error}"


def _as_json(status: Status, changes: Sequence[State]) -> dict[str, object]:
    return {
        "program": __version__,
        "running": status.running,
        "applied": [one.name for one in status.applied],
        "unknown": status.unknown,
        "pending": [{"name": name, "waits": why} for name, why in status.pending.items()],
        "dataChanges": _wire(changes),
    }


def _wire(value: object) -> object:
    """Dataclasses with the names that JSON has everywhere else: rowsDone."""
    if is_dataclass(value) and not isinstance(value, type):
        return {_camel(one.name): _wire(getattr(value, one.name)) for one in fields(value)}
    return [_wire(one) for one in value] if isinstance(value, list) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
