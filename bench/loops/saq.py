"""Dispatch by SAQ, a task queue, on a Redis that writes every command to disk: the bar of ours."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from bench.loops.programs import drain, module, program
from bench.stage import free_port

JOBS = 3_000
ROOT = Path(__file__).parent.parent.parent
PEERS = ROOT / ".venv-peers" / "bin"


def is_installed() -> bool:
    return bool(shutil.which("redis-server")) and (PEERS / "saq").exists()


def dispatch(jobs: int = JOBS) -> dict[str, Any]:
    """Jobs a second, from the first post that came to the last."""
    redis = free_port()
    folder = Path(tempfile.mkdtemp(prefix="saq-bench-"))
    store = ["redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--dir", str(folder)]
    store += ["--save", "", "--appendonly", "yes", "--appendfsync", "always"]
    try:
        with module("sink") as sink, program(store, redis):
            env = {
                "SAQ_URL": f"redis://127.0.0.1:{redis}/0",
                "SINK_URL": f"http://127.0.0.1:{sink}/messages",
                "PYTHONPATH": str(ROOT),
            }
            words = [str(PEERS / "python"), "-m", "bench.loops.saq_jobs", str(jobs)]
            subprocess.run(words, env={**os.environ, **env}, check=True, capture_output=True)
            with program([str(PEERS / "saq"), "bench.loops.saq_jobs.settings"], env=env):
                came = drain(sink, lambda found: found["requests"] >= jobs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    passed = came["lastAt"] - came["firstAt"]
    return {"perSecond": round((came["requests"] - 1) / passed), "dispatched": came["requests"]}


if __name__ == "__main__":
    print(json.dumps(dispatch()))
