"""`tidings callbacks`: dead letters, the platform's callbacks that could not be processed."""

from tidings import times
from tidings.app import Service
from tidings.cli.actor import command_actor
from tidings.cli.database import opened
from tidings.cli.output import print_json, print_table, say
from tidings.cli.runner import load_settings, run
from tidings.clock import SystemClock
from tidings.engine import log
from tidings.features.callbacks import dead_letters
from tidings.features.callbacks.dead_letters import DeadLetters
from tidings.features.operation.parked import retry_callbacks
from tidings.settings import Settings
from tidings.wording import counted


def show_callbacks(*, again: bool, as_json: bool) -> None:
    settings = load_settings()
    log.configure(SystemClock(), settings.log_level)
    retried, left = run(_retry_and_count(settings, again))
    shown = [_present(one) for one in left]
    if as_json:
        print_json({"retried": retried, "deadLetters": shown})
        return
    if again:
        say(f"{counted(retried, 'callback')} retried.")
    headings = ("reason", "count>", "first", "last")
    print_table(headings, (list(one.values()) for one in shown), none="No callbacks failed.")


async def _retry_and_count(settings: Settings, again: bool) -> tuple[int, list[DeadLetters]]:
    async with opened(settings) as db:
        retried = 0
        if again:
            service = await Service.open(settings, db, clock=db.clock, roles=frozenset())
            try:
                retried = await retry_callbacks(service.ctx, command_actor())
            finally:
                await service.stop()
        return retried, await db.transact(dead_letters.count)


def _present(one: DeadLetters) -> dict[str, object]:
    return {
        "reason": one.reason,
        "count": one.count,
        "firstAt": times.to_wire(one.first_at),
        "lastAt": times.to_wire(one.last_at),
    }
