"""Sections 7 and 8 of the specification, compared with the routes' codes and limits.py."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.spec.tables import table
from tests.support.parsing import parse
from tidings import limits
from tidings.engine.http.openapi import error_codes
from tidings.errors import ErrorCode
from tidings.routes import API, EXTENSIONS

CODES = table("codes")["code"]
ANSWERED = error_codes([*API, *EXTENSIONS])
LIMITS = [*table("limits")["limit"], *table("limits")["contract"]]
CONSTANTS = [pair for row in LIMITS for pair in row["constants"].items()]


def test_the_routes_answer_with_the_46_codes_of_the_specification() -> None:
    """Endpoints beyond the specification may have codes of their own."""
    stated = {(row["code"], row["http"]) for row in CODES}
    assert len(stated) == len(CODES) == 46
    assert stated <= {(code.name, code.status) for code in ANSWERED}


def test_a_code_is_declared_once() -> None:
    names = [code.name for code in ANSWERED]
    assert len(names) == len(set(names))


OF_PAGES = {"PeopleCode"}  # signing in: only the portal answers with these


def test_every_declared_code_is_raised_and_answered_by_a_route() -> None:
    """Outside the declarations of endpoints, which repeat the codes of the rules they apply."""
    declared = {f"{code.__class__.__name__}.{code.name}" for code in ANSWERED}
    used: set[str] = set()
    classes: set[str] = set()
    for path in Path(limits.__file__).parent.rglob("*.py"):
        tree = parse(path.read_text())
        classes |= {
            f"{node.name}.{member.targets[0].id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and "ErrorCode" in map(ast.unparse, node.bases)
            for member in node.body
            if isinstance(member, ast.Assign) and isinstance(member.targets[0], ast.Name)
        }
        used |= {
            ".".join(ast.unparse(node).split(".")[-2:])
            for node in _outside_declarations(tree)
            if isinstance(node, ast.Attribute) and node.attr.isupper()
        }
    of_pages = {name for name in classes if name.split(".")[0] in OF_PAGES}
    assert classes - of_pages == declared, (
        "a code that no route answers with, or that no slice declares"
    )
    assert declared | of_pages <= used, "a code that nothing raises"


def _outside_declarations(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        target = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
        if name != "Endpoint" and not target.endswith("_ERRORS"):
            yield node
            yield from _outside_declarations(node)


@pytest.mark.parametrize("code", ANSWERED, ids=lambda code: code.name)
def test_every_code_has_a_condition_to_show_and_a_status_of_an_error(code: ErrorCode) -> None:
    assert code.condition
    assert HTTPStatus(code.status).value >= 400


@pytest.mark.parametrize(("name", "stated"), CONSTANTS, ids=[name for name, _ in CONSTANTS])
def test_a_limit_has_its_stated_value(name: str, stated: object) -> None:
    assert as_stated(getattr(limits, name)) == stated


def test_the_table_of_limits_is_whole() -> None:
    assert len([row for row in LIMITS if "applies_to" in row]) == 22 + 2
    names = [name for name, _ in CONSTANTS]
    assert len(names) == len(set(names))


def as_stated(value: object) -> object:
    """A constant in the way limits.toml writes it."""
    if isinstance(value, timedelta):
        return {"seconds": value.total_seconds()}
    if isinstance(value, tuple):
        return [as_stated(item) for item in value]
    return value


def test_every_limit_is_kept_somewhere() -> None:
    """A number that nothing in the house reads promises what nobody does."""
    named = [name for name in vars(limits) if name.isupper()]
    house = Path(limits.__file__).parent
    sources = "\n".join(path.read_text() for path in house.rglob("*.py"))
    words = Counter(re.findall(r"\w+", sources))
    assert [name for name in named if words[name] == 1] == []
