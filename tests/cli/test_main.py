"""The command line as an operator meets it: real processes, an embedded server of their own."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.database import reachable_folder
from tidings import __version__

FILE = """
[[accounts]]
name = "acme"
environment = "sandbox"
signingSecret = "whsec_given"
[[accounts.numbers]]
number = "972555000001"
"""


def tidings(*arguments: str, data: Path, text: str = "", **env: str):
    """Run the command with a clean environment; the finished process."""
    return subprocess.run(
        [sys.executable, "-m", "tidings.cli.main", *arguments],
        env={"PATH": os.defpath, "TIDINGS_DATA": str(data), "COLUMNS": "80", **env},
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_account_is_applied_listed_and_its_key_rotated() -> None:
    data = reachable_folder()
    made = tidings("apply", "-", data=data, text=FILE)
    assert made.returncode == 0, made.stderr
    (account,) = json.loads(made.stdout)["accounts"]
    assert sorted(account) == ["apiKey", "environment", "id", "name", "signingSecret"]
    assert account["apiKey"].startswith("td_sandbox_")
    assert account["signingSecret"] == "whsec_given"
    assert (data / "master.key").stat().st_mode & 0o777 == 0o600

    (again,) = json.loads(tidings("apply", "-", data=data, text=FILE).stdout)["accounts"]
    assert again == {key: value for key, value in account.items() if key != "apiKey"}

    rotated = tidings("keys", "rotate", "acme", "--overlap-hours", "2", data=data)
    assert rotated.stdout.startswith("td_sandbox_")
    assert "stay valid for 2 hours" in rotated.stderr

    (listed,) = json.loads(tidings("accounts", "list", "--json", data=data).stdout)["accounts"]
    assert (listed["id"], listed["active"]) == (account["id"], True)


def test_a_refusal_is_a_sentence_on_stderr_and_exit_code_one(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('[[accounts]]\nname = "a"\nenvironment = "moon"\nactive = 3\n')
    refused = tidings("apply", str(bad), data=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.splitlines() == [
        "error: nothing was applied, because of the file:",
        '  accounts[0].environment must be "sandbox" or "live", not "moon"',
        "  accounts[0].active must be true or false, not 3",
    ]


@pytest.mark.parametrize(
    ("arguments", "env", "sentence"),
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
def test_what_an_operator_can_mend_never_shows_a_traceback(
    arguments, env, sentence, tmp_path: Path
) -> None:
    refused = tidings(*arguments, data=tmp_path, **env)
    assert refused.returncode == 1
    assert re.match(f"error: {sentence}", refused.stderr)
    assert "Traceback" not in refused.stderr
    assert "CANARY" not in refused.stderr


def test_wrong_usage_is_exit_code_two(tmp_path: Path) -> None:
    assert tidings("aply", data=tmp_path).returncode == 2


def test_help_names_every_command_and_the_version_is_printed(tmp_path: Path) -> None:
    shown = tidings("--help", data=tmp_path).stdout
    for command in ("serve", "apply", "migrate", "keys", "accounts", "settings", "doctor"):
        assert command in shown
    assert tidings("--version", data=tmp_path).stdout == f"tidings {__version__}\n"
