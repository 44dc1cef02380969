"""The rules of ARCHITECTURE.md: functions over a path and a source, which say what breaks them."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tests.support.parsing import parse

ROOT = Path(__file__).parent.parent.parent
SIMULATOR = "simulator/"  # the folder of the distribution tidings-simulator
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("tidings", SIMULATOR)
    for path in (ROOT / folder).rglob("*.py")
)

VOCABULARY = {
    "limits", "errors", "clock", "times", "money", "phone", "urls", "ids", "secrets", "wording",
    "spreadsheets", "setting_values", "setting_reading",
}  # fmt: skip
# What each part of the house may import, beside itself. Features have an order of their own.
BELOW = {
    "vocabulary": set(),
    "settings": {"vocabulary"},
    "outbound": {"vocabulary"},  # the engine's HTTP clients, all that platforms use of it
    "engine": {"vocabulary", "outbound"},
    "platforms": {"vocabulary", "outbound"},
    "context": {"vocabulary", "settings", "outbound", "engine", "platforms"},
    "features": {"vocabulary", "settings", "outbound", "engine", "platforms", "context"},
    "roots": {"vocabulary", "settings", "outbound", "engine", "platforms", "context", "features"},
    "edges": {
        "vocabulary", "settings", "outbound", "engine", "platforms", "context", "features",
        "roots", "simulator command",
    },
    "simulator": {"vocabulary", "platforms"},
    "simulator command": {"vocabulary", "settings", "platforms", "edges", "simulator"},
}  # fmt: skip
ROOTS = {
    "account_file",
    "app",
    "routes",
    "jobs",
    "lanes",
    "operations",
    "doctor",
    "reference",
    "sealed_columns",
}
EDGES = {"cli", "guide", "portal"}
SLICES = [  # bottom to top
    "accounts", "audit", "requests", "webhooks", "partner", "billing", "recipients", "links",
    "media", "senders", "templates", "events", "messages", "otp", "batches", "feedback", "replies",
    "callbacks", "sandbox", "people", "operation", "privacy", "retention",
]  # fmt: skip

PURE = {
    "rules", "states", "model", "transitions", "payloads", "callbacks",
    "callback_items", "account_updates", "guest_messages", "failures",
    "behaviour", "event_kinds", "examples", "response_types", "roles",
}  # fmt: skip
PURE_PARTS = ("tidings/features/replies/reading/",)
IMPURE_MODULES = {
    "aiofiles", "aiohttp", "asyncio", "asyncpg", "http", "httpx", "logging", "obstore", "os",
    "pathlib", "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl",
    "structlog", "subprocess", "sys", "tempfile", "threading", "time", "uvicorn", "uvloop",
}  # fmt: skip
IMPURE_PARTS = ("tidings.clock", "tidings.context", "tidings.settings", "tidings.engine.db")

SQL = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE(?! /)|WITH)\s|\b(INSERT INTO|DELETE FROM)\b"
    r"|\bSELECT\s.*\sFROM\s|\bUPDATE\s.*\sSET\s",
    re.DOTALL,
)
SETS_STATUS = re.compile(r"\bUPDATE messages\b.*\bSET\b[^;]*\bstatus = (?!ANY)", re.DOTALL)
MESSAGES = "tidings/features/messages/"
WRITES_MESSAGES = {
    "store.save", "unlocked_store.save_sent", "unlocked_store.save_reported", "side_effects.apply",
}  # fmt: skip
CLOCKS = {
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
    "time": {
        "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns",
        "localtime", "gmtime", "clock_gettime",
    },
}  # fmt: skip
READINGS = {"time"}.union(*CLOCKS.values())
CATCH_ALL = {
    "tidings/engine/queue/executor.py",
    "tidings/engine/queue/worker.py",
    "tidings/engine/lane.py",
    "tidings/engine/queue/periodic.py",
    "tidings/engine/http/application.py",
    "tidings/portal/portal.py",
    "tidings/features/messages/send/dispatch.py",  # a broken adapter: outcome unknown
    "tidings/engine/traces/export.py",  # the top of a thread, and of a library
}
BANNED_NAMES = {
    "util", "utils", "helper", "helpers", "common", "manager", "service", "base", "misc",
}  # fmt: skip
LINES_MAX = 400
FUNCTION_LINES_MAX = 60

Breaches = Iterator[str]
Rule = Callable[[str, str], Breaches]


# Reading a source


@cache
def parsed(source: str) -> ast.Module:
    """Every rule looks at the same trees; none may change one."""
    return parse(source)


@cache
def nodes(source: str) -> list[ast.AST]:
    return list(ast.walk(parsed(source)))


def imports(path: str, source: str) -> list[str]:
    """Dotted names that a file imports, relative ones resolved: `tidings.errors.Code`."""
    package = own_name(path).split(".")
    if not path.endswith("/__init__.py"):
        package = package[:-1]
    found: list[str] = []
    for node in nodes(source):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *([node.module] if node.module else [])]
            found += [".".join([*module, alias.name]) for alias in node.names]
    return found


def without_type_checking(source: str) -> str:
    """The source without what only a type checker reads."""
    tree = parse(source)
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    return ast.unparse(tree)


def layer(name: str) -> str | None:
    """The part of the house that a dotted name belongs to; None for what is not ours."""
    parts = name.split(".")
    if parts[0] == "tidings_simulator":
        return "simulator command" if parts[1:2] == ["command"] else "simulator"
    if parts[0] != "tidings" or len(parts) < 2:
        return None
    top = parts[1]
    if top in VOCABULARY:
        return "vocabulary"
    if top in ROOTS:
        return "roots"
    if top in EDGES:
        return "edges"
    if parts[1:4] == ["engine", "http", "outbound"]:
        return "outbound"
    return top if top in BELOW else None


def own_name(path: str) -> str:
    """The dotted name that a file is imported by."""
    module = path.removeprefix(SIMULATOR).removesuffix(".py").removesuffix("/__init__")
    return module.replace("/", ".")


def slice_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[2] if parts[:2] == ["tidings", "features"] and len(parts) > 2 else None


def docstrings(tree: ast.AST) -> set[ast.AST]:
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }


# The rules


def imports_run_one_way(path: str, source: str) -> Breaches:
    here = layer(own_name(path))
    if here == "context":  # names the types of what the features above put into it
        source = without_type_checking(source)
    if here is None:
        if path != "tidings/__init__.py":
            yield "is no part of the house that ARCHITECTURE.md knows"
        return
    for name in imports(path, source):
        there = layer(name)
        if there is not None and there != here and there not in BELOW[here]:
            yield f"{here} may not import {name} ({there})"


def tidings_loads_the_simulator_only_on_demand(path: str, source: str) -> Breaches:
    """The production wheel has no simulator: only a running command of the CLI may import it."""
    if path.startswith(SIMULATOR):
        return
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    lazy = {
        inner
        for node in nodes(source)
        if isinstance(node, functions) and path.startswith("tidings/cli/")
        for inner in ast.walk(node)
    }
    for node in nodes(source):
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in lazy:
            for name in imports(path, ast.unparse(node)):
                if name.split(".")[0] == "tidings_simulator":
                    yield f"imports {name} in line {node.lineno}: it may not be installed"


def features_import_downwards(path: str, source: str) -> Breaches:
    here = slice_of(own_name(path))
    if here is None:
        return
    if here not in SLICES:
        yield f"{here} has no place in the order of slices"
        return
    for name in imports(path, source):
        there = slice_of(name)
        if there in (None, here):
            continue
        if there not in SLICES[: SLICES.index(here)]:
            yield f"{here} may not import {name}: {there} is not below it"


def stores_are_private(path: str, source: str) -> Breaches:
    here = slice_of(own_name(path))
    for name in imports(path, source):
        there = slice_of(name)
        if there not in (None, here) and any(p.endswith("store") for p in name.split(".")[3:]):
            yield f"imports {name}: the tables of {there} are its own"


def pure_files_stay_pure(path: str, source: str) -> Breaches:
    if Path(path).stem not in PURE and not path.startswith(PURE_PARTS):
        return
    for name in imports(path, source):
        foreign = name.split(".")[0] in IMPURE_MODULES
        if foreign or name.startswith(IMPURE_PARTS) or "store" in name.split("."):
            yield f"is pure and may not import {name}"
    for node in nodes(source):
        if isinstance(node, ast.AsyncFunctionDef | ast.Await):
            yield f"is pure and may not wait (line {node.lineno})"
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("open", "input"):
            yield f"is pure and may not call {ast.unparse(node.func)} (line {node.lineno})"


def sql_stays_in_stores(path: str, source: str) -> Breaches:
    allowed = path.endswith(("/store.py", "_store.py")) or path.startswith("tidings/engine/")
    if allowed or path.startswith("tidings/doctor/"):
        return
    tree = parsed(source)
    said = docstrings(tree)
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and node not in said and SQL.search(text):
            yield f"has SQL in line {node.lineno}: it belongs in a store.py"


def only_the_clock_reads_the_time(path: str, source: str) -> Breaches:
    if path == "tidings/clock.py":
        return
    for name in imports(path, source):
        module, _, attribute = name.rpartition(".")
        if module == "time" and attribute in CLOCKS["time"]:
            yield f"imports {name}: only clock.py reads the time"
    for node in nodes(source):
        if not isinstance(node, ast.Attribute) or node.attr not in READINGS:
            continue
        owner = ast.unparse(node.value)
        if node.attr in CLOCKS.get(owner.split(".")[-1], ()):
            yield f"reads {owner}.{node.attr} in line {node.lineno}: only clock.py reads the time"
        loops = "loop" in owner and not path.startswith("tidings/engine/http/")
        if node.attr == "time" and loops:
            yield f"reads a loop's time in line {node.lineno}: only engine/http may"


def files_and_functions_stay_small(path: str, source: str) -> Breaches:
    lines = len(source.splitlines())
    if lines > LINES_MAX:
        yield f"has {lines} lines; {LINES_MAX} are allowed"
    for node in nodes(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                yield f"{node.name} has {length} lines; {FUNCTION_LINES_MAX} are allowed"


def names_say_something(path: str, _source: str) -> Breaches:
    for part in Path(path).with_suffix("").parts:
        if part in BANNED_NAMES:
            yield f"is named {part}, which says nothing"


def modules_say_what_they_are_for(_path: str, source: str) -> Breaches:
    tree = parsed(source)
    if tree.body and ast.get_docstring(tree) is None:
        yield "has no docstring"


def nobody_catches_everything(path: str, source: str) -> Breaches:
    if path in CATCH_ALL:
        return
    for node in nodes(source):
        if not isinstance(node, ast.ExceptHandler):
            continue
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        caught = {ast.unparse(kind) if kind else "everything" for kind in kinds}
        passed_on = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
        if caught & {"Exception", "everything"} or ("BaseException" in caught and not passed_on):
            yield f"catches everything in line {node.lineno}"


def message_status_is_written_in_one_place(path: str, source: str) -> Breaches:
    """`state/changes.py` alone calls what writes a changed message, and applies the side effects;
    `transitions.py` alone assigns a message's status; the stores alone have SQL that sets it."""
    writer, machine, store, unlocked = (
        f"{MESSAGES}state/{n}.py" for n in ("changes", "transitions", "store", "unlocked_store")
    )
    inside = path.startswith(MESSAGES)
    for node in nodes(source):
        called = ast.unparse(node.func) if inside and isinstance(node, ast.Call) else ""
        if called in WRITES_MESSAGES and path != writer:
            yield f"calls {called} in line {node.lineno}: only changes.py may"
        targets = node.targets if inside and isinstance(node, ast.Assign) else []
        assigned = any(isinstance(t, ast.Attribute) and t.attr == "status" for t in targets)
        if assigned and path not in (machine, store):  # the store reads rows
            yield f"assigns a status in line {node.lineno}: only transitions.py may"
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and SETS_STATUS.search(text) and path not in (store, unlocked):
            yield f"writes the status of messages in line {node.lineno}"


RULES: list[Rule] = [
    message_status_is_written_in_one_place,
    imports_run_one_way,
    tidings_loads_the_simulator_only_on_demand,
    features_import_downwards,
    stores_are_private,
    pure_files_stay_pure,
    sql_stays_in_stores,
    only_the_clock_reads_the_time,
    files_and_functions_stay_small,
    names_say_something,
    modules_say_what_they_are_for,
    nobody_catches_everything,
]
