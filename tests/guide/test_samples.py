"""Samples of the guide that tests/test_docs.py does not run: the receivers of the quick start, and
the error pages, which catch what they say."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

import tidings_client.errors
from tests.support.observed import free_port
from tests.support.typescript_client import PACKAGE, link_client, needs_npm
from tests.support.waiting import eventually
from tidings.features.webhooks.rules import signed_headers
from tidings.guide import error_pages
from tidings.routes import EVENTS

ROOT = Path(__file__).parents[2]
QUICK_START = (ROOT / "docs" / "quick-start.md").read_text()
SECRET = "whsec_" + "s" * 43


def samples(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def test_the_page_of_a_code_catches_its_class_in_python() -> None:
    for code in error_pages.refusals():
        [sample] = samples(error_pages.page(code), "python")
        kind = getattr(tidings_client.errors, error_pages.class_name(code))

        def call(kind: Any = kind, code: str = code) -> None:
            raise kind("refused", code=code)

        exec(sample, {"call": call, "print": lambda *_: None})


def test_the_page_of_a_code_catches_its_class_in_typescript() -> None:
    exported = (PACKAGE / "src" / "generated" / "errors.ts").read_text()
    for code in error_pages.refusals():
        [sample] = samples(error_pages.page(code), "typescript")
        [name] = re.findall(r"import { (\w+) }", sample)
        assert f"export class {name} " in exported


def test_the_receiver_of_the_quick_start_verifies_in_python(tmp_path: Path) -> None:
    [sample] = samples(QUICK_START, "python")[1:]
    require_receiver(tmp_path, sample, "receiver.py", sys.executable)


@needs_npm
def test_the_receiver_of_the_quick_start_verifies_in_javascript(tmp_path: Path) -> None:
    [sample] = samples(QUICK_START, "javascript")
    link_client(tmp_path)
    require_receiver(tmp_path, sample, "receiver.mjs", "node")


def require_receiver(folder: Path, sample: str, name: str, program: str) -> None:
    port = free_port()
    (folder / name).write_text(sample.replace("3000", str(port)))
    body = httpx.Request("POST", "http://any", json=EVENTS[0].example_body()).read()
    with started(folder, program, name) as process:
        assert post(port, body, SECRET) == 204
        assert post(port, body, "whsec_" + "t" * 43) == 400
        assert process.stdout is not None
        assert process.stdout.readline() == f"verified {EVENTS[0].name}\n"
        assert process.stdout.readline() == "refused wrong_secret\n"


@contextmanager
def started(folder: Path, program: str, name: str) -> Iterator[subprocess.Popen[str]]:
    environment = os.environ | {"SIGNING_SECRET": SECRET}
    process = subprocess.Popen(
        [program, name], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def post(port: int, body: bytes, secret: str) -> int:
    headers = signed_headers(
        "whk_1", body, attempt=1, timestamp=int(time.time()), secret=secret, previous=None
    )

    found: list[int] = []

    def answered() -> bool:
        with suppress(httpx.ConnectError):  # it is about to listen
            answer = httpx.post(f"http://127.0.0.1:{port}", content=body, headers=headers)
            found.append(answer.status_code)
        return bool(found)

    eventually(answered)
    return found[0]
