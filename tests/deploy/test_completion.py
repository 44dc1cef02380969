"""`tidings completion`: sourced by real shells, which then complete commands and options."""

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.terminal import Terminal

BIN = Path(sys.executable).parent
SHELLS = {
    "bash": (["bash", "--norc", "-i"], "source <(tidings completion bash)"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D; source <(tidings completion zsh)",
    ),
}


def environment(home: Path) -> dict[str, str]:
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "TERM": "dumb", "LANG": "C.UTF-8", "PS1": "$ "}


@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_completes_commands_options_and_values(name: str, tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    command, source = SHELLS[name]
    with closing(Terminal(*command, env=environment(tmp_path))) as shell:
        shell.write(f"{source}; echo rea''dy\n")
        shell.expect("ready")
        shell.write("tidings mess\t")
        shell.expect("tidings messages ")
        shell.write("--st\t")
        shell.expect("--status ")
        shell.write("failed\x15tidings keys ro\t")
        shell.expect("rotate ")


def test_fish_completes_commands_options_and_values(tmp_path: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    asked = ("mess", "messages --st", "guests settle E 1 y")
    script = "tidings completion fish | source; " + "; ".join(
        f"complete -C 'tidings {line}'" for line in asked
    )
    done = subprocess.run(
        ["fish", "-c", script],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["messages", "--status", "yes"]
