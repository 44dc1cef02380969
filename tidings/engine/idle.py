"""Work that can wait until the process has nothing else to do.

What is only prepared ahead of its first use (pages, tables of words) would take the processor from
the first messages after a start.
"""

import asyncio
import threading
import time
from collections.abc import Callable

IDLE_SHARE_MAX = 0.2  # of a core, within a look
LOOK_SECONDS = 1.0
LOOKS_MAX = 120  # a process that is never idle prepares all the same


async def when_idle(
    work: Callable[[], None],
    *,
    used: Callable[[], float] = time.process_time,
    look_seconds: float = LOOK_SECONDS,
) -> None:
    """Start `work` in a thread, once the process has used little processor time for a while."""
    before = used()
    for _ in range(LOOKS_MAX):
        await asyncio.sleep(look_seconds)
        now = used()
        if now - before < IDLE_SHARE_MAX * look_seconds:
            break
        before = now
    threading.Thread(target=work, daemon=True).start()  # a stop does not wait for it
