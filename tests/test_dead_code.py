"""No function or class of the package is without a reference in it: what only tests use is dead."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.support.parsing import parse

ROOT = Path(__file__).parent.parent
DISTRIBUTIONS = {"": "tidings", "simulator/": "tidings_simulator"}

# Referenced in ways that reading the source does not show.
EXCEPTIONS = {
    "make_by": "a simulation hands in ids that follow from its seed",
    "add_to": "every commands.py of the CLI is imported by name",
    "app": "the entry point of the command line",
    "decode": "the synchronous form of what the application does in steps, for tests and tools",
}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Modules:
    """Parsed modules by dotted name, and the text of the templates, which call methods."""

    def __init__(self, sources: dict[str, str], templates: str = "") -> None:
        self.in_templates = set(re.findall(r"\w+", templates))
        self.trees = {name: parse(source) for name, source in sources.items()}

    def unreferenced(self) -> Iterator[str]:
        """Module-level definitions by import and use, methods by name alone."""
        referenced = {pair for name in self.trees for pair in self._references(name)}
        words = {name: Counter(_words(tree)) for name, tree in self.trees.items()}
        used = Counter(word for tree in words.values() for word in tree.elements())
        for module, tree in self.trees.items():
            for node in _definitions(tree):
                own = sum(word == node.name for word in _words(node))
                local = words[module][node.name] - own
                if node in tree.body:
                    dead = not local and (module, node.name) not in referenced
                else:
                    dead = used[node.name] == own and node.name not in self.in_templates
                if dead and node.name not in EXCEPTIONS:
                    yield f"{module}.{node.name}"

    def _references(self, module: str) -> Iterator[tuple[str, str]]:
        """(module, name) of everything that a module imports, or uses of a module it imports."""
        aliases: dict[str, str] = {}
        tree = self.trees[module]
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                origin = self._origin(module, node)
                for alias in node.names:
                    yield origin, alias.name
                    if f"{origin}.{alias.name}" in self.trees:
                        aliases[alias.asname or alias.name] = f"{origin}.{alias.name}"
            elif isinstance(node, ast.Import):
                aliases |= {alias.asname or alias.name: alias.name for alias in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and (origin := aliases.get(_dotted(node.value))):
                yield origin, node.attr

    def _origin(self, module: str, node: ast.ImportFrom) -> str:
        """The module that `from ... import` names; packages are known by their modules."""
        if not node.level:
            return node.module or ""
        is_package = any(name.startswith(f"{module}.") for name in self.trees)
        parts = module.split(".")
        parts = parts[: len(parts) - node.level + is_package]
        return ".".join([*parts, *([node.module] if node.module else [])])


def _definitions(tree: ast.Module) -> Iterator[Definition]:
    """Functions, classes and methods; not what a decorator registers or a base class may call."""
    inherited = {
        member
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.bases
        for member in node.body
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, Definition)
            and not node.decorator_list
            and node not in inherited
            and not node.name.startswith("__")
        ):
            yield node


def _dotted(node: ast.expr) -> str:
    """`a.b` of a name or of a name's attribute; nothing of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def _words(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value  # getattr(x, "name")


def test_nothing_is_without_a_reference() -> None:
    sources = {}
    for prefix, package in DISTRIBUTIONS.items():
        for path in (ROOT / prefix / package).rglob("*.py"):
            name = str(path.relative_to(ROOT / prefix).with_suffix("")).replace("/", ".")
            sources[name.removesuffix(".__init__")] = path.read_text()
    templates = "".join(path.read_text() for path in (ROOT / "tidings").rglob("*.html"))
    assert list(Modules(sources, templates).unreferenced()) == []


def test_a_dead_function_is_found_and_a_used_one_is_not() -> None:
    modules = Modules(
        {
            "a": "def used(): ...\ndef dead(): dead()\nclass C:\n    def live(self): ...\n"
            "    def gone(self): ...\n",
            "a.b": "from . import c\nfrom a import used, C\nc.load(C().live)\n",
            "a.c": "def load(x): ...\n",
            "a.d": "def load(x): ...\n",
        }
    )
    assert sorted(modules.unreferenced()) == ["a.d.load", "a.dead", "a.gone"]
