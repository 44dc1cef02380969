"""What `tidings serve` must not import before it listens: a message needs none of it, and together
it would double the time until the first one is accepted."""

import subprocess
import sys

import pytest

LATER = [
    "aiohttp",  # files to and from the platform
    "babel",  # pages
    "jinja2",
    "markdown_it",  # the guide
    "tidings.guide.site",
    "opentelemetry",  # traces
    "python_multipart",
    "segno",
    "starlette",
    "tidings.portal.pages",
    "rapidfuzz",  # replies, and misspelt fields
    "typst",  # invoices as PDF
    "zxcvbn",  # new passwords
    "tidings.account_file.apply",  # the demo
    "tidings.cli.running.supervisor",  # several processes
    "tidings.engine.http.openapi",  # the reference
    "uvicorn",  # of the benchmarks
]


# What no command needs before its work begins: every Tab of a shell starts the command line.
NEVER_AT_ONCE = {
    "aiohttp", "asyncio", "asyncpg", "mcp", "readline", "rich.console", "structlog",
    "tidings.app", "tidings.routes", "tidings.settings", "webbrowser",
}  # fmt: skip


def imports_of(module: str) -> set[str]:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def imported() -> set[str]:
    return imports_of("tidings.cli.running.serve")


def test_the_command_line_starts_without_what_commands_work_with() -> None:
    assert imports_of("tidings.cli.main") & NEVER_AT_ONCE == set()


def test_the_list_is_of_modules_as_they_are_named(imported: set[str]) -> None:
    assert {"tidings.app", "tidings.portal.front", "asyncpg"} <= imported


@pytest.mark.parametrize("module", LATER)
def test_a_service_starts_without_what_no_message_needs(imported: set[str], module: str) -> None:
    assert module not in imported
