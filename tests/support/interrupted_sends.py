"""Sending that a crash or a backup meets in the middle, and the time after which it is decided."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import DEFAULT, NumberSpec, Plan

UNDECIDED = "status IN ('queued', 'sending', 'deferred')"
# The grace of an unknown outcome passes, and what waits to be sent falls due.
SKIP = """
    UPDATE messages SET unknown_since = unknown_since - interval '200 seconds'
     WHERE unknown_since > now() - interval '200 seconds';
    UPDATE jobs SET due_at = now() WHERE pool = 'send' AND due_at > now() AND NOT leased;
"""


@contextmanager
def slow_platform(seconds: float) -> Iterator[RunningSimulator]:
    """A number without a limit, and an answer that takes so long: some are always being sent."""
    quick = NumberSpec(number="972555000001", throughput="HIGH")
    plan = Plan(numbers=[quick], templates=DEFAULT.templates)
    with RunningSimulator(plan=plan, post_concurrency=4) as running:
        running.fault(answer="slow", seconds=seconds, path="/messages", times=None)
        yield running
