"""A full disk: the data folder and its database are on a file system of their own, which is filled.

Run as `python -m proof.bounds.disk FOLDER` inside a mount namespace, where FOLDER is that file
system; `measure` arranges it. The log is on the same disk.
"""

import http.client
import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from proof.bounds.others import watching
from proof.bounds.promises import Promise
from proof.bounds.stage import PRESSING, Stage, serving

PART = "full disk"
MEGABYTES = 700
FULL_SECONDS, BACK_SECONDS = 40.0, 20.0
PIECE = b"\0" * 65536
SHOWN = 3


def measure() -> list[Promise]:
    """In a namespace whose mounts end with it."""
    script = (
        "set -e; folder=$(mktemp -d); "
        f'mount -t tmpfs -o size={MEGABYTES}m,mode=755 tmpfs "$folder"; '
        f'status=0; "{sys.executable}" -m proof.bounds.disk "$folder" || status=$?; '
        'umount -l "$folder"; rmdir "$folder"; exit $status'
    )
    made = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE, check=True
    )
    return [Promise(**one) for one in json.loads(made.stdout)]


def press(folder: Path) -> list[Promise]:
    with serving(under=folder) as stage:
        require(_send(stage, 0), "200")
        before = stage.resident()
        ballast = folder / "ballast"
        _fill(ballast)
        with watching(stage) as seen:
            sends, reads, strange = _ask_for(stage, FULL_SECONDS)
        full = stage.resident()
        ballast.unlink()
        back = _await_send(stage)
    text = f"{FULL_SECONDS:.0f} s without a byte of room"
    refused = sends.total() - sends["200"]
    [health, _, memory] = seen.promises(PART, text, may_fail=True)
    return [
        health, memory,
        Promise(PART, f"{text}: memory, growth", round(full - before, 1), 30, " MB"),
        Promise(PART, f"{text}: sends refused, of {sends.total()}", refused, 1, at_least=True),
        Promise(PART, f"{text}: sends answered otherwise than 200, or 503 with Retry-After in the "
                f"envelope {strange[:SHOWN]}", len(strange), 0),
        Promise(PART, f"{text}: reads that failed, of {reads.total()}",
                reads.total() - reads["200"], 0),
        Promise(PART, "room again: a send is taken within", round(back, 2), BACK_SECONDS, " s"),
    ]  # fmt: skip


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(PIECE)
        except OSError:
            return


def _ask_for(stage: Stage, seconds: float) -> tuple[Counter[str], Counter[str], list[str]]:
    """What sends and reads are answered, in turns; and answers to sends that nobody could use."""
    sends, reads, strange = Counter[str](), Counter[str](), list[str]()
    until, n = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        n += 1
        sent = _send(stage, n)
        is_usable = sent[0] == "200" or (sent[0] == "503" and sent[1] and sent[2])
        if not is_usable:
            strange.append(sent[3])
        sends[sent[0]] += 1
        reads[_call(stage, "GET", "/messages?limit=10")[0]] += 1
    return sends, reads, strange


def _await_send(stage: Stage) -> float:
    began = time.monotonic()
    n = 10**6
    while _send(stage, n := n + 1)[0] != "200":
        if time.monotonic() - began > 3 * BACK_SECONDS:
            break
        time.sleep(0.1)
    return time.monotonic() - began


def _send(stage: Stage, n: int) -> tuple[str, bool, bool, str]:
    body = {"clientMessageId": f"disk-{n:08d}", "to": "972501234567", "templateName": "plain"}
    return _call(stage, "POST", "/messages/text", body)


def _call(
    stage: Stage, method: str, path: str, body: object = None
) -> tuple[str, bool, bool, str]:  # fmt: skip
    """The status, whether it says when to come again, whether it is our envelope, and the words."""
    headers = {"x-api-key": PRESSING, "content-type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", stage.port, timeout=30)
    try:
        connection.request(method, f"/api/v1{path}", json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        said = answer.read()
    except (OSError, http.client.HTTPException) as failure:
        return "none", False, False, repr(failure)
    finally:
        connection.close()
    is_ours = b'"success":' in said and b'"environment":' in said
    words = f"{answer.status} {said[:160]!r}"
    return str(answer.status), answer.getheader("retry-after") is not None, is_ours, words


def require(answer: tuple[str, bool, bool, str], status: str) -> None:
    if answer[0] != status:
        raise RuntimeError(answer[3])


if __name__ == "__main__":
    found = press(Path(sys.argv[1]))
    print(json.dumps([asdict(one) for one in found]))
