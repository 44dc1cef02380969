"""The Containerfile in folders of an empty Debian: the image builds, starts and is healthy.

What runs is what a container engine would run: the entry point as process 1 of its own namespaces,
as the image's user, on a read-only file system with /data and /tmp. Needs root;
`make test-container` makes the base.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.container.containerfile import Build, Image

ROOT = Path(__file__).parents[2]
BASE = ROOT / ".container-base"
HEALTHY_SECONDS_MAX = 300.0
START = """
set -e
mount --bind "$ROOT" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -t tmpfs tmpfs "$ROOT/dev/shm"
mount --bind "$DATA" "$ROOT/data"
ip link set lo up
exec "$@"
"""
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/api/v1/health').read())"

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root"),
    pytest.mark.skipif(not BASE.exists(), reason="make test-container makes the base"),
]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    folder = tmp_path_factory.mktemp("image")
    wheels = folder / "wheels"
    for name in ("run", "build"):
        lock = ROOT / "requirements" / f"{name}.txt"
        fetch = [sys.executable, "-m", "pip", "download", "-q", "--require-hashes"]
        subprocess.run([*fetch, "-r", lock, "-d", wheels], check=True)
    yield Build(ROOT, BASE, wheels, folder).run(ROOT / "Containerfile")
    shutil.rmtree(folder, ignore_errors=True)


def within(image: Image, words: list[str]) -> list[str]:
    """As the engine starts a program of the image."""
    user = ["chroot", f"--userspec={image.user}", str(image.root)]
    variables = [f"{name}={value}" for name, value in image.env.items()]
    return [*user, "env", "-i", "-C", image.folder, *variables, *words]


@pytest.fixture(scope="module")
def container(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The process id of the entry point, seen from outside."""
    data = tmp_path_factory.mktemp("data")
    uid, gid = map(int, image.user.split(":"))
    os.chown(data, uid, gid)
    words = within(image, image.entrypoint + image.command)
    namespaces = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child"]
    process = subprocess.Popen(
        [*namespaces, "sh", "-c", START, "sh", *words],
        env=os.environ | {"ROOT": str(image.root), "DATA": str(data)},
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.05)
    yield int(found[0])
    os.kill(int(found[0]), getattr(signal, image.stop_signal))
    assert process.wait(120) == 0, "it stops by its signal, with exit code 0"


def inside(container: int, *words: str) -> subprocess.CompletedProcess[str]:
    enter = ["nsenter", "--target", str(container), "--mount", "--net", "--pid"]
    return subprocess.run([*enter, *words], capture_output=True, text=True, check=False)


def test_the_image_has_no_compiler_and_no_root(image: Image) -> None:
    for name in ("gcc", "cc", "make"):
        assert not (image.root / "usr" / "bin" / name).exists()
    assert image.user.split(":")[0] != "0"
    assert not (image.root / "src").exists()


def test_it_becomes_healthy_and_answers(image: Image, container: int) -> None:
    end = time.monotonic() + HEALTHY_SECONDS_MAX
    while (done := inside(container, *within(image, image.health))).returncode != 0:
        assert time.monotonic() < end, done.stderr
        time.sleep(1)
    assert done.stdout == "ok\n"
    answer = inside(container, *within(image, ["python3", "-c", ASK]))
    assert '"success":true' in answer.stdout, answer.stderr


def test_it_writes_to_its_volume_alone(image: Image, container: int) -> None:
    done = inside(container, *within(image, ["touch", "/opt/tidings/new"]))
    assert "Read-only file system" in done.stderr
    status = Path(f"/proc/{container}/status").read_text()
    assert f"Uid:\t{image.user.split(':')[0]}" in status
