"""What a restore does to messages that were not finished (reliability.md 2.16)."""

from dataclasses import dataclass

from tidings.engine.db.tx import Tx

from . import restore_store

# No message is claimed this often, so a send after a restore never has the id of one before it.
EPOCH_STEP = 1000


@dataclass(frozen=True, slots=True)
class Unfinished:
    waiting: int
    unknown: int  # were being sent


async def settle_unfinished(tx: Tx) -> Unfinished:
    """Nothing is sent again that may have been sent: `sending` becomes unknown, as after a crash.
    A callback that carries our id settles it, or time does."""
    unknown = await restore_store.set_unknown(tx)
    unfinished = await restore_store.raise_generations(tx, EPOCH_STEP)
    return Unfinished(unfinished - unknown, unknown)
