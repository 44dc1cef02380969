"""Data changes in front of an operator: a bar on a terminal, a line each in a pipe."""

import asyncio

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from tidings.cli.output import progress_bar, remark
from tidings.engine.db.pool import Database
from tidings.engine.db.schema import data_changes
from tidings.engine.db.schema.files import Migration
from tidings.engine.db.schema.upgrade import load_left

LOOK_SECONDS = 0.5
REST = 0.25  # of the time of a page: somebody waits for the end


async def continue_visibly(db: Database) -> bool:
    """Run the data changes that have begun to their end; False if nothing is left to wait for."""
    left = await load_left(db)
    if left.changes:
        running = asyncio.create_task(_run(db, left.changes))
        try:
            await _show(db, {one.name for one in left.changes}, running)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    return bool(left.changes or left.pending)


async def _run(db: Database, changes: list[Migration]) -> None:
    """While a worker of the service is at it, there is nothing to do but to watch."""
    while not await data_changes.run(db, changes, rest=REST):
        await asyncio.sleep(LOOK_SECONDS)


async def _show(db: Database, names: set[str], running: asyncio.Task[None]) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with progress_bar(*columns) as bars:
        tasks = {name: bars.add_task(name) for name in sorted(names)}
        while not running.done():
            await asyncio.wait({running}, timeout=LOOK_SECONDS)
            for state in await data_changes.load_states(db):
                if state.name in names:
                    done, total = state.rows_done, state.rows_total
                    bars.update(tasks[state.name], completed=done, total=total)
        running.result()  # what stopped it
        for task in bars.tasks:
            if bars.disable:
                remark(f"{task.description}: complete ({task.completed:,.0f} rows).")
