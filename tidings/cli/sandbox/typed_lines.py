"""Lines from a terminal or a pipe, awaited while other work goes on.

A thread reads them, because `input` blocks. It is a daemon: nobody waits for a line that never
comes when the command ends.
"""

import asyncio
import sys
import threading
from collections.abc import Callable

PROMPT = "> "


class TypedLines:
    """`next` is awaited once for each line; None is the end. `is_terminal`: a person types."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        self._closed = False
        self._typed: Callable[[], str] = str
        self._restore: Callable[[], None] = lambda: None
        if self.is_terminal:
            self._prepare_terminal()
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self) -> str | None:
        self._wanted.release()
        return await self._lines.get()

    def typed(self) -> str:
        """The prompt and what stands behind it, to be shown again below other text."""
        return PROMPT + self._typed()

    def close(self) -> None:
        self._closed = True
        self._wanted.release()
        self._restore()

    def _prepare_terminal(self) -> None:
        try:
            import readline  # editing and history; its typing is undone if we end meanwhile
            import termios
        except ImportError:  # not on every system
            return
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        self._typed = readline.get_line_buffer
        self._restore = lambda: termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _read(self) -> None:
        line: str | None = ""
        while line is not None:
            self._wanted.acquire()
            if self._closed:
                return
            line = self._read_one()
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    def _read_one(self) -> str | None:
        if not self.is_terminal:
            return sys.stdin.readline() or None
        try:
            return input(PROMPT)
        except (EOFError, OSError, ValueError):  # the end, or a terminal that is gone
            return None
