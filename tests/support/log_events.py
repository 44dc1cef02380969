"""Every log line that the code writes, read from its source: event, level and fields."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.house_rules import FILES, ROOT
from tests.support.parsing import parse

LEVELS = {"debug", "info", "warning", "error", "exception"}
TRACEBACK = "exc_info"  # shown as `exception`


class LogEvent(NamedTuple):
    name: str | None  # None: it is not a literal
    levels: frozenset[str]
    fields: frozenset[str]
    place: str


def find_events() -> list[LogEvent]:
    """Of the program; the simulator writes none."""
    return [
        event
        for path in FILES
        if path.startswith("tidings/")
        for event in _of_file(path, (Path(ROOT) / path).read_text())
    ]


def _of_file(path: str, source: str) -> Iterator[LogEvent]:
    if "structlog.get_logger" not in source:
        return
    tree = parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_logger(node.func):
            yield _event(node, f"{path}:{node.lineno}")
        elif isinstance(node, ast.expr) and _is_logger(node) and id(node) not in called:
            # Named to be called elsewhere: that hides the level.
            yield LogEvent(None, frozenset(), frozenset(), f"{path}:{node.lineno}")


def _is_logger(function: ast.expr) -> bool:
    """`log.info` and its like."""
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "log"
    )


def _event(call: ast.Call, place: str) -> LogEvent:
    assert isinstance(call.func, ast.Attribute)
    method, arguments = call.func.attr, call.args
    levels = frozenset({"error" if method == "exception" else method})
    if method == "log":  # the level is computed
        names = {node.attr.lower() for node in ast.walk(arguments[0]) if _is_level(node)}
        levels, arguments = frozenset(names), arguments[1:]
    first = arguments[0] if arguments else None
    name = first.value if isinstance(first, ast.Constant) else None
    fields = {keyword.arg or "**" for keyword in call.keywords} - {TRACEBACK}
    return LogEvent(name, levels, frozenset(fields), place)


def _is_level(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.lower() in LEVELS
