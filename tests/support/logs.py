"""What the service says while it is tested; pytest shows it where a test fails."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog


def be_plain() -> None:
    """Tracebacks as Python writes them: structlog's own, with every local variable in a frame, take
    seconds, and all that while the service of a test stands still."""
    structlog.reset_defaults()
    *shared, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(
        colors=False, exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(processors=[*shared, plain])


@contextmanager
def restored() -> Iterator[None]:
    """What is run here may configure logging, as a command does; afterwards it is as before."""
    config, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        structlog.configure(**config)
        root.handlers[:], root.level = handlers, level
