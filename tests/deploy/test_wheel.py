"""`pip install tidings` as a stranger does it: an empty environment and folder, and no rights."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.stranger import Stranger, stop, wait_for
from tidings import __version__

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
CURL = r"(curl [^\n]*(?:\\\n[^\n]*)*)"


def call(*words: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Where others may look, too; pytest's own folders are for their owner alone."""
    made = Path(tempfile.mkdtemp(prefix="tidings-packages-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    """Built from the source distribution, which must therefore be complete."""
    call(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder / "sdist")
    (archive,) = (folder / "sdist").glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "wheel"]
    call(*build, cwd=source)
    (built,) = (folder / "wheel").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(folder: Path, wheel: Path) -> Path:
    """An empty environment with the wheel and what it is locked to."""
    made = folder / "venv"
    call(UV, "venv", "--quiet", "--python", Path(sys.executable).resolve(), made)
    install = [UV, "pip", "install", "--quiet", "--python", made / "bin" / "python"]
    call(*install, "--require-hashes", "-r", ROOT / "requirements" / "run.txt")
    call(*install, "--no-deps", wheel)
    call(UV, "pip", "check", "--python", made / "bin" / "python")
    return made


def test_the_block_of_the_page_installs_the_command(folder: Path, wheel: Path) -> None:
    """As it stands, with the wheel in place of the name, up to the demo, which is tried below."""
    page = (ROOT / "docs" / "operating" / "install.md").read_text()
    (block,) = re.findall(r"## With pip\n\n```text\n(.*?)```", page, re.DOTALL)
    *lines, last = block.splitlines()
    assert last.endswith("tidings serve --demo")
    lines = [re.sub(r"pip install tidings$", f"pip install {wheel}", line) for line in lines]
    script = "\n".join(lines).replace("/opt/tidings", str(folder / "opt"))
    locked = (ROOT / "requirements" / "run.txt").read_text()
    versions = re.findall(r"^(\S+==[^\s;\\]+)", locked, re.MULTILINE)
    (folder / "versions.txt").write_text("\n".join(versions))
    python = Path(sys.executable).resolve().parent
    env = {"PATH": f"{python}:{os.environ['PATH']}", "PIP_CONSTRAINT": str(folder / "versions.txt")}
    done = subprocess.run(
        ["sh", "-euc", script], env=os.environ | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"tidings {__version__}\n")


@pytest.fixture
def stranger(folder: Path, environment: Path) -> Iterator[Stranger]:
    home = Path(tempfile.mkdtemp(dir=folder))
    yield Stranger(home, environment / "bin")


def test_the_command_says_its_version(stranger: Stranger) -> None:
    assert stranger.run("tidings", "--version") == f"tidings {__version__}\n"
    assert list(stranger.home.iterdir()) == []


@pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
def test_the_demo_answers_the_curl_line_that_it_prints(stranger: Stranger, folder: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "demo.log"
    process = stranger.start("tidings", "serve", "--demo", "--port", str(port), log=log)
    try:
        line = wait_for(log, CURL + r"\n\s*\n", process)[1]
        assert f":{port}/" in line
        assert '"success":true' in stranger.run("sh", "-c", line).replace(" ", "")
        for page in ("quick-start", "errors/ALREADY_SENT", "changelog", "clients/python"):
            found = stranger.run("curl", "-s", f"http://127.0.0.1:{port}/guide/{page}")
            assert "<article" in found, page
    finally:
        assert stop(process) == 0, log.read_text()
