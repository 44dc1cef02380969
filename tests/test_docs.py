"""The guides are true: their commands are run against a service, and must answer as they show.

A command is a code block of a shell with `curl` in it. The commands of one page run in order, in an
account of its own like that of `make run`, with the templates (```toml) that the page adds to it.
Samples in Python and TypeScript that have a `client` are run beside them.
$BASE and $KEY are set, $API and $URL too; the address and the key that `make run` prints are put in
their place. All must succeed, but for one below which the page shows an error: then that one comes.
What a page shows stands for what comes: an id shown in one answer and used further down is the real
one when the page is run, and so is one the reader is to fill in (BATCH=bat_...).
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.service import TestService
from tests.support.typescript_client import link_client, run
from tidings.cli.running import demo
from tidings_client import Tidings

ROOT = Path(__file__).parent.parent
GUIDES = sorted((ROOT / "docs" / "sending").glob("*.md"))
PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "billing.md",
    ROOT / "docs" / "invitations.md",
    ROOT / "docs" / "feedback.md",
    ROOT / "docs" / "migrating-from-cloud-api.md",
    ROOT / "docs" / "partners.md",
    ROOT / "docs" / "quick-start.md",
    ROOT / "docs" / "recipients.md",
    ROOT / "docs" / "webhooks.md",
    *sorted((ROOT / "docs" / "concepts").glob("*.md")),
    *GUIDES,
]
TYPESCRIPT_START = 'import { Tidings } from "@tidings/client";\nconst client = new Tidings();\n'
OUR_VARIABLES = ("BASE", "API", "URL", "KEY")
ASSIGNMENT = re.compile(r"^([A-Z]+)=(\S*)$", re.MULTILINE)
BLANK = re.compile(r"(?<==)([a-z]+_)(?:…|\.\.\.)$", re.MULTILINE)  # for the reader to fill in
PRINTED_KEY = re.compile(r"td_sandbox_(?:…|\.\.\.)")
PRINTED_ADDRESS = "http://127.0.0.1:8080"
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
ID_CHARS_MIN = 8  # shorter strings in an answer are no ids


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of code of a page: between fences, or indented."""

    language: str
    text: str
    line: int  # where it starts

    @property
    def is_command(self) -> bool:
        return (
            self.language in ("sh", "")
            and re.search(r"(^|\| ?)\s*curl ", self.text, re.M) is not None
        )

    @property
    def is_client_sample(self) -> bool:
        return self.language in ("python", "typescript") and (
            "client." in self.text or "Tidings()" in self.text
        )


def read_blocks(text: str) -> Iterator[Block]:
    fence: str | None = None
    lines: list[str] = []
    start = 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            if fence is not None:
                yield Block(fence, "\n".join(lines), start)
            fence, lines, start = (None if fence is not None else line[3:].strip()), [], number + 1
        elif fence is not None:
            lines.append(line)
        elif line.startswith("    "):
            start = start if lines else number
            lines.append(line[4:])
        elif lines:
            yield Block("", "\n".join(lines), start)
            lines = []


@dataclass(slots=True)
class Reader:
    """Somebody who goes through a page and types what it says."""

    service: TestService
    key: str
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)  # as shown: as they really are
    answers: str = ""  # all so far

    def run(self, block: Block) -> str:
        """What its commands print; they are apart from each other by empty lines."""
        printed = []
        for command in re.split(r"\n\n+", block.text):
            printed.append(self._type(command))
            self.answers += printed[-1]
        return "\n".join(printed).strip()

    def _type(self, command: str) -> str:
        text = PRINTED_KEY.sub(self.key, command).replace(PRINTED_ADDRESS, self.service.url)
        text = BLANK.sub(lambda blank: re.findall(rf"{blank[1]}\w+", self.answers)[-1], text)
        for shown, real in self.ids.items():
            text = text.replace(shown, real)
        self.variables |= dict(ASSIGNMENT.findall(text))
        ours = dict.fromkeys(OUR_VARIABLES, self.service.url) | {"KEY": self.key}
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text], env=os.environ | self.variables | ours,
            cwd=self.folder, capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.replace("\r", "").strip()

    def compare(self, printed: str, shown: str | None) -> None:
        if not printed.startswith("{"):
            assert shown is not None and printed.lower() == shown.lower(), printed
            return
        answers = list(read_json(printed))
        refused = shown is not None and re.search(r'"success"\s*:\s*false', shown)
        for answer in answers[:-1] if refused else answers:
            assert answer["success"] is True, answer
        if shown is not None and refused:
            code = re.search(r'"code"\s*:\s*"([A-Z_]+)"', shown)
            assert code and answers[-1]["error"]["code"] == code[1], answers[-1]
        elif shown is not None and shown.startswith('{"success"') and "…}" not in shown:
            self.learn(json.loads(shown)["data"], answers[-1]["data"])

    def learn(self, shown: Any, real: Any) -> None:
        """Names must be the same; values are other ones each time."""
        if isinstance(shown, dict):
            assert shown.keys() == real.keys(), f"shown {sorted(shown)}, came {sorted(real)}"
            for name in shown:
                self.learn(shown[name], real[name])
        elif isinstance(shown, list) and shown:
            self.learn(shown[0], real[0])
        elif isinstance(shown, str) and isinstance(real, str) and len(shown) >= ID_CHARS_MIN:
            self.ids[shown] = real


def read_json(text: str) -> Iterator[Any]:
    """Several answers, one after another."""
    while text:
        answer, end = json.JSONDecoder().raw_decode(text)
        yield answer
        text = text[end:].strip()


def page_account(service: TestService, page: Path, blocks: list[Block], folder: Path) -> str:
    """An account as `make run` makes it, and what the page adds to its file; its key, or that of
    the first account which the page declares for itself."""
    toml = demo.read_or_make(folder).replace('name = "demo', f'name = "{page.stem}-demo')
    more = [block.text for block in blocks if block.language == "toml"]
    made = service.apply("\n".join([toml, *more]))
    key: str = made[2 if len(made) > 2 else 1]["apiKey"]  # the demo partner is the first
    return key


@pytest.mark.skipif(shutil.which("curl") is None, reason="the guides use curl")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_the_commands_of_a_page_answer_as_it_says(
    service: TestService, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = list(read_blocks(page.read_text()))
    reader = Reader(service, page_account(service, page, blocks, tmp_path), tmp_path)
    monkeypatch.setenv("TIDINGS_API_KEY", reader.key)
    monkeypatch.setenv("TIDINGS_URL", service.url)
    for place, block in enumerate(blocks):
        try:
            if block.is_command:
                reader.compare(reader.run(block), answer_to(blocks[place + 1 :]))
            elif block.is_client_sample:
                run_sample(block, tmp_path)
        except AssertionError as fault:
            raise AssertionError(f"{page.name}:{block.line}: {fault}") from fault


def answer_to(after: list[Block]) -> str | None:
    """What a page shows as the answer to a command. The same in other languages may come before."""
    others = [block for block in after if not block.is_client_sample]
    if others and others[0].language in ("json", "") and not others[0].is_command:
        return others[0].text
    return None


def run_sample(block: Block, folder: Path) -> None:
    """In the account of the page, after the command that it stands beside: its id is a duplicate,
    so nothing changes for what follows."""
    if block.language == "python":
        exec(block.text, {"client": Tidings(), "print": lambda *_: None})
    elif shutil.which("npm") is not None:  # tests/clients say so where it is missing
        if not (folder / "node_modules").exists():
            link_client(folder)
        start = "" if "import" in block.text else TYPESCRIPT_START
        (folder / "sample.mjs").write_text(start + block.text)
        run(folder, "node", "sample.mjs")


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_a_guide_leads_to_pages_that_are_there(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} leads to {target}"


def test_the_index_names_every_guide() -> None:
    index = (ROOT / "docs" / "sending" / "README.md").read_text()
    missing = [page.name for page in GUIDES if page.name != "README.md" and page.name not in index]
    assert missing == []


def test_blocks_are_found_between_fences_and_where_they_are_indented() -> None:
    page = "Look:\n\n```sh\ncurl $BASE\n```\n\n    curl -s $URL \\\n      -d x\n\nEnd.\n    {}"
    assert [(block.language, block.text, block.line) for block in read_blocks(page)] == [
        ("sh", "curl $BASE", 4), ("", "curl -s $URL \\\n  -d x", 7), ("", "{}", 11),
    ]  # fmt: skip


def test_the_walks_of_the_architecture_page_name_functions_that_exist() -> None:
    """`file.py:function` and `file.py:Class.method`; a file is named by the end of its path."""
    page = (ROOT / "ARCHITECTURE.md").read_text()
    steps = re.findall(r"([a-z_/]+\.py):([A-Za-z_.]+)", page)
    assert len(steps) > 20
    files = list((ROOT / "tidings").rglob("*.py"))
    for path, name in steps:
        [file] = {one for one in files if f"/{one}".endswith(f"/{_full(path)}")} or [None]
        assert file is not None, f"{path} is not one file of tidings"
        defined = re.findall(r"^ *(?:async def|def|class) (\w+)", file.read_text(), re.MULTILINE)
        assert set(name.split(".")) <= {*defined, *_fields(file)}, f"{path} has no {name}"


def _fields(file: Path) -> list[str]:
    return re.findall(r"^ +self\.(\w+):", file.read_text(), re.MULTILINE)


def _full(path: str) -> str:
    """Within a walk the folder of the slice is named once."""
    stages = ("request", "accept", "send", "track", "read", "state")
    return f"messages/{path}" if path.split("/")[0] in stages else path
