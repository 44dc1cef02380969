"""The command line in this process, on the database of a service: quicker than a process each."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple
from unittest import mock

from tests.support.service import TestService
from tidings.cli.main import main


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Stream(io.StringIO):
    """What a command writes; a terminal of some width where it is one."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def run(*words: str, env: dict[str, str] | None = None, terminal: int | None = None) -> Done:
    """`tidings WORDS`, its output piped, or shown on a terminal of so many columns."""
    out, err = (Stream(is_terminal=terminal is not None) for _ in range(2))
    width = {} if terminal is None else {"COLUMNS": str(terminal)}
    variables = {"TIDINGS_API_KEY": ""} | (env or {}) | width
    with (
        mock.patch.dict(os.environ, variables),
        mock.patch.object(sys, "argv", ["tidings", *words]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            return Done(
                end.code if isinstance(end.code, int) else 0, out.getvalue(), err.getvalue()
            )
    return Done(0, out.getvalue(), err.getvalue())


def environment(service: TestService) -> dict[str, str]:
    """Of an operator's command on the service's own machine."""
    dsn: Any = service._dsn
    where = "&".join(f"{key}={dsn[key]}" for key in ("host", "port", "passfile") if key in dsn)
    return {
        "TIDINGS_DATABASE_URL": f"postgresql://{dsn['user']}@/{dsn['database']}?{where}",
        "TIDINGS_DATA": str(service.settings.data),
        "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
    }


def commands(service: TestService) -> Callable[..., Done]:
    """`tidings` beside this service."""

    def on_service(*words: str, terminal: int | None = None) -> Done:
        return run(*words, env=environment(service), terminal=terminal)

    return on_service
