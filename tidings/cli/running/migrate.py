"""`tidings migrate`: bring the database up to date and stop."""

from tidings.cli.database import connected
from tidings.cli.output import remark, say
from tidings.cli.runner import load_settings, run
from tidings.engine.db.migrate import migrate
from tidings.settings import Settings


def migrate_database() -> None:
    """Print the names of the migrations that were applied."""
    names = run(_migrate(load_settings()))
    for name in names:
        say(name)
    remark(f"{len(names)} applied." if names else "Up to date.")


async def _migrate(settings: Settings) -> list[str]:
    async with connected(settings, making=True) as db:
        return await migrate(db)
