"""The command line in this process: a process for each command would take a second to start."""

import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple
from unittest import mock

from tests.support import logs
from tests.support.database import Dsn, variables_of
from tests.support.service import TestService
from tidings.cli.main import main


class Done(NamedTuple):
    code: int
    out: str
    err: str

    def good(self) -> str:
        """The output of a command that succeeded."""
        assert self.code == 0, self.err
        return self.out

    def json(self) -> Any:
        return json.loads(self.good())

    def refused(self, words: str) -> None:
        """Exit code 1, and a sentence with these words on stderr."""
        assert self.code == 1, self.out
        assert self.err.startswith("error: ") and words in self.err, self.err


class Stream(io.StringIO):
    """What a command writes; a terminal of some width where it is one."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def run(
    *words: str,
    env: dict[str, str] | None = None,
    terminal: int | None = None,
    text: str | bytes = "",
) -> Done:
    """`tidings WORDS` with `text` on stdin, its output piped, or shown on a terminal of so many
    columns."""
    out, err = (Stream(is_terminal=terminal is not None) for _ in range(2))
    width = {} if terminal is None else {"COLUMNS": str(terminal)}
    typed = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    variables = {"TIDINGS_API_KEY": ""} | (env or {}) | width
    with (
        mock.patch.dict(os.environ, variables),
        mock.patch.object(sys, "argv", ["tidings", *words]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(typed, encoding="utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
        logs.restored(),
    ):
        code = _run_main()
    return Done(code, out.getvalue(), err.getvalue())


def _run_main() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def environment(service: TestService) -> dict[str, str]:
    """Of an operator's command on the service's own machine."""
    return database_environment(service._dsn, service.settings.data)


def database_environment(dsn: Dsn, data: object) -> dict[str, str]:
    """Of a command on this database, whether a service runs on it or not."""
    return {
        **variables_of(dsn),
        "TIDINGS_DATA": str(data),
        "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
    }


def commands(service: TestService) -> Callable[..., Done]:
    """`tidings` beside this service."""

    def on_service(*words: str, terminal: int | None = None, **env: str) -> Done:
        return run(*words, env=environment(service) | env, terminal=terminal)

    return on_service
