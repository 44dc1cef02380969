"""Leases whose holders are known to be gone: nobody need wait until they run out.

A dead worker gives its jobs back by doing nothing, a minute later. Where it is certain that no
process but ours uses the database (embedded: the kernel knows), that minute is for nobody.
"""

from collections.abc import Sequence
from datetime import datetime

from tidings import limits
from tidings.engine.db.tx import Tx


async def give_back(tx: Tx, pools: Sequence[str], before: datetime) -> int:
    """Make jobs due at once that were claimed before this time; how many they were.

    All else is as if the lease had run out: it counts as a crash, a late result is refused. One
    that has crashed before waits its minute: it may be what takes workers down, and if not, a
    quick row of restarts must not make it look so.
    """
    return await tx.run(
        """
        UPDATE jobs SET due_at = $3
         WHERE pool = ANY($1::text[]) AND parked_at IS NULL AND leased AND crashes = 0
           AND due_at > $3 AND due_at <= $2
        """,
        list(pools),
        before + limits.JOB_LEASE,
        tx.now,
    )
