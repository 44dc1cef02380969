"""`.ci/tools` installs what tests would be skipped without, and never ends a run by itself."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = (ROOT / ".ci/tools").read_text()
INSTALLED_BY = dict(re.findall(r"\[([\w-]+)\]=([\w-]+)", TOOLS))  # program: package
PROGRAMS = tuple(INSTALLED_BY)
PACKAGES = sorted(INSTALLED_BY.values())


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine of root's where none of the programs is installed: the folder of its programs."""
    for name in ("bash", "sort", "tr", "touch", "chmod"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    add(tmp_path, "id", "echo 0")
    add(tmp_path, "timeout", 'shift; "$@"')
    return tmp_path


def add(machine: Path, name: str, script: str) -> None:
    (machine / name).write_text(f"#!/usr/bin/bash\n{script}\n")
    (machine / name).chmod(0o755)


def run(machine: Path) -> str:
    done = subprocess.run(
        ["/usr/bin/bash", str(ROOT / ".ci" / "tools")],
        env={"PATH": str(machine)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def asked(machine: Path) -> list[list[str]]:
    """The packages of each `apt-get install`."""
    words = [line.split() for line in (machine / "asked").read_text().splitlines()]
    return [
        sorted(word for word in line[line.index("install") :] if word in PACKAGES)
        for line in words
        if "install" in line
    ]


def test_what_is_missing_is_installed(machine: Path) -> None:
    making = f"for one in {' '.join(PROGRAMS)}; do touch {machine}/$one; chmod +x {machine}/$one"
    add(machine, "apt-get", f'echo "$@" >> {machine}/asked; {making}; done')
    assert run(machine) == ""
    assert asked(machine) == [PACKAGES]
    assert run(machine) == ""
    assert asked(machine) == [PACKAGES], "nothing is missing any more"


def test_without_a_network_the_run_goes_on_and_says_what_is_missing(machine: Path) -> None:
    add(machine, "apt-get", f'echo "$@" >> {machine}/asked; echo noise; exit 100')
    add(machine, "curl", "")
    assert run(machine).split(": ")[1].split() == sorted(set(PROGRAMS) - {"curl"})
    assert asked(machine) == [[name for name in PACKAGES if name != "curl"]]


def test_a_user_or_a_machine_without_apt_is_left_as_it_is(machine: Path) -> None:
    assert "strace" in run(machine)
    add(machine, "apt-get", f'echo "$@" >> {machine}/asked')
    add(machine, "id", "echo 1000")
    assert "strace" in run(machine)
    assert not (machine / "asked").exists()


def test_a_run_says_how_many_tests_were_skipped(tmp_path: Path) -> None:
    sample = tmp_path / "test_sample.py"
    sample.write_text("import pytest\ndef test_it(): pytest.skip('no such tool')\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.support.skips", str(sample)]
    command += ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    )
    assert "Tests skipped: 1" in done.stdout and "no such tool" in done.stdout
