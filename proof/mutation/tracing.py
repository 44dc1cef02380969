"""Which test runs which lines of which files, and how long it takes: noted in one run of all tests.

By `sys.settrace`, in all threads: a service of the tests runs in one of its own.
"""

import sys
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Any


class Tracer:
    """`lines[path]` holds the lines that were run since the last `take`."""

    def __init__(self, files: Iterable[str]) -> None:
        self._lines: dict[str, set[int]] = {file: set() for file in files}

    def start(self) -> None:
        threading.settrace(self._call)
        sys.settrace(self._call)

    def stop(self) -> None:
        threading.settrace(None)
        sys.settrace(None)

    def take(self) -> dict[str, list[int]]:
        """What was run since the last call."""
        taken = {}
        for file, lines in self._lines.items():
            if lines:
                taken[file] = sorted(lines.copy())
                lines.clear()
        return taken

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        lines = self._lines.get(frame.f_code.co_filename)
        if lines is None:
            return None
        lines.add(frame.f_lineno)

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return line

        return line
