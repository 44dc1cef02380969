"""Locates the members and items of a large JSON text, in short steps (8). Pure.

One decoder call over megabytes would block the event loop. So a large body is outlined first: a
linear scan, one chunk at a time, finds the spans of the top-level members and of the elements of
their arrays, and stops at the first limit that is exceeded. Each span is then decoded on its own.
Nothing is copied, and no objects are built for nested values.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeVar

from tidings.limits import JSON_ITEMS_MAX, JSON_TOKENS_MAX

T = TypeVar("T")
Steps = Generator[None, None, T]  # the caller may pause at each `yield`; the end returns a T
Span = tuple[int, int]

CHUNK_BYTES = 16 << 10  # scanned in one step
LITERAL_CHUNK_BYTES = 256 << 10  # inside one long string, which scans faster
NESTING_MAX = 512  # beyond it the whole text is refused, not only the nested value

_OUTSIDE = rb'[^"\[\]{},]*+'
_INSIDE = rb'[^"\\]*+(?:\\.[^"\\]*+)*+'
_LITERAL = rb'"%b"' % _INSIDE


def _small_group(levels: int) -> bytes:
    """A bracket that closes in the same chunk, with at most `levels` levels inside it, is skipped
    by the regular expression alone. Its number of parts is below JSON_ITEMS_MAX, so a long list is
    never skipped."""
    inner = rb"|" + _small_group(levels - 1) if levels else b""
    part = rb'(?:[^"\[\]{},]++|,|%b%b){0,%d}+' % (_LITERAL, inner, JSON_ITEMS_MAX - 1)
    return rb"\[%b\]|\{%b\}" % (part, part)


_GAP = rb"%b(?:(?:%b|%b)%b)*+" % (_OUTSIDE, _LITERAL, _small_group(3), _OUTSIDE)
_TOKEN = re.compile(_GAP + rb"([\[{]++|[\]}]++|,)|.++", re.DOTALL)
_SKIPPED = re.compile(_GAP, re.DOTALL)
_RUN = re.compile(_OUTSIDE)
_TEXT = re.compile(_INSIDE, re.DOTALL)
_NAME = re.compile(_LITERAL, re.DOTALL)
_BLANKS = re.compile(rb"[ \t\r\n]*+")
_COLON = re.compile(rb"[ \t\r\n]*+:[ \t\r\n]*+")
_QUOTE, _COMMA, _LIST, _OBJECT = b'",[{'
_CLOSING = {_LIST: ord("]"), _OBJECT: ord("}")}


class Malformed(Exception):
    """Not a JSON object; the message says why."""


class TooDeep(Exception):
    """Brackets nest beyond NESTING_MAX."""


class TooLong(Exception):
    """A list or object, or the whole text, has too many members."""


@dataclass(slots=True)
class Member:
    """One `name: value` of the object. `items` are the spans of an array's elements."""

    name: Span  # with its quotes
    value: Span
    is_text: bool  # the value is one string literal that is longer than a chunk
    items: list[Span] | None

    @property
    def size(self) -> int:
        return self.value[1] - self.value[0]


@dataclass(slots=True)
class _Scan:
    """The state of the scan."""

    text: memoryview
    chunk: int
    commas: list[int] = field(default_factory=list)  # per open bracket
    tokens: int = 0  # brackets and commas
    opened: tuple[int, int] = (0, 0)  # the open brackets of the two outer levels
    start: int = 0  # where the current member begins
    element: int = 0  # where the current array element begins
    array: Span = (0, 0)  # the last array that is the value of a member
    items: list[Span] = field(default_factory=list)  # the elements of that array
    literals: list[Span] = field(default_factory=list)  # long strings of this member
    members: list[Member] = field(default_factory=list)
    end: int = -1  # past the closing bracket


def outline(text: memoryview, chunk: int = CHUNK_BYTES) -> Steps[list[Member]]:
    """The members of the object, in order."""
    scan = _Scan(text, chunk)
    at, size = _begin(scan), len(text)
    while at < size and scan.end < 0:
        stop = _scan_chunk(scan, at, min(at + chunk, size))
        if scan.tokens > JSON_TOKENS_MAX:
            raise TooLong(f"more than {JSON_TOKENS_MAX} brackets and commas; send less at once")
        yield
        if stop == at:  # a string begins here that does not end within the chunk
            stop = yield from _pass_literal(scan, at)
        at = stop
    if scan.end < 0:
        raise Malformed("it ends early")
    if size - scan.end > chunk or not _is_blank(text, scan.end, size):
        raise Malformed(f"something stands after its end (byte {scan.end})")
    return scan.members


def _scan_chunk(scan: _Scan, at: int, end: int) -> int:
    """Process the brackets and commas up to `end`. Returns where to continue: `at` itself if a
    string begins there that does not end in this chunk."""
    text, commas = scan.text, scan.commas
    for found in _TOKEN.finditer(text, at, end):
        if found.lastindex is None:  # no further bracket or comma
            return _end_of_gap(scan, at, end)
        start, at = found.span(1)
        mark = text[start]
        scan.tokens += 1
        if mark == _COMMA:
            commas[-1] += 1
            if commas[-1] >= JSON_ITEMS_MAX:
                raise TooLong(f"a list in it has more than {JSON_ITEMS_MAX} items")
            if len(commas) <= 2:
                _end_part(scan, start)
        elif mark in _CLOSING:
            _open(scan, start, at)
        else:
            _close(scan, start, at)
            if scan.end >= 0:
                return scan.end
    return at


def _end_of_gap(scan: _Scan, at: int, end: int) -> int:
    skipped, run = _SKIPPED.match(scan.text, at, end), _RUN.match(scan.text, at, end)
    assert skipped and run, "both match the empty string"
    if run.end() - at >= scan.chunk:
        raise Malformed(f"it has a number or a blank of more than {scan.chunk} bytes (byte {at})")
    return skipped.end()


def _pass_literal(scan: _Scan, at: int) -> Steps[int]:
    """Skip the string that begins at `at`; returns its end."""
    text, size = scan.text, len(scan.text)
    stop = at + 1
    while stop < size and text[stop] != _QUOTE:
        found = _TEXT.match(text, stop, min(stop + LITERAL_CHUNK_BYTES, size))
        assert found, "it matches the empty string"
        if found.end() == stop:  # the text ends with a backslash
            break
        stop = found.end()
        yield
    if stop >= size or text[stop] != _QUOTE:
        raise Malformed("it ends early, within a string")
    if len(scan.commas) == 1:
        scan.literals.append((at, stop + 1))
    return stop + 1


def _open(scan: _Scan, start: int, stop: int) -> None:
    """Process a run of opening brackets. Below the two outer levels they are only counted."""
    for at in range(start, stop):
        if len(scan.commas) >= 2:
            scan.commas.extend([0] * (stop - at))
            break
        scan.commas.append(0)
        scan.opened = (scan.opened[0], at)
        scan.element = at + 1
        scan.items = []
    if len(scan.commas) > NESTING_MAX:
        raise TooDeep


def _begin(scan: _Scan) -> int:
    """Skip the opening bracket of the top-level object."""
    blanks = _BLANKS.match(scan.text, 0, scan.chunk)
    at = blanks.end() if blanks else 0
    if at >= len(scan.text) or scan.text[at] != _OBJECT:
        raise Malformed("it must be a JSON object")
    scan.commas.append(0)
    scan.opened = (at, at)
    scan.start = at + 1
    return scan.start


def _end_part(scan: _Scan, at: int) -> None:
    """Process a comma on one of the two outer levels."""
    if len(scan.commas) == 1:
        scan.members.append(_member(scan, at))
        scan.start = at + 1
        scan.literals = []
    elif scan.text[scan.opened[1]] == _LIST:
        scan.items.append((scan.element, at))
        scan.element = at + 1


def _close(scan: _Scan, start: int, stop: int) -> None:
    """Process a run of closing brackets, up to the one that ends the object."""
    for at in range(start, stop):
        level = len(scan.commas)
        if level > 2:
            scan.commas.pop()
            continue
        if scan.text[at] != _CLOSING[scan.text[scan.opened[level - 1]]]:
            raise Malformed(f"a bracket closes that is not open (byte {at})")
        first = scan.element if level == 2 else scan.start
        if scan.commas[-1] or not _is_blank(scan.text, first, at):
            _end_part(scan, at)
        scan.commas.pop()
        if level == 1:
            scan.end = at + 1
            return
        scan.array = (scan.opened[1], at + 1)


def _member(scan: _Scan, end: int) -> Member:
    text = scan.text
    blanks = _BLANKS.match(text, scan.start, end)
    start = blanks.end() if blanks else scan.start
    name = next((literal for literal in scan.literals if literal[0] == start), None)
    if name is None:
        found = _NAME.match(text, start, end)
        name = (start, found.end() if found else start)
    colon = _COLON.match(text, name[1], end)
    if colon is None or name[0] == name[1]:
        raise Malformed(f"a field has no name (byte {start})")
    tail = bytes(text[max(colon.end(), end - 2 * scan.chunk) : end])
    value = (colon.end(), end - len(tail) + len(tail.rstrip(b" \t\r\n")))
    if value[0] >= value[1]:
        raise Malformed(f"a field has no value (byte {end})")
    items = scan.items if scan.array == value and text[value[0]] == _LIST else None
    return Member(name, value, value in scan.literals, items)


def _is_blank(text: memoryview, start: int, end: int) -> bool:
    found = _BLANKS.match(text, start, end)
    return found is not None and found.end() == end
