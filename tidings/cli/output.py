"""Everything that a command prints goes through here.

Names, references and error texts come from tenants. Printed raw, they could move the cursor of the
operator's terminal or rename its window, so control characters and bidirectional overrides are
shown as escapes and no markup is interpreted. Lines are not wrapped: an id can be copied whole,
from a terminal and from a pipe.
"""

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import msgspec
import typer
from rich.cells import cell_len

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

# C0, DEL and C1 controls, line separators, bidirectional embeddings and isolates, lone surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
GAP = "  "


class Refused(Exception):
    """A command cannot do what was asked. Its text goes to stderr, and the exit code is 1."""


@dataclass(frozen=True, slots=True)
class Styled:
    """Text with a colour, which is dropped where the output is not a terminal."""

    text: str
    colour: str | None = None
    bold: bool = False
    dim: bool = False


def visible(text: str) -> str:
    """The text on one line, with control characters as escapes such as `\\x1b`."""
    return _UNSAFE.sub(lambda found: _escape(found[0]), text)


def visible_lines(text: str) -> str:
    """`visible`, but line breaks are kept."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode()


def say(*parts: str | Styled) -> None:
    """Print part of the result, on stdout."""
    _print(sys.stdout, parts)


def remark(*parts: str | Styled) -> None:
    """Print a remark about the result, on stderr."""
    _print(sys.stderr, parts)


def progress_bar(*columns: "ProgressColumn") -> "Progress":
    """On stderr; disabled where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress

    hidden = not sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


def _print(stream: TextIO, parts: Sequence[str | Styled]) -> None:
    # click drops the colours where the stream is not a terminal.
    typer.echo("".join(map(_part, parts)), file=stream)


def _part(part: str | Styled) -> str:
    if isinstance(part, str):
        return visible_lines(part)
    return typer.style(
        visible(part.text), fg=part.colour, bold=part.bold or None, dim=part.dim or None
    )


def write_data(text: str) -> None:
    """Print a file's content: unchanged into a pipe, with escapes on a terminal."""
    if sys.stdout.isatty():
        text = "\n".join(visible(line.removesuffix("\r")) for line in text.split("\n"))
    sys.stdout.write(text)


def print_json(value: object, *, indent: int = 2) -> None:
    """JSON on stdout; an indent of -1 prints one line."""
    typer.echo(json_text(value, indent=indent))


def json_text(value: object, *, indent: int = 2) -> str:
    """JSON whose strings have no character that a terminal obeys."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=indent).decode()
    # Outside of strings, line breaks are the only such characters in JSON.
    return _UNSAFE.sub(lambda c: c[0] if c[0] == "\n" else f"\\u{ord(c[0]):04x}", text)


def print_fields(data: Mapping[str, object]) -> None:
    """A line for each value: its name, dotted where it is nested, and the value."""
    for name, value in _flatten(data):
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        say(Styled(name, bold=True), " ", visible(text))


def _flatten(data: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Nested values by dotted names, such as `error.code`; null values are left out."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        elif value is not None:
            yield f"{prefix}{name}", value


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, none: str) -> None:
    """Print rows under headings; a heading that ends in `>` aligns its column to the right, and
    `none` is printed in place of an empty table.

    Cells are never wrapped: where a row does not fit the terminal, each cell gets its own line.
    """
    names = [heading.rstrip(">") for heading in headings]
    cells = [["" if value is None else visible(str(value)) for value in row] for row in rows]
    widths = [max(cell_len(row[column]) for row in [names, *cells]) for column in range(len(names))]
    if not cells:
        say(none)
    elif sum(widths) + len(GAP) * (len(widths) - 1) > _width():
        _print_records(names, cells)
    else:
        right = [heading.endswith(">") for heading in headings]
        _print_rows([names, ["-" * width for width in widths], *cells], widths, right)


def _width() -> float:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else float("inf")


def _print_rows(rows: list[list[str]], widths: list[int], right: list[bool]) -> None:
    for index, row in enumerate(rows):
        padded = (_padded(*cell) for cell in zip(row, widths, right, strict=True))
        line = GAP.join(padded).rstrip()
        typer.echo(typer.style(line, bold=True) if index == 0 else line)


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def _print_records(names: list[str], rows: list[list[str]]) -> None:
    width = max(map(cell_len, names))
    for number, row in enumerate(rows):
        if number:
            typer.echo()
        for name, text in zip(names, row, strict=True):
            typer.echo(f"{_padded(name, width, False)}{GAP}{text}".rstrip())
