"""Everything that a command prints goes through here.

Names, references and error texts come from tenants. Printed raw, they could move the cursor of the
operator's terminal or rename its window, so control characters and bidirectional overrides are
shown as escapes and no markup is interpreted. Lines are not wrapped: an id can be copied whole,
from a terminal and from a pipe. Colours are for terminals only, and off where NO_COLOR is set.
"""

import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import msgspec
import typer
from rich.cells import cell_len

from .colours import STATES, state_colour

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


def escape_unknown_letters() -> None:
    """Show as escapes what the output's encoding lacks: a guest's name must not end a command."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def say(*parts: str | Styled) -> None:
    """Print part of the result, on stdout."""
    _print(sys.stdout, parts)


def say_above(lines: Iterable[Sequence[str | Styled]], typed: str) -> None:
    """`say` lines on a terminal while somebody types, and show again what was typed."""
    sys.stdout.write("\r\x1b[K")
    for line in lines:
        say(*line)
    sys.stdout.write(typed)
    sys.stdout.flush()


def remark(*parts: str | Styled) -> None:
    """Print a remark about the result, on stderr."""
    _print(sys.stderr, parts)


def progress_bar(*columns: "ProgressColumn") -> "Progress":
    """On stderr; disabled where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress

    hidden = not sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


@contextmanager
def waiting(what: str, *, hidden: bool = False) -> Iterator[Callable[[str], None]]:
    """Show on a terminal that the work goes on; yields what replaces the text."""
    if hidden or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(visible(what))) as status:
        yield lambda text: status.update(Text(visible(text)))


def _print(stream: TextIO, parts: Sequence[str | Styled]) -> None:
    _write("".join(map(_part, parts)), stream)


def _write(line: str, stream: TextIO | None = None) -> None:
    # Typer drops the colours where the stream is not a terminal.
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    typer.echo(line, file=stream, color=False if plain else None)


def _part(part: str | Styled) -> str:
    return visible_lines(part) if isinstance(part, str) else _styled(part)


def _styled(part: Styled) -> str:
    text = visible(part.text)
    if not text or not (part.colour or part.bold or part.dim):
        return text
    return typer.style(text, fg=part.colour, bold=part.bold or None, dim=part.dim or None)


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
        colour = state_colour(text) if name in STATES else None
        say(Styled(name, bold=True), " ", Styled(text, colour))


def _flatten(data: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Nested values by dotted names, such as `error.code`; null values are left out."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        elif value is not None:
            yield f"{prefix}{name}", value


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, none: str) -> None:
    """Print rows under headings; a heading that ends in `>` aligns its column to the right, and
    `none` is printed in place of an empty table. States have colours.

    Cells are never wrapped: where a row does not fit the terminal, each cell gets its own line.
    """
    names = [heading.rstrip(">") for heading in headings]
    cells = [[_cell(*cell) for cell in zip(names, row, strict=True)] for row in rows]
    heads = [Styled(name, bold=True) for name in names]
    widths = [
        max(_width_of(row[column]) for row in [heads, *cells]) for column in range(len(names))
    ]
    if not cells:
        say(none)
    elif sum(widths) + len(GAP) * (len(widths) - 1) > _terminal_width():
        _print_records(heads, cells)
    else:
        right = [heading.endswith(">") for heading in headings]
        line = [Styled("-" * width, dim=True) for width in widths]
        _print_rows([heads, line, *cells], widths, right)


def _cell(name: str, value: object) -> Styled:
    if isinstance(value, Styled):
        return value
    text = "" if value is None else str(value)
    return Styled(text, state_colour(text) if name in STATES else None)


def _terminal_width() -> float:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else float("inf")


def _width_of(cell: Styled) -> int:
    return cell_len(visible(cell.text))


def _print_rows(rows: list[list[Styled]], widths: list[int], right: list[bool]) -> None:
    for row in rows:
        padded = (_padded(*cell) for cell in zip(row, widths, right, strict=True))
        _write(GAP.join(padded).rstrip())


def _padded(cell: Styled, width: int, right: bool) -> str:
    space = " " * (width - _width_of(cell))
    return space + _styled(cell) if right else _styled(cell) + space


def _print_records(heads: list[Styled], rows: list[list[Styled]]) -> None:
    width = max(map(_width_of, heads))
    for number, row in enumerate(rows):
        if number:
            _write("")
        for head, cell in zip(heads, row, strict=True):
            _write(f"{_padded(head, width, False)}{GAP}{_styled(cell)}".rstrip())
