"""An event loop whose time a test moves on, so that what lasts minutes takes no time."""

import asyncio


class HurriedLoop(asyncio.SelectorEventLoop):
    """`loop.skip(30)`: every timer is 30 seconds closer. Call it on the loop itself."""

    def __init__(self) -> None:
        super().__init__()
        self._skipped = 0.0

    def time(self) -> float:
        return super().time() + self._skipped

    def skip(self, seconds: float) -> None:
        self._skipped += seconds
