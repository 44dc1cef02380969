"""Every sample of the reference is run as printed, in the order of the page."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.receiver import Receiver
from tests.support.sample_reader import Reader, operations, sample_of
from tests.support.service import TestService

# Differ at each run: ids, cursors, sentences with figures in them, which event failed last.
VOLATILE = {
    "accountId", "batchId", "code", "id", "jobId", "mediaId", "message", "messageId", "nextCursor",
    "sendId", "shortUrl", "url", "webhookId", "from", "to", "period", "number", "payload",
}  # fmt: skip
ON_THE_WAY = {"queued", "sending", "sent", "delivered", "read"}  # which of them is a matter of time
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+Z")


@pytest.fixture(scope="module")
def document(service: TestService) -> dict[str, Any]:
    found: dict[str, Any] = service.http.get("/api/v1/openapi.json").json()
    return found


def test_every_endpoint_but_the_platforms_has_a_sample(document: dict[str, Any]) -> None:
    bare = [name for name, operation in operations(document) if "x-codeSamples" not in operation]
    assert bare == ["GET /platform/whatsapp/webhook", "POST /platform/whatsapp/webhook"]


def test_the_reference_begins_with_sending(document: dict[str, Any]) -> None:
    name, operation = operations(document)[0]
    assert name == "POST /api/v1/messages/text" and document["tags"][0]["name"] == "Messages"
    assert next(iter(document["paths"])) == "/api/v1/messages/text"
    assert "hello" in operation["x-codeSamples"][0]["source"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_every_command_works_as_printed(
    service: TestService, receiver: Receiver, document: dict[str, Any], tmp_path: Path
) -> None:
    reader = Reader(service, receiver, document["servers"][0]["url"], tmp_path)
    for name, operation in operations(document):
        sample = sample_of(operation, "curl")
        if sample is None:
            continue
        status, answer = run_command(reader.fill(name, sample), tmp_path)
        reader.remember(name)
        printed = operation["responses"].get(str(status))
        assert printed is not None, (name, status, answer)
        assert status < 400, (name, answer)
        example = printed.get("content", {}).get("application/json", {}).get("example")
        if example is not None:
            require_alike(name, example, json.loads(answer))


def run_command(command: str, folder: Path) -> tuple[int, str]:
    command = command.replace("curl ", "curl -s -w '\\n%{http_code}' ", 1)
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, errors="replace", check=True,
        cwd=folder,
    )  # fmt: skip
    answer, _, status = done.stdout.rpartition("\n")
    return int(status), answer


def require_alike(where: str, printed: Any, answered: Any) -> None:
    """The same fields with the same values, but for what differs at each run, and counts."""
    if isinstance(printed, dict) and isinstance(answered, dict):
        assert printed.keys() == answered.keys(), where
        for key, value in printed.items():
            if key in VOLATILE and isinstance(value, str | dict):
                assert type(answered[key]) is type(value), f"{where} {key}: {answered[key]!r}"
            else:
                require_alike(f"{where} {key}", value, answered[key])
    elif isinstance(printed, list) and isinstance(answered, list):
        assert bool(printed) == bool(answered), f"{where}: {answered!r}"
        for one, other in zip(printed, answered, strict=False):
            require_alike(f"{where}[]", one, other)
    elif isinstance(printed, str) and TIME.fullmatch(printed):
        assert TIME.fullmatch(answered), f"{where}: {answered!r}"
    elif printed in ON_THE_WAY:
        assert answered in ON_THE_WAY, where
    elif isinstance(printed, int | float) and not isinstance(printed, bool):
        assert isinstance(answered, int | float), f"{where}: {answered!r}"
    else:
        assert printed == answered, where
