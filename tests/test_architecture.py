"""The rules of ARCHITECTURE.md, checked. A failure names the file and the rule it breaks.

Every rule is also fed small sources that break it, to see that they are caught, and some that keep
it.
"""

from collections.abc import Iterator
from textwrap import indent

import pytest

from tests.support.house_rules import (
    FILES,
    FUNCTION_LINES_MAX,
    LINES_MAX,
    ROOT,
    RULES,
    Rule,
    features_import_downwards,
    files_and_functions_stay_small,
    imports_run_one_way,
    message_status_is_written_in_one_place,
    modules_say_what_they_are_for,
    names_say_something,
    nobody_catches_everything,
    nodes,
    only_the_clock_reads_the_time,
    parsed,
    pure_files_stay_pure,
    sql_stays_in_stores,
    stores_are_private,
    tidings_loads_the_simulator_only_on_demand,
)


@pytest.fixture(scope="module", autouse=True)
def _forget_trees() -> Iterator[None]:
    yield
    parsed.cache_clear()
    nodes.cache_clear()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_house_keeps_its_rules(rule: Rule) -> None:
    breaches = [
        f"{path} {breach}" for path in FILES for breach in rule(path, (ROOT / path).read_text())
    ]
    assert not breaches, "\n".join([f"rule: {rule.__name__}", *breaches])


# Rules broken on purpose

RULES_PY = "tidings/features/messages/accept/rules.py"
VERB = "tidings/features/messages/accept/accept.py"
CLI = "tidings/cli/main.py"
OUTBOUND = "tidings/engine/http/outbound/call_pool.py"
GRAPH = "simulator/tidings_simulator/world.py"
LAZY = "from tidings_simulator.command import run_simulator"
LONG = "def f():\n" + "    x = 1\n" * FUNCTION_LINES_MAX

BROKEN: list[tuple[Rule, str, str]] = [
    (imports_run_one_way, "tidings/phone.py", "from tidings.engine.lane import Lane"),
    (imports_run_one_way, "tidings/phone.py", "from tidings import settings"),
    (imports_run_one_way, "tidings/settings.py", "import tidings.engine.log"),
    (imports_run_one_way, "tidings/engine/lane.py", "from tidings.features.otp import rules"),
    (imports_run_one_way, "tidings/engine/lane.py", "from tidings.platforms.port import Send"),
    (imports_run_one_way, "tidings/engine/http/application.py", "from ...context import Context"),
    (imports_run_one_way, "tidings/platforms/port.py", "from tidings.engine.db.tx import Tx"),
    (imports_run_one_way, OUTBOUND, "from tidings.engine.lane import Lane"),
    (imports_run_one_way, OUTBOUND, "from ..server import Server"),
    (imports_run_one_way, "tidings/context.py", "from tidings.features.otp import rules"),
    (imports_run_one_way, "tidings/engine/lane.py", "if TYPE_CHECKING:\n    import tidings.lanes"),
    (imports_run_one_way, VERB, "from tidings.app import Service"),
    (imports_run_one_way, VERB, "def f():\n    from tidings.cli import main"),
    (imports_run_one_way, "tidings/app.py", "from tidings.cli import main"),
    (imports_run_one_way, "tidings/helpers.py", "x = 1"),
    (imports_run_one_way, GRAPH, "from tidings.engine.lane import Lane"),
    (imports_run_one_way, GRAPH, "from tidings.cli.output import say"),
    (imports_run_one_way, GRAPH, "from .command import run_simulator"),
    (imports_run_one_way, "tidings/platforms/port.py", "import tidings_simulator.model"),
    (imports_run_one_way, "simulator/model.py", "x = 1"),
    (tidings_loads_the_simulator_only_on_demand, CLI, "from tidings_simulator.plan import Plan"),
    (tidings_loads_the_simulator_only_on_demand, CLI, "if x:\n    import tidings_simulator"),
    (tidings_loads_the_simulator_only_on_demand, VERB, f"def f():\n    {LAZY}"),
    (features_import_downwards, VERB, "from tidings.features.otp.rules import require_code"),
    (features_import_downwards, VERB, "from ...replies import receive"),
    (features_import_downwards, "tidings/features/games/api.py", "x = 1"),
    (stores_are_private, VERB, "from tidings.features.accounts import store"),
    (stores_are_private, VERB, "from tidings.features.accounts.store import find"),
    (stores_are_private, "tidings/account_file/apply.py", "import tidings.features.accounts.store"),
    (pure_files_stay_pure, RULES_PY, "import asyncio"),
    (pure_files_stay_pure, RULES_PY, "from os import environ"),
    (pure_files_stay_pure, RULES_PY, "from tidings.clock import SystemClock"),
    (pure_files_stay_pure, RULES_PY, "from tidings.engine.db.tx import Tx"),
    (pure_files_stay_pure, RULES_PY, "from . import store"),
    (pure_files_stay_pure, RULES_PY, "async def f(): ..."),
    (pure_files_stay_pure, "tidings/features/otp/model.py", "open('/etc/passwd')"),
    (pure_files_stay_pure, "tidings/platforms/whatsapp/payloads.py", "import aiohttp"),
    (pure_files_stay_pure, "tidings/features/replies/reading/reader.py", "import pathlib"),
    (message_status_is_written_in_one_place, VERB, "await store.save(tx, [m], [], ())"),
    (message_status_is_written_in_one_place, VERB, "await unlocked_store.save_sent(tx, [m])"),
    (message_status_is_written_in_one_place, VERB, "message.status = Status.SENT"),
    (
        message_status_is_written_in_one_place,
        "tidings/features/messages/read/lookup_store.py",
        "x = 'UPDATE messages m SET a = 1, status = $1 WHERE id = $2'",
    ),
    (sql_stays_in_stores, VERB, "x = 'SELECT 1'"),
    (sql_stays_in_stores, VERB, "x = f'''\n  INSERT INTO {table} VALUES (1)'''"),
    (sql_stays_in_stores, VERB, "x = 'EXPLAIN UPDATE jobs SET a = 1'"),
    (
        sql_stays_in_stores,
        "tidings/cli/running/doctor.py",
        "x = 'WITH a AS (SELECT 1) DELETE FROM b'",
    ),
    (only_the_clock_reads_the_time, VERB, "import datetime\ndatetime.datetime.now()"),
    (only_the_clock_reads_the_time, VERB, "from datetime import date\ndate.today()"),
    (only_the_clock_reads_the_time, VERB, "import time\ntime.monotonic()"),
    (only_the_clock_reads_the_time, VERB, "from time import perf_counter"),
    (only_the_clock_reads_the_time, VERB, "read = datetime.now"),
    (only_the_clock_reads_the_time, VERB, "asyncio.get_running_loop().time()"),
    (files_and_functions_stay_small, VERB, "x = 1\n" * (LINES_MAX + 1)),
    (files_and_functions_stay_small, VERB, LONG),
    (files_and_functions_stay_small, VERB, "class A:\n" + indent(LONG, "    ")),
    (names_say_something, "tidings/engine/utils.py", ""),
    (names_say_something, "tidings/features/common/rules.py", ""),
    (modules_say_what_they_are_for, VERB, "x = 1"),
    (nobody_catches_everything, VERB, "try: f()\nexcept Exception: pass"),
    (nobody_catches_everything, VERB, "try: f()\nexcept (ValueError, Exception): pass"),
    (nobody_catches_everything, VERB, "try: f()\nexcept: pass"),
    (nobody_catches_everything, VERB, "try: f()\nexcept BaseException: pass"),
]


@pytest.mark.parametrize(("rule", "path", "source"), BROKEN)
def test_a_rule_that_is_broken_is_noticed(rule: Rule, path: str, source: str) -> None:
    assert list(rule(path, source))


KEPT: list[tuple[Rule, str, str]] = [
    (imports_run_one_way, "tidings/phone.py", "from tidings.errors import ApiError\nimport re"),
    (imports_run_one_way, "tidings/engine/lane.py", "from .db import pool\nfrom .. import limits"),
    (
        imports_run_one_way,
        "tidings/platforms/port.py",
        "import tidings.engine.http.outbound.client",
    ),
    (imports_run_one_way, VERB, "from tidings import __version__\nfrom . import rules"),
    (imports_run_one_way, "tidings/context.py", "if TYPE_CHECKING:\n    import tidings.lanes"),
    (imports_run_one_way, "tidings/cli/main.py", "from tidings.app import Service"),
    (imports_run_one_way, CLI, f"def f():\n    {LAZY}"),
    (imports_run_one_way, GRAPH, "from tidings import limits\nfrom .model import Number"),
    (imports_run_one_way, "simulator/tidings_simulator/command.py", "import tidings.cli.output"),
    (
        tidings_loads_the_simulator_only_on_demand,
        CLI,
        f"def f():\n    try:\n        {LAZY}\n    except ImportError: pass",
    ),
    (tidings_loads_the_simulator_only_on_demand, GRAPH, "import tidings_simulator"),
    (features_import_downwards, VERB, "from ...accounts.model import Account"),
    (features_import_downwards, "tidings/app.py", "from tidings.features.sandbox import api"),
    (stores_are_private, VERB, "from . import store\nfrom .store import load"),
    (stores_are_private, VERB, "from tidings.features.media import stored"),
    (pure_files_stay_pure, RULES_PY, "from tidings import limits\nimport re, datetime"),
    (pure_files_stay_pure, VERB, "import asyncio"),
    (sql_stays_in_stores, VERB, '"""Select from these: SELECT a FROM b."""'),
    (sql_stays_in_stores, VERB, "x = 'Update the settings, then select a number'"),
    (sql_stays_in_stores, VERB, "x = 'DELETE /api/v1/optouts/{phoneNumber}'"),
    (sql_stays_in_stores, "tidings/features/otp/store.py", "x = 'SELECT 1'"),
    (sql_stays_in_stores, "tidings/engine/queue/enqueue.py", "x = 'SELECT 1'"),
    (only_the_clock_reads_the_time, "tidings/clock.py", "datetime.now()"),
    (only_the_clock_reads_the_time, VERB, "ctx.clock.now()\nctx.clock.monotonic()\nat.time()"),
    (only_the_clock_reads_the_time, "tidings/engine/http/protocol.py", "self.loop.time()"),
    (files_and_functions_stay_small, VERB, "x = 1\n" * LINES_MAX),
    (files_and_functions_stay_small, VERB, LONG.removesuffix("    x = 1\n")),
    (modules_say_what_they_are_for, "tidings/engine/__init__.py", ""),
    (
        nobody_catches_everything,
        "tidings/engine/queue/worker.py",
        "try: f()\nexcept Exception: pass",
    ),
    (nobody_catches_everything, VERB, "try: f()\nexcept BaseException:\n    g()\n    raise"),
    (nobody_catches_everything, VERB, "try: f()\nexcept ValueError: pass"),
]


@pytest.mark.parametrize(("rule", "path", "source"), KEPT)
def test_a_rule_that_is_kept_says_nothing(rule: Rule, path: str, source: str) -> None:
    assert list(rule(path, source)) == []


def test_every_rule_is_broken_on_purpose_somewhere() -> None:
    assert {rule for rule, _, _ in BROKEN} == set(RULES)
