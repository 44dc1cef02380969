"""Dispatch from a backlog, beside SAQ: 20,000 messages of a live account wait, then a worker
starts.

The platform is reached by HTTP and sends no status callbacks, and the account has no webhook
address: what is measured is claiming, sending and recording, from the first send that reaches the
platform to the last.
"""

import json
import statistics
from typing import Any

from rich.progress import Progress

from bench.loops import saq, tidings
from bench.loops.installation import installation, serving
from bench.loops.programs import drain, figures_of, module, on_all_cores

WAITING = 20_000


def measure(rounds: int, waiting: int = WAITING) -> dict[str, Any]:
    ours, theirs = [], []
    with on_all_cores(), Progress(transient=True) as progress:
        task = progress.add_task("dispatch from a backlog", total=rounds * 2)
        for _ in range(rounds):
            if saq.is_installed():
                theirs.append(saq.dispatch()["perSecond"])
            progress.advance(task)
            ours.append(dispatch(waiting)["perSecond"])
            progress.advance(task)
    found: dict[str, Any] = {"perSecond": statistics.median(ours), "rounds": ours}
    if theirs:
        bar = statistics.median(theirs)
        found |= {"saq": bar, "saqRounds": theirs, "ofSaq": round(found["perSecond"] / bar, 2)}
    return found


def dispatch(waiting: int = WAITING) -> dict[str, Any]:
    with module("platform", "0") as platform, installation(platform) as made:
        with serving(made):
            pass  # declared, and its template is known
        with made.serve("--roles", "api,portal"):
            tidings.post_batches(made.port, waiting)
        early = figures_of(platform)["sends"]
        if early:
            raise RuntimeError(f"{early} messages were sent while no worker ran")
        with made.serve("--roles", "worker", listens=False):
            sent = drain(platform, lambda found: found["sends"] >= waiting)
    passed = sent["lastAt"] - sent["firstAt"]
    return {"perSecond": round((sent["sends"] - 1) / passed), "dispatched": sent["sends"]}


if __name__ == "__main__":
    print(json.dumps(dispatch()))
