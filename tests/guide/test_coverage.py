"""No endpoint, field, error, event, setting, command or metric without a sentence in the docs."""

import re
from collections.abc import Iterator

import typer

from tests.support.service import TestService
from tidings import operations
from tidings.cli.main import app
from tidings.cli.running.setting_list import listed
from tidings.guide import error_pages, event_pages, interface, library

ROW = re.compile(r"^\| (.+?) \|$", re.MULTILINE)


def rows(address: str) -> list[list[str]]:
    """The cells of every table of a page."""
    page = library.find(address)
    assert page is not None, address
    text = page.markdown.replace("\\|", "¦")
    return [[cell.strip() for cell in row.split("|")] for row in ROW.findall(text)]


def is_sentence(text: str) -> bool:
    return len(re.findall(r"\w+", text)) >= 2


def explained(address: str, names: set[str]) -> set[str]:
    """Those that a row begins with whose other cells say something."""
    found = set()
    for first, *others in rows(address):
        if any(is_sentence(cell) for cell in others):
            found |= {name for name in names if name in first}
    return found


def test_every_endpoint_has_a_title_and_a_sentence() -> None:
    for method, path, operation in interface.operations():
        said = f"{operation['summary']} {operation.get('description', '')}"
        assert is_sentence(said), f"{method} {path}"
        assert operation.get("tags"), f"{method} {path} is in no chapter of the reference"


def test_every_field_of_every_event_has_a_sentence() -> None:
    for name in event_pages.kinds():
        table = [row for row in rows(f"events/{name}") if row[0].startswith("`")]
        assert table and all(is_sentence(row[2]) for row in table), name


def test_every_error_says_its_cause_and_its_fix() -> None:
    for code in error_pages.codes():
        page = library.find(f"errors/{code}")
        assert page is not None
        _, cause, *_ = page.markdown.split("\n\n")
        fix = page.markdown.partition("## Fix\n\n")[2].partition("\n")[0]
        assert is_sentence(cause) and is_sentence(fix), code


def test_every_setting_has_a_sentence() -> None:
    names = {one.name for one in listed({})}
    assert explained("operating/configure", names) == names


def test_every_command_has_a_sentence() -> None:
    names = set(commands(typer.main.get_command(app)))
    table = [row for row in rows("operating/commands") if row[0].startswith("`tidings ")]
    text = " ".join(first for first, *_ in table)
    assert not [name for name in names if not re.search(spelled(name), text)]
    assert not [first for first, *others in table if not any(map(is_sentence, others))]


def commands(command: object, words: str = "tidings") -> Iterator[str]:
    below = getattr(command, "commands", None)
    if below is None:
        yield words
    for name, one in (below or {}).items():
        if not one.hidden:
            yield from commands(one, f"{words} {name}")


def spelled(name: str) -> str:
    """`tidings invoices pay` may be written `tidings invoices list¦pay¦void`."""
    *before, last = name.split(" ")
    return re.escape(" ".join(before)) + rf" (?:[\w¦-]+¦)?{re.escape(last)}\b"


def test_every_metric_has_a_sentence(service: TestService) -> None:
    answer = service.call(lambda: operations.get_metrics.handle(service.ctx, None))
    names = set(re.findall(r"^# TYPE (tidings_\w+) ", answer.body.decode(), re.MULTILINE))
    assert len(names) > 20
    assert explained("operating/observe", names) == names
