"""The platform of sandbox accounts: answers in process, at once, and reaches no one.

Pure but for being awaitable; all that it knows is in `behaviour.py`.
"""

from collections.abc import Sequence

from tidings.platforms.port import DispatchResult, Send
from tidings.platforms.sandbox.behaviour import simulate_send


class Sandbox:
    """Implements `port.Platform`. Plans no `sent` status that only repeats the answer."""

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        return [simulate_send(send) for send in sends]
