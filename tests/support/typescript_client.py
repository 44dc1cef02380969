"""The TypeScript client of this repository, built if need be: for its tests, samples, examples.

`built_client()` is the package's folder. `link_client(folder)` lets programs in another folder
import it by its name, as from npm.
"""

import fcntl
import itertools
import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.service import TestService
from tidings.cli.running import demo

PACKAGE = Path(__file__).parents[2] / "clients" / "typescript"
NAME = "@tidings/client"
_count = itertools.count(1)

needs_npm = pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm (Debian: nodejs npm)")


def built_client() -> Path:
    """Installs and builds what is missing or older than its sources; several processes may ask."""
    with (PACKAGE / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _install()
        sources = [*(PACKAGE / "src").rglob("*.ts"), PACKAGE / "tsconfig.json"]
        if is_older(PACKAGE / "dist" / "index.js", sources):
            run(PACKAGE, "npm", "run", "build")
    return PACKAGE


def link_client(folder: Path) -> None:
    """Makes the client importable for programs in this folder."""
    place = folder / "node_modules" / NAME
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(built_client(), target_is_directory=True)


def demo_account(service: TestService, folder: Path) -> dict[str, str]:
    """Accounts like those of `make run`, new in each call: what another program sent to one would
    be a duplicate. As the environment of a program that uses the client."""
    file = demo.read_or_make(folder).replace('name = "demo', f'name = "demo-{next(_count)}')
    service.apply(file)
    partner, account = tomllib.loads(file)["accounts"]
    return {
        "TIDINGS_URL": service.url,
        "TIDINGS_API_KEY": account["apiKey"],
        "TIDINGS_SIGNING_SECRET": account["signingSecret"],
        "TIDINGS_PARTNER_KEY": partner["apiKey"],
    }


def _install() -> None:
    """Once for each state of the lock file."""
    installed = PACKAGE / "node_modules" / ".package-lock.json"
    if is_older(installed, [PACKAGE / "package-lock.json"]):
        run(PACKAGE, "npm", "ci", "--no-audit", "--no-fund")


def is_older(made: Path, sources: Iterable[Path]) -> bool:
    if not made.exists():
        return True
    return made.stat().st_mtime < max(source.stat().st_mtime for source in sources)


def run(folder: Path, *command: str | Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout
