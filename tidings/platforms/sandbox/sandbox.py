"""The platform of sandbox accounts: answers in process, at once, and reaches no one.

Pure but for being awaitable; all that it knows is in `behaviour.py`.
"""

from collections.abc import Sequence

from tidings.platforms.port import Handover, Send
from tidings.platforms.sandbox.behaviour import decide_handover


class Sandbox:
    """Implements `port.Platform`. Plans no `sent` status that only repeats the answer."""

    async def send(self, sends: Sequence[Send]) -> list[Handover]:
        return [decide_handover(send) for send in sends]
