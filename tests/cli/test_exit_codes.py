"""The exit codes that docs/operating/commands.md promises, and what is said with each."""

import os
import re
import socket
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.service import TestAccount
from tests.support.terminal import WAIT_SECONDS, Terminal

PAGE = Path(__file__).parents[2] / "docs" / "operating" / "commands.md"
TABLE = re.compile(r"^\| (\d+) \| ", re.MULTILINE)


def test_the_page_lists_every_exit_code() -> None:
    assert TABLE.findall(PAGE.read_text()) == ["0", "1", "2", "130"]


@pytest.mark.parametrize(
    ("words", "sentence", "help_of"),
    [
        ("mesages", "No such command 'mesages'. Did you mean 'messages'?", ""),
        ("messages shwo x", "No such command 'shwo'. Did you mean 'show'?", "messages "),
        ("keys isue demo", "No such command 'isue'. Did you mean 'issue'?", "keys "),
        ("qqqq", "No such command 'qqqq'.", ""),
        ("send --tempalte x 1", "No such option: --tempalte. Did you mean '--template'?", "send "),
        ("send", "Missing argument 'TO'.", "send "),
        ("completion csh", "Invalid value for 'bash|zsh|fish': 'csh' is not one", "completion "),
    ],
)
def test_a_wrong_call_is_two_and_says_what_was_meant(
    words: str, sentence: str, help_of: str
) -> None:
    done = run(*words.split())
    assert (done.code, done.out) == (2, "")
    said, hint = done.err.splitlines()
    assert said.startswith(f"error: {sentence}")
    assert hint == f"tidings {help_of}--help explains it."


@pytest.mark.parametrize("group", ["", "keys", "sending"])
def test_a_group_alone_shows_its_help(group: str) -> None:
    done = run(*group.split())
    assert done.code == 2 and "Usage: tidings" in done.out
    assert "error" not in done.err


def test_what_cannot_be_done_is_one(account: TestAccount) -> None:
    where = ("--url", account.service.url)
    run("messages", *where, "--key", "td_sandbox_unknown").refused("INVALID_API_KEY")
    run("messages", "show", "nothing", *where, "--key", account.key).refused("NOT_FOUND")


def test_ctrl_c_is_130_without_a_traceback(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        silent.settimeout(WAIT_SECONDS)
        words = ("messages", "--url", url, "--key", "td_sandbox_x")
        env = {"PATH": os.defpath, "HOME": str(tmp_path)}
        with closing(Terminal(sys.executable, "-m", "tidings.cli", *words, env=env)) as terminal:
            connection, _ = silent.accept()  # it waits for the answer
            terminal.write("\x03")
            code = terminal.end()
            connection.close()
    assert (code, terminal.screen.strip()) == (130, "^C")
