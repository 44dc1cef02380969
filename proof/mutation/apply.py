"""Put a mutant in the place of the original, in this process, without importing anything anew.

A function gets the code of the mutated one, so every name that it was imported by has it. A
statement of a module is run again, with the statements that depend on it, and what it bound is
bound anew wherever it was imported.
"""

import ast
import copy
import gc
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .mutants import Mutant, Where

Place = tuple[str, str, int]  # file, qualified name, first line


class NotApplied(Exception):
    """The mutant is nowhere in this process."""


class Functions:
    """All functions of some files, by where they are defined."""

    def __init__(self, root: Path, paths: Iterable[str]) -> None:
        self._root = root
        files = {str(root / path) for path in paths}
        self._at: dict[Place, list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename in files:
                self._at.setdefault(_place(one.__code__), []).append(one)

    def apply(self, mutant: Mutant) -> None:
        """Put it in place of the original."""
        self._put(mutant, mutated((self._root / mutant.path).read_text(), mutant))

    def restore(self, mutant: Mutant) -> None:
        """Put the original in its place again."""
        self._put(mutant, ast.parse((self._root / mutant.path).read_text()))

    def _put(self, mutant: Mutant, tree: ast.Module) -> None:
        file = self._root / mutant.path
        _forget_results()
        if mutant.statement is not None:
            _run_again(_module(file), tree, mutant.statement)
            return
        for new in _codes(compile(tree, str(file), "exec")):
            if new.co_qualname == mutant.scope and _place(new) in self._at:
                for function in self._at[_place(new)]:
                    function.__code__ = new
                return
        raise NotApplied(mutant.name)


def _forget_results() -> None:
    """Those that `lru_cache` keeps: a mutant may have calculated them, or the original."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("tidings"):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The tree of the file with the change in it."""
    tree = ast.parse(source)
    _replace(tree, mutant.where, copy.deepcopy(mutant.new))
    return ast.fix_missing_locations(tree)


def _replace(tree: ast.AST, where: Where, new: ast.AST) -> None:
    parent: Any = tree
    for step in where[:-1]:
        parent = parent[step] if isinstance(step, int) else getattr(parent, step)
    last = where[-1]
    if isinstance(last, int):
        parent[last] = new
    else:
        setattr(parent, last, new)


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def _module(file: Path) -> ModuleType:
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == str(file):
            return module
    raise NotApplied(f"{file} is not imported")


def _run_again(module: ModuleType, tree: ast.Module, number: int) -> None:
    changed: dict[str, Any] = {}
    for statement in tree.body[number:]:
        name = _bound(statement)
        if name is None or (changed and not _reads(statement, changed)):
            continue
        changed[name] = vars(module).get(name)
        only = ast.Module([statement], [])
        exec(compile(only, str(module.__file__), "exec"), vars(module))
    for name, old in changed.items():
        _bind(name, old, vars(module)[name])


def _bound(statement: ast.stmt) -> str | None:
    """The name that an assignment binds."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id if statement.value is not None else None
    return None


def _reads(statement: ast.stmt, names: Iterable[str]) -> bool:
    read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return not read.isdisjoint(names)


def _bind(name: str, old: object, new: object) -> None:
    """In every module that imported it, by this name; a value that is not common, by any."""
    is_common = isinstance(old, int | str) and len(str(old)) < 20
    for module in list(sys.modules.values()):
        if not getattr(module, "__name__", "").startswith(("tidings", "tests")):
            continue
        for known, value in list(vars(module).items()):
            if value is old and (known == name or not is_common):
                setattr(module, known, new)
