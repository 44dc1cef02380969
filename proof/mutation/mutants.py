"""Find every small change that can be made to a module: its mutants.

A mutant is a replacement of one node of the syntax tree. Left alone are annotations, decorators,
defaults, assertions, docstrings, log lines, the text of errors, the numbers of columns, names for
types, and declarations in class bodies.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import python_changes, sql_changes

Where = tuple[str | int, ...]  # the fields and indices that lead from the tree to a node
Function = ast.FunctionDef | ast.AsyncFunctionDef
IGNORED = (ast.Assert, ast.Import, ast.ImportFrom)
SIGNATURE = ("annotation", "returns", "decorator_list", "args", "type_params")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    path: str
    scope: str  # the outermost function that it is in, or the name that a module's statement binds
    line: int
    change: str  # "what it was -> what it is"
    kind: str
    name: str  # unique, and independent of line numbers
    where: Where
    new: ast.AST
    first: int  # the lines that run it
    last: int
    statement: int | None  # of the module's body, where it is in no function
    used: frozenset[int]  # the lines of functions that use what this statement binds


def find(root: Path, path: str) -> list[Mutant]:
    """All mutants of a file."""
    tree = ast.parse((root / path).read_text())
    seen: Counter[str] = Counter()
    found = []
    uses = _uses(tree)
    for number, top in enumerate(tree.body):
        for scope, where, node, statement in _scopes(top, ("body", number), "", number):
            for at, inner, line in _nodes(node, where, statement is not None):
                for kind, change, new in _changes(inner):
                    name = f"{path.removeprefix('tidings/')} {scope}: {change}"
                    seen[name] += 1
                    name += f" (#{seen[name]})" if seen[name] > 1 else ""
                    last = getattr(inner, "end_lineno", line) or line
                    used = frozenset() if statement is None else uses.get(scope, frozenset())
                    found.append(
                        Mutant(
                            path, scope, line, change, kind, name, at, new, line, last, statement,
                            used,
                        )
                    )  # fmt: skip
    return found


def _uses(tree: ast.Module) -> dict[str, frozenset[int]]:
    """The lines of functions that use each name of the module, also by way of another name."""
    used: dict[str, set[int]] = {}
    bound = [top for top in tree.body if isinstance(top, ast.Assign | ast.AnnAssign)]
    for top in tree.body:
        if isinstance(top, (*Function.__args__, ast.ClassDef)):
            for node in ast.walk(top):
                if isinstance(node, ast.Name):
                    used.setdefault(node.id, set()).add(node.lineno)
    for top in reversed(bound):
        target = top.targets[0] if isinstance(top, ast.Assign) else top.target
        if isinstance(target, ast.Name) and top.value is not None:
            for node in ast.walk(top.value):
                if isinstance(node, ast.Name):
                    used.setdefault(node.id, set()).update(used.get(target.id, set()))
    return {name: frozenset(lines) for name, lines in used.items()}


def _scopes(
    node: ast.AST, where: Where, prefix: str, statement: int
) -> Iterator[tuple[str, Where, ast.AST, int | None]]:
    """The functions of a class, a function, or a statement that binds names."""
    if isinstance(node, Function):
        yield prefix + node.name, where, node, None
    elif isinstance(node, ast.ClassDef):
        if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
            return
        for number, inner in enumerate(node.body):
            if isinstance(inner, Function):
                inside = f"{prefix}{node.name}."
                yield from _scopes(inner, (*where, "body", number), inside, statement)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and not _is_union(node.value):
            yield target.id, where, node, statement


def _is_union(node: ast.AST | None) -> bool:
    """A name for several types: for the type checker alone."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _is_union(node.left) and _is_union(node.right)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name)
    return isinstance(node, ast.Name) and node.id[0].isupper() and not node.id.isupper()


def _nodes(node: ast.AST, where: Where, is_module: bool) -> Iterator[tuple[Where, ast.AST, int]]:
    """The nodes below this one that may be changed, with the line of the statement's part."""
    for field, value in ast.iter_fields(node):
        if field in SIGNATURE and isinstance(node, (*Function.__args__, ast.arg, ast.AnnAssign)):
            continue
        children = value if isinstance(value, list) else [value]
        for number, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            if isinstance(node, ast.Subscript) and isinstance(child, ast.Constant):
                continue  # the number of a column
            at = (*where, field, number) if isinstance(value, list) else (*where, field)
            line = getattr(child, "lineno", getattr(node, "lineno", 0))
            yield at, child, line
            if not isinstance(child, ast.JoinedStr | ast.Raise):
                yield from _nodes(child, at, is_module)


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, (*IGNORED, ast.expr_context)):
        return True
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    if isinstance(value, ast.Constant):  # a docstring
        return True
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(called, ast.Attribute) and ast.unparse(called.value) == "log"


def _changes(node: ast.AST) -> Iterator[tuple[str, str, ast.AST]]:
    yield from python_changes.changes(node)
    yield from sql_changes.changes(node)
