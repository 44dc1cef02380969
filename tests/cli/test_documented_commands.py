"""Every `tidings …` that the documentation shows is a command with these words and options."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from tidings.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
OPERATING = ROOT / "docs" / "operating" / "commands.md"
CALL = r"(?:\.venv/bin/)?tidings (?=[a-z-])"
TYPED = re.compile(rf"^(?:[A-Z_]+=\S+ )*{CALL}(.*)$")
INLINE = re.compile(rf"`(?:[A-Z_]+=\S+ )*{CALL}([^`]*)`")
ENDS = ("|", ">", "<", "&&")


def shown(text: str) -> Iterator[str]:
    """The words behind `tidings`, in code blocks and inside sentences."""
    fenced = False
    for line in text.replace("\\|", "|").splitlines():  # as it must be written in a table
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield from (found[1] for found in [TYPED.match(line.strip())] if found)
        yield from (found[1] for found in INLINE.finditer(line) if not fenced)


@cache
def command_line() -> Any:
    """Made once: typer takes 30 ms to make it, and the pages show hundreds of commands."""
    return typer.main.get_command(app)


def problem(words: list[str]) -> str | None:
    """What the command line would not take; values stand for themselves."""
    command = command_line()
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        name, *words = words
        if name not in command.commands:
            return f"there is no {name}"
        command = command.commands[name]
    options = {name: one for one in command.params for name in one.opts}
    places = sum(one.param_type_name == "argument" for one in command.params)
    while words:
        word, *words = words
        if word in ENDS:
            return None
        if word in ("-h", "--help", "…"):
            continue
        if word.startswith("-"):
            if word not in options:
                return f"there is no {word}"
            takes_value = not getattr(options[word], "is_flag", False)
            words = words[1:] if takes_value else words
        else:
            places -= 1
    return "there are too many words" if places < 0 else None


def alternatives(words: list[str]) -> list[list[str]]:
    """`invoices pay|void NUMBER` is two."""
    place = next(
        (n for n, word in enumerate(words) if re.fullmatch(r"[a-z]+(\|[a-z]+)+", word)), -1
    )
    if place < 0:
        return [words]
    return [[*words[:place], one, *words[place + 1 :]] for one in words[place].split("|")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_commands_that_are_there(page: Path) -> None:
    for text in shown(page.read_text()):
        for words in alternatives(shlex.split(text, comments=True)):
            assert problem(words) is None, f"tidings {text}: {problem(words)}"


def leaves(command: Any, name: str = "") -> Iterator[str]:
    if hasattr(command, "commands"):
        for word, below in command.commands.items():
            yield from leaves(below, f"{name} {word}")
    else:
        yield name.strip()


def test_the_operators_page_has_every_command() -> None:
    page = OPERATING.read_text().replace("\\|", "|")
    table = re.findall(r"^\| `tidings ([^`]*)` \|", page, re.MULTILINE)
    listed = {
        " ".join(word for word in words if word == word.lower() and not word.startswith("-"))
        for text in table
        for words in alternatives(text.split())
    }
    assert set(leaves(command_line())) - listed == set()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("serv", "there is no serv"),
        ("invoices pay 2026-1 --account a", None),
        ("invoices pay 2026-1 --acount a", "there is no --acount"),
        ("invoices pay 2026-1 2026-2", "there are too many words"),
        ("billing export --account a --from 2026-01-01 | head", None),
        ("billing dump", "there is no dump"),
    ],
)
def test_what_is_not_there_is_found(text: str, wrong: str | None) -> None:
    assert problem(shlex.split(text)) == wrong
