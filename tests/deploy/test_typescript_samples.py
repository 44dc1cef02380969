"""Every TypeScript sample of the reference is type-checked and run as printed, in one Node."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.receiver import Receiver
from tests.support.sample_reader import Json, Reader, operations, sample_of
from tests.support.service import TestService
from tests.support.typescript_client import PACKAGE, link_client, needs_npm, run

pytestmark = needs_npm

# Imports a file for every line, and says on stderr what came of it; the samples print on stdout.
RUNNER = """
import { createInterface } from "node:readline/promises";

for await (const file of createInterface({ input: process.stdin })) {
  let fault = "";
  try { await import(file); } catch (error) { fault = String(error?.stack ?? error); }
  process.stderr.write(`${JSON.stringify(fault)}\\n`);
}
"""
CONFIG = {
    "extends": str(PACKAGE / "tsconfig.json"),
    "compilerOptions": {
        "declaration": False, "rootDir": ".", "outDir": "dist",
        "typeRoots": [str(PACKAGE / "node_modules" / "@types")],
    },
    "include": ["sample-*.ts"],
}  # fmt: skip


@pytest.fixture
def samples(service: TestService, tmp_path: Path) -> list[tuple[str, Json, str]]:
    """(name, operation, file) of every sample, compiled in `dist`."""
    document = service.http.get("/api/v1/openapi.json").json()
    found = []
    for index, (name, operation) in enumerate(operations(document)):
        source = sample_of(operation, "TypeScript")
        if source is not None:
            (tmp_path / f"sample-{index}.ts").write_text(source)
            found.append((name, operation, f"sample-{index}.js"))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps(CONFIG))
    (tmp_path / "runner.js").write_text(RUNNER)
    link_client(tmp_path)
    run(tmp_path, "node", PACKAGE / "node_modules" / "typescript" / "bin" / "tsc", "-p", ".")
    return found


def test_every_typescript_sample_works_as_printed(
    service: TestService, receiver: Receiver, tmp_path: Path, samples: list[tuple[str, Json, str]]
) -> None:
    url = service.http.get("/api/v1/openapi.json").json()["servers"][0]["url"]
    reader = Reader(service, receiver, url, tmp_path, "typescript-samples")
    with started(tmp_path) as node:
        for name, operation, file in samples:
            if name.endswith("/upload"):
                reader.keep_file(operation)
            compiled = reader.fill(name, (tmp_path / "dist" / file).read_text())
            (tmp_path / file).write_text(compiled)
            assert imported(node, tmp_path / file) == "", name
            reader.remember(name)
    assert {"DEMO-0001.pdf", "photo.jpg"} <= {file.name for file in tmp_path.iterdir()}
    assert len(samples) > 50


@contextmanager
def started(folder: Path) -> Iterator[subprocess.Popen[str]]:
    with (folder / "printed").open("w") as printed:
        node = subprocess.Popen(
            ["node", "runner.js"], cwd=folder, text=True,
            stdin=subprocess.PIPE, stdout=printed, stderr=subprocess.PIPE,
            env=os.environ | {"NODE_NO_WARNINGS": "1"},
        )  # fmt: skip
        with node:
            yield node
            assert node.stdin is not None
            node.stdin.close()


def imported(node: subprocess.Popen[str], file: Path) -> str:
    """What went wrong when Node ran the file; empty: nothing."""
    assert node.stdin is not None and node.stderr is not None
    node.stdin.write(f"{file.as_uri()}\n")
    node.stdin.flush()
    fault: str = json.loads(node.stderr.readline())
    return fault
