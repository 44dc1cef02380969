"""The end of a scenario: all faults are over, and everything that was begun comes to its end.

A killed process holds its leases for a minute, and an unknown outcome waits two minutes for its
callback. In a long run most of that has passed by itself; what is left is moved forward by hand,
after all processes have stopped and every callback has been answered.
"""

import time

import asyncpg

from proof.torture.world import World

END_SECONDS_MAX = 240
QUIET_SECONDS = 4.0  # what callbacks say is recorded after they are answered
STATES = "SELECT status, count(*) FROM messages GROUP BY status ORDER BY status"
UNDECIDED = """
    SELECT (SELECT count(*) FROM messages
             WHERE status IN ('queued', 'sending', 'deferred', 'sent', 'delivered'))
         + (SELECT count(*) FROM webhooks WHERE state = 'pending')
"""
END_LEASES = "UPDATE jobs SET due_at = now() WHERE leased AND dead_lettered_at IS NULL"
SKIP = (
    """
    UPDATE messages SET unknown_since = unknown_since - interval '200 seconds'
     WHERE unknown_since > now() - interval '200 seconds'
    """,
    """
    UPDATE jobs SET due_at = now() WHERE pool IN ('send', 'otp', 'webhooks') AND due_at > now()
       AND NOT leased
    """,
)


def settle(world: World) -> dict[str, int]:
    """The exit statuses of the processes, which are stopped once and started again."""
    if world.customer is not None:
        world.customer.close()
    statuses = world.fleet.stop()
    world.postgres.rows(END_LEASES)
    world.fleet.start()
    end = time.monotonic() + END_SECONDS_MAX
    world.platform.flush()
    _wait_for_quiet(world, end)
    while world.postgres.value(UNDECIDED) and time.monotonic() < end:
        for statement in SKIP:
            try:
                world.postgres.rows(statement)
            except asyncpg.DeadlockDetectedError:  # the service works on the same rows
                continue
        world.platform.flush()
        time.sleep(0.5)
    return statuses


def _wait_for_quiet(world: World, end: float) -> None:
    """Until nothing has changed for some time: a message is given up for want of its callback, and
    not because the machine was slow to record that."""
    before = None
    while (now := world.postgres.rows(STATES)) != before and time.monotonic() < end:
        before = now
        time.sleep(QUIET_SECONDS)
