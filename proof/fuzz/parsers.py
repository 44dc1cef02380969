"""Fuzzes every parser, led by the branches that an input takes (atheris, libFuzzer).

A process for each parser, as libFuzzer ends its own. What breaks a promise stays in the folder as
the input itself, and is given again by `python -m proof.fuzz.parsers NAME FILE`.
"""

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import atheris

INPUT_BYTES_MAX = 20_000
SECONDS_MAX = 5  # of one input
MEMORY_MB_MAX = 1024
AT_ONCE = 2
_RUNS = re.compile(rb"Done (\d+) runs|#(\d+)\s")
_COVERED = re.compile(rb"cov: (\d+)")


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """What became of one parser."""

    name: str
    inputs: int
    covered: int  # branches
    broken: str  # the last lines of a failure


def main(seconds: int, only: str | None, folder: Path, seed: int, *, as_json: bool) -> int:
    from proof.fuzz.parser_targets import TARGETS
    from tidings.cli.output import progress_bar  # not above: only what comes later is led

    names = [name for name in TARGETS if only is None or name in only.split(",")]
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Fuzzed] = []
    with progress_bar() as progress:
        task = progress.add_task("parsers", total=len(names))
        for start in range(0, len(names), AT_ONCE):
            running = [
                _start(name, seconds, folder, seed) for name in names[start : start + AT_ONCE]
            ]
            ended = [_ended(name, process) for name, process in running]
            found += ended
            for one in ended if not as_json else ():
                _show(one)
            progress.update(task, completed=len(found))
    if as_json:
        print(json.dumps([{name: getattr(one, name) for name in one.__slots__} for one in found]))
    return 1 if any(one.broken for one in found) else 0


def _show(one: Fuzzed) -> None:
    words = f"{one.inputs:>10,} inputs, {one.covered:>5,} branches"
    print(f"{'BROKEN' if one.broken else 'kept  '} {one.name:13} {words} {one.broken}".rstrip())


def _start(name: str, seconds: int, folder: Path, seed: int) -> tuple[str, subprocess.Popen[bytes]]:
    command = [
        sys.executable, "-m", "proof.fuzz.parsers", name, f"-max_total_time={seconds}",
        f"-seed={seed}", f"-max_len={INPUT_BYTES_MAX}", f"-timeout={SECONDS_MAX}",
        f"-rss_limit_mb={MEMORY_MB_MAX}", f"-artifact_prefix={folder}/{name}-",
    ]  # fmt: skip
    return name, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _ended(name: str, process: subprocess.Popen[bytes]) -> Fuzzed:
    _, said = process.communicate()
    runs = [int(one or other) for one, other in _RUNS.findall(said)]
    covered = [int(one) for one in _COVERED.findall(said)]
    broken = "" if process.returncode == 0 else said.decode("utf-8", "replace")[-1500:]
    return Fuzzed(name, max(runs, default=0), max(covered, default=0), broken)


def fuzz(name: str, words: list[str]) -> None:
    """In a process of its own: never returns."""
    with atheris.instrument_imports(include=["tidings"], enable_loader_override=False):
        from proof.fuzz.parser_targets import TARGETS
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds):
            (Path(corpus) / str(number)).write_bytes(seed)
        files = [word for word in words if not word.startswith("-")]
        atheris.Setup([sys.argv[0], *words, *([] if files else [corpus])], target.check)
        atheris.Fuzz()


if __name__ == "__main__":
    fuzz(sys.argv[1], sys.argv[2:])
