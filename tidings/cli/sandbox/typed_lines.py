"""Lines from a terminal or a pipe, awaited while other work goes on.

A thread reads them, because `input` blocks. It is a daemon: nobody waits for a line that never
comes when the command ends.
"""

import asyncio
import sys
import threading
from collections.abc import Callable

from tidings.cli.output import Refused

PROMPT = "> "


class TypedLines:
    """`next` is awaited once for each line; None is the end. `is_terminal`: a person types."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | Refused | None] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        self._closed = False
        self._ended = False
        self._typed: Callable[[], str] = str
        self._restore: Callable[[], None] = lambda: None
        if self.is_terminal:
            self._prepare_terminal()
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self) -> str | None:
        if self._ended:  # nobody reads any more
            return None
        self._wanted.release()
        line = await self._lines.get()
        self._ended = not isinstance(line, str)
        if isinstance(line, Refused):
            raise line
        return line

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
        line: str | Refused | None = ""
        while isinstance(line, str):
            self._wanted.acquire()
            if self._closed:
                return
            line = self._read_one()
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    def _read_one(self) -> str | Refused | None:
        try:
            return input(PROMPT) if self.is_terminal else sys.stdin.readline() or None
        except UnicodeDecodeError as wrong:
            return Refused(f"The input is not {wrong.encoding.upper()} text.")
        except (EOFError, OSError, ValueError):  # the end, or a terminal that is gone
            return None
