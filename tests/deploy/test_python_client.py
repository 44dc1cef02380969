"""`pip install tidings-client` in an empty environment: it sends, and its types are seen."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.service import TestAccount

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "clients" / "python"
UV = Path(sys.executable).with_name("uv")
PROGRAM = """
import asyncio, sys
from tidings_client import AsyncTidings, Tidings, TidingsError

with Tidings() as client:
    sent = client.messages.send_text(to="972501234567", template_name="plain")
    print(sent.status, client.messages.get(sent.client_message_id).to)
    try:
        client.messages.send_text(to="12", template_name="plain")
    except TidingsError as error:
        print(type(error).__name__, error.field)

async def main() -> None:
    async with AsyncTidings() as client:
        print([message.status async for message in client.messages.list()])

asyncio.run(main())
"""
MISTAKES = """
from tidings_client import Tidings, webhooks

client = Tidings()
client.messages.send_text(too="972501234567")
client.messages.send_bulk(messages=[{"to": "972501234567", "template": "plain"}])
client.messages.get("order-0001").timline
event = webhooks.verify(b"", {}, "whsec_x")
if event.type == "guest.confirmed":
    event.data.answerr
"""


def call(*words: str | Path, **options: Any) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, which must therefore be complete."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [UV, "build", "--quiet", "--no-build-isolation", "--python", sys.executable]
    call(*build, "--sdist", "--out-dir", folder, PROJECT)
    (archive,) = folder.glob("*.tar.gz")
    call(*build, "--wheel", "--out-dir", folder, archive)
    (built,) = folder.glob("*.whl")
    return built


def interpreters() -> list[str]:
    """The oldest Python that the client is for, where there is one, and our own."""
    oldest = subprocess.run(
        [UV, "python", "find", "--no-python-downloads", "3.10"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    ours = str(Path(sys.executable).resolve())
    return [oldest.stdout.strip(), ours] if oldest.returncode == 0 else [ours]


def install(wheel: Path, python: str, folder: Path) -> Path:
    """An environment with the wheel, and the versions that we are locked to."""
    call(UV, "venv", "--quiet", "--python", python, folder / "venv")
    locked = (ROOT / "requirements" / "dev.txt").read_text()
    versions = re.findall(r"^(\S+==[^\s\\]+)", locked, re.MULTILINE)
    (folder / "versions.txt").write_text("\n".join(versions))
    made = folder / "venv" / "bin" / "python"
    limit = ["--constraint", folder / "versions.txt"]
    call(UV, "pip", "install", "--quiet", "--python", made, *limit, wheel)
    return made


@pytest.mark.parametrize("python", interpreters(), ids=lambda path: Path(path).name)
def test_the_installed_client_sends(
    wheel: Path, python: str, account: TestAccount, tmp_path: Path
) -> None:
    made = install(wheel, python, tmp_path)
    env = {
        "PATH": os.defpath,
        "TIDINGS_API_KEY": account.key,
        "TIDINGS_URL": account.service.url,
    }
    printed = call(made, "-c", PROGRAM, cwd=tmp_path, env=env)
    assert printed.splitlines() == ["sent 972501234567", "InvalidPhoneError to", "['sent']"]


def test_a_type_checker_finds_mistakes_of_its_user(wheel: Path, tmp_path: Path) -> None:
    made = install(wheel, sys.executable, tmp_path)
    (tmp_path / "use.py").write_text(MISTAKES)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    checked = subprocess.run(
        [*mypy, "--python-executable", made, "use.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.findall(r"^use\.py:(\d+): error", checked.stdout, re.MULTILINE)
    assert found == ["5", "6", "7", "10"], checked.stdout
