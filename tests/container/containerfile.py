"""A Containerfile carried out without a container engine: a stage is a folder, and its commands
run in it.

The base image is a folder with Debian and Python in it (debootstrap). Packages come from a folder
of wheels that pip has fetched by the same locks, so the build itself needs no network.
"""

import json
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

WHEELS = "wheels"  # in a build's root
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Image:
    """A stage, and in the end the image."""

    root: Path
    env: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    folder: str = "/"
    user: str = "0:0"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    stop_signal: str = ""
    volumes: list[str] = field(default_factory=list)


def instructions(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.split("\n"))]


class Build:
    def __init__(self, context: Path, base: Path, wheels: Path, out: Path) -> None:
        self._context, self._base, self._wheels, self._out = context, base, wheels, out
        self._stages: dict[str, Image] = {}

    def run(self, file: Path) -> Image:
        image: Image | None = None
        for word, rest in instructions(file.read_text()):
            if word == "FROM":
                image = self._begin(rest)
            else:
                assert image is not None
                getattr(self, f"_{word.lower()}")(image, rest)
        assert image is not None
        return image

    def _begin(self, rest: str) -> Image:
        name = rest.partition(" AS ")[2] or "last"
        root = self._out / name
        subprocess.run(["cp", "-a", "--reflink=auto", self._base, root], check=True)
        self._stages[name] = Image(root)
        return self._stages[name]

    def _run(self, image: Image, rest: str) -> None:
        wheels = image.root / WHEELS
        shutil.copytree(self._wheels, wheels)
        env = image.env | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"/{WHEELS}"}
        words = ["chroot", image.root, "env", "-i", *(f"{k}={v}" for k, v in env.items())]
        command = f"cd {image.folder} && {rest}"
        done = subprocess.run(
            [*words, "sh", "-c", command], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{rest}: {done.stdout}{done.stderr}"
        shutil.rmtree(wheels)

    def _copy(self, image: Image, rest: str) -> None:
        *sources, target = rest.split()
        origin = self._context
        if sources[0].startswith("--from="):
            origin = self._stages[sources.pop(0).removeprefix("--from=")].root
        into = image.root / (Path(image.folder) / target).relative_to("/")
        for source in sources:
            path = origin / source.lstrip("/")
            if path.is_dir():
                shutil.copytree(path, into, symlinks=True, dirs_exist_ok=True)
            else:
                place = into / path.name if target.endswith("/") else into
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)

    def _env(self, image: Image, rest: str) -> None:
        image.env |= dict(pair.split("=", 1) for pair in shlex.split(rest))

    def _workdir(self, image: Image, rest: str) -> None:
        image.folder = rest
        (image.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _volume(self, image: Image, rest: str) -> None:
        image.volumes.append(rest)

    def _user(self, image: Image, rest: str) -> None:
        image.user = rest

    def _expose(self, image: Image, rest: str) -> None:
        pass

    def _stopsignal(self, image: Image, rest: str) -> None:
        image.stop_signal = rest

    def _healthcheck(self, image: Image, rest: str) -> None:
        image.health = json.loads(rest.partition("CMD ")[2])

    def _entrypoint(self, image: Image, rest: str) -> None:
        image.entrypoint = json.loads(rest)

    def _cmd(self, image: Image, rest: str) -> None:
        image.command = json.loads(rest)
