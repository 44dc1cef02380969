"""`tidings doctor`: check every invariant on the live database (reliability.md, section 3)."""

from tidings.doctor import check
from tidings.settings import Settings

from .database import opened
from .output import remark, say
from .refusal import Refused
from .running import load_settings, run


def check_invariants() -> None:
    """Print each broken invariant with the ids it is broken for; refuse if there is one."""
    broken = run(_check(load_settings()))
    for line in broken:
        say(line)
    if broken:
        raise Refused(f"{len(broken)} of the invariants are broken.")
    remark("Every invariant holds.")


async def _check(settings: Settings) -> list[str]:
    async with opened(settings) as db:
        return list(await check(db))
