"""What the sources import, against what is locked for them."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from proof.audit.locked import ROOT, Locked, normal

OURS = {"tidings", "tidings_simulator", "tidings_client", "tests", "bench", "proof", "training"}
# Which files lock what these folders may import; None: any.
FOLDERS: dict[str, set[str] | None] = {
    "tidings": {"run.txt"}, "simulator": {"run.txt"}, "clients/python/tidings_client": {"dev.txt"},
    "tests": None, "bench": None, "proof": None,
    "training": {"dev.txt", "run.txt", "train.txt"},
}  # fmt: skip
# Where the package is not installed, as what `make train` alone installs.
PACKAGES = {"sklearn": "scikit-learn"}
# Extras that `run.txt` leaves out. The assistants' types come with the package `mcp`.
EXTRAS = {"tidings/cli/assistants/": {"mcp", "mcp_types", "pydantic"}}


def faults(locked: list[Locked]) -> list[str]:
    """Modules that come from no locked package."""
    packages, found = metadata.packages_distributions(), set()
    for folder, files in FOLDERS.items():
        allowed = {one.name for one in locked if files is None or one.file in files}
        for path, module in _imports(ROOT / folder):
            name = path.relative_to(ROOT).as_posix()
            extra = {one for start, own in EXTRAS.items() if name.startswith(start) for one in own}
            if module in sys.stdlib_module_names or module in OURS | extra:
                continue
            sources = {normal(one) for one in packages.get(module, ())} or {
                PACKAGES.get(module, normal(module))
            }
            if not sources & allowed:
                found.add(f"{name} imports {module}, which is not locked for it")
    return sorted(found)


@cache
def _imports(folder: Path) -> list[tuple[Path, str]]:
    """Top-level names of absolute imports, lazy ones included."""
    return list(dict.fromkeys(_read_imports(folder)))


def _read_imports(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            yield from ((path, name.partition(".")[0]) for name in names)
