"""The command line as a whole: exit codes, sentences instead of tracebacks, the entry point."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import database_environment, run
from tests.support.database import fresh_database, reachable_folder
from tidings import __version__

FILE = """
[[accounts]]
name = "acme"
environment = "sandbox"
signingSecret = "whsec_given"
[[accounts.numbers]]
number = "972555000001"
"""


def process(*words: str, data: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """`tidings WORDS` as a process with a clean environment."""
    return subprocess.run(
        [sys.executable, "-m", "tidings.cli", *words],
        env={"PATH": os.defpath, "TIDINGS_DATA": str(data), "COLUMNS": "80"},
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_account_is_applied_listed_and_its_key_rotated(tmp_path: Path) -> None:
    env = database_environment(fresh_database(), tmp_path)
    [account] = run("apply", "-", env=env, text=FILE).json()["accounts"]
    assert sorted(account) == ["apiKey", "environment", "id", "name", "signingSecret"]
    assert account["apiKey"].startswith("td_sandbox_")
    assert account["signingSecret"] == "whsec_given"
    assert (tmp_path / "master.key").stat().st_mode & 0o777 == 0o600

    [again] = run("apply", "-", env=env, text=FILE).json()["accounts"]
    assert again == {key: value for key, value in account.items() if key != "apiKey"}

    rotated = run("keys", "rotate", "acme", "--overlap-hours", "2", env=env)
    assert rotated.good().startswith("td_sandbox_")
    assert "stay valid for 2 hours" in rotated.err

    [listed] = run("accounts", "list", "--json", env=env).json()["accounts"]
    assert (listed["id"], listed["active"]) == (account["id"], True)


def test_processes_share_an_embedded_database() -> None:
    data = reachable_folder()
    made = process("apply", "-", data=data, text=FILE)
    assert made.returncode == 0, made.stderr
    listed = process("accounts", "list", data=data)
    assert (listed.returncode, "acme" in listed.stdout) == (0, True)


def test_a_refusal_is_a_sentence_on_stderr_and_exit_code_one(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('[[accounts]]\nname = "a"\nenvironment = "moon"\nactive = 3\n')
    refused = process("apply", str(bad), data=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        "error: nothing was applied, because of the file:",
        '  accounts[0].environment must be "sandbox" or "live", not "moon"',
        "  accounts[0].active must be true or false, not 3",
    ]


@pytest.mark.parametrize(
    ("words", "env", "sentence"),
    [
        (["apply", "missing.toml"], {}, "Cannot read missing.toml: No such file or directory."),
        (["accounts", "list"], {}, "There is no database in"),
        (["settings"], {"TIDINGS_RATE": "fast"}, 'TIDINGS_RATE must be memory, .* not "fast".'),
        (
            ["keys", "rotate", "acme"],
            {"TIDINGS_DATABASE_URL": "postgresql://u:CANARY@127.0.0.1:1/x"},
            "The database cannot be used",
        ),
    ],
)
def test_what_an_operator_can_fix_is_a_sentence(
    words: list[str], env: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    refused = run(*words, env={"TIDINGS_DATA": str(tmp_path)} | env)
    assert refused.code == 1
    assert re.match(f"error: {sentence}", refused.err)
    assert "CANARY" not in refused.err


def test_help_names_every_command_and_the_version_is_printed() -> None:
    shown = run("--help").good()
    for command in ("serve", "apply", "migrate", "keys", "accounts", "settings", "doctor"):
        assert command in shown
    assert run("--version").good() == f"tidings {__version__}\n"
