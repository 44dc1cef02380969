"""Requests whose answers were wrong, kept as files that `--replay` sends again."""

import json
from pathlib import Path

from proof.fuzz.call import Call
from proof.fuzz.drive import Failure
from proof.fuzz.known import Known


def save(folder: Path, seed: int, failure: Failure, known: Known) -> Path:
    """One file a request: its bytes, and the ids of that run, which another run replaces."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{seed}-{failure.number}.json"
    call = failure.call
    kept = {
        "name": call.name, "area": call.area, "status": failure.status, "faults": failure.faults,
        "environment": call.environment, "alone": call.is_alone, "ids": known.ids,
        "media": known.media_query, "bytes": call.raw.decode("latin-1"),
    }  # fmt: skip
    path.write_text(json.dumps(kept, indent=1))
    return path


def load(path: Path, known: Known) -> Call:
    """The request of a file, aimed at what exists now."""
    kept = json.loads(path.read_text())
    text: str = kept["bytes"]
    for name, old in kept["ids"].items():
        if old and name in known.ids:
            text = text.replace(old, known.ids[name])
    if kept["media"]:
        text = text.replace(kept["media"], known.media_query)
    raw = text.encode("latin-1")
    return Call(kept["area"], kept["name"], raw, None, kept["environment"], kept["alone"])
