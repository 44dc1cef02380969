"""Workers for many histories at once."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any, Self

import msgspec

from proof.simulation.history import Told
from proof.simulation.worker import Asked

HISTORIES_OF_A_WORKER = 25
WORKER = [sys.executable, "-m", "proof.simulation.worker"]


class Worker:
    def __init__(self, base: Mapping[str, Any]) -> None:
        self._process = subprocess.Popen(
            [*WORKER, json.dumps(dict(base))],
            env=os.environ | {"PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.told = 0

    def tell(self, asked: Asked) -> Told:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(asked) + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker died of seed {asked.seed}")
        self.told += 1
        return msgspec.json.decode(line, type=Told)

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def tell_all(base: Mapping[str, Any], seeds: Iterable[int], jobs: int) -> Iterator[Told]:
    """As they come; `jobs` at a time."""
    waiting: SimpleQueue[int | None] = SimpleQueue()
    for seed in seeds:
        waiting.put(seed)
    done: SimpleQueue[Told | BaseException | None] = SimpleQueue()
    for _ in range(jobs):
        waiting.put(None)
        threading.Thread(target=_work, args=(base, waiting.get, done.put), daemon=True).start()
    working = jobs
    while working:
        told = done.get()
        if told is None:
            working -= 1
        elif isinstance(told, BaseException):
            raise told
        else:
            yield told


def _work(
    base: Mapping[str, Any],
    take: Callable[[], int | None],
    give: Callable[[Told | BaseException | None], None],
) -> None:
    try:
        seed = take()
        while seed is not None:
            with Worker(base) as worker:
                while seed is not None and worker.told < HISTORIES_OF_A_WORKER:
                    give(worker.tell(Asked(seed)))
                    seed = take()
        give(None)
    except BaseException as error:  # noqa: BLE001 - raised where the histories are asked for
        give(error)
