"""Every Python sample of the reference is run as printed, with the client of this repository."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.receiver import Receiver
from tests.support.sample_reader import Reader, operations, sample_of
from tests.support.service import TestService

pytest.importorskip("tidings_client")


def test_every_python_sample_works_as_printed(
    service: TestService,
    receiver: Receiver,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = service.http.get("/api/v1/openapi.json").json()
    reader = Reader(service, receiver, document["servers"][0]["url"], tmp_path, "python-samples")
    monkeypatch.chdir(tmp_path)
    made: dict[str, dict[str, Any]] = {}
    for name, operation in operations(document):
        sample = sample_of(operation, "Python")
        if sample is None:
            continue
        if name.endswith("/upload"):
            reader.keep_file(operation)
        source = reader.fill(name, sample)
        run(source, name, made)
        reader.remember(name)
        assert capsys.readouterr().out or "open(" in source, name
    assert {"DEMO-0001.pdf", "photo.jpg"} <= {file.name for file in tmp_path.iterdir()}


def run(source: str, name: str, made: dict[str, dict[str, Any]]) -> None:
    """Samples that make the same client share it: making one costs more than using it."""
    found = re.match(r".*^client = Tidings\(.*?\)\n", source, re.DOTALL | re.MULTILINE)
    assert found is not None, source
    begin, rest = found[0], source[found.end() :]
    if begin not in made:
        made[begin] = {}
        exec(compile(begin, name, "exec"), made[begin])
    exec(compile(rest, name, "exec"), made[begin])


def test_what_has_no_python_sample_is_for_browsers_and_the_platform(service: TestService) -> None:
    document = service.http.get("/api/v1/openapi.json").json()
    bare = [name for name, it in operations(document) if sample_of(it, "Python") is None]
    assert bare == [
        "GET /r/{code}",
        "GET /api/v1/openapi.json",
        "GET /docs",
        "GET /platform/whatsapp/webhook",
        "POST /platform/whatsapp/webhook",
    ]
