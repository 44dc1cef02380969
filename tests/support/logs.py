"""What the service says while it is tested; pytest shows it where a test fails."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from tidings.engine import log


def be_plain() -> None:
    """Tracebacks as Python writes them: structlog's own, with every local variable in a frame, take
    seconds, and all that while the service of a test stands still."""
    structlog.reset_defaults()
    *shared, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(
        colors=False, exception_formatter=structlog.dev.plain_traceback
    )
    # The stream of the process: a command that runs within a test has `sys.stdout` for its own.
    factory = structlog.PrintLoggerFactory(sys.__stdout__)
    structlog.configure(processors=[*shared, plain], logger_factory=factory)


@contextmanager
def restored() -> Iterator[None]:
    """What is run here may configure logging, as a command does; afterwards it is as before."""
    config, root = structlog.get_config(), logging.getLogger()
    handlers, level, shown = root.handlers[:], root.level, dict(log._levels)
    try:
        yield
    finally:
        structlog.configure(**config)
        log._levels.update(shown)
        root.handlers[:], root.level = handlers, level
