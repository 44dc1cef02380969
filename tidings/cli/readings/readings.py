"""`tidings readings`: data goes to stdout. That a copy was taken is in the audit log."""

from functools import partial

from tidings.cli.actor import command_actor
from tidings.cli.database import load_account, opened
from tidings.cli.output import print_json, remark, write_data
from tidings.cli.runner import load_settings, run
from tidings.engine.db.pool import Database
from tidings.features.accounts.model import Account
from tidings.features.replies import kept_readings


def export(name: str, *, as_json: bool) -> None:
    settings = load_settings()

    async def work() -> None:
        async with opened(settings) as db:
            owner = await db.transact(lambda tx: load_account(tx, name))
            actor = command_actor()
            await db.transact(partial(kept_readings.record_export, account=owner, actor=actor))
            await (_print_objects if as_json else _print_lines)(db, owner)

    run(work())


async def _print_lines(db: Database, owner: Account) -> None:
    if not owner.keep_readings:
        remark(f"The account {owner.name} keeps none: keepReadings is false.")
    async for text in kept_readings.export_lines(db, owner.id):
        write_data(text)


async def _print_objects(db: Database, owner: Account) -> None:
    pages = [page async for page in kept_readings.export(db, owner.id)]
    print_json([kept_readings.present(kept) for page in pages for kept in page])
