"""The TypeScript client on a real service. Its own tests are in clients/typescript/tests."""

import os
import re
from pathlib import Path

from tests.support.service import TestService
from tests.support.typescript_client import (
    PACKAGE,
    built_client,
    demo_account,
    is_older,
    needs_npm,
    run,
)
from tidings.engine.http.endpoint import Route
from tidings.routes import API, EXTENSIONS

pytestmark = needs_npm

# For browsers and the platform, not for callers of the API.
NOT_CALLED = {"/api/v1/openapi.json", "/r/{code}", "/platform/whatsapp/webhook"}


def test_the_generated_types_are_those_of_the_description(
    service: TestService, tmp_path: Path
) -> None:
    description = tmp_path / "openapi.json"
    description.write_bytes(service.http.get("/api/v1/openapi.json").content)
    run(built_client(), "node", "scripts/generate.mjs", description, tmp_path)
    for kept in (PACKAGE / "src" / "generated").iterdir():
        assert (tmp_path / kept.name).read_text() == kept.read_text(), "make client-types"


def test_every_endpoint_error_retry_and_signature(service: TestService, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    environment = {"TIDINGS_CALLS": str(calls), **demo_account(service, tmp_path)}
    command = ["node", "--test-reporter=spec", "tests/dist/all.js"]
    run(built_tests(), *command, env=os.environ | environment)
    called = calls.read_text().splitlines()
    missing = [f"{it.method} {it.path}" for it in callable_routes() if not is_called(it, called)]
    assert not missing


def built_tests() -> Path:
    """Compiled against the built package, as a caller's program is."""
    package = built_client()
    sources = [*(package / "tests").glob("*.ts"), package / "dist" / "index.js"]
    if is_older(package / "tests" / "dist" / "all.js", sources):
        run(package, "node", "node_modules/typescript/bin/tsc", "-p", "tests")
    return package


def callable_routes() -> list[Route]:
    """Of the API; pages for people are elsewhere."""
    return [
        route
        for route in [*API, *EXTENSIONS]
        if route.path not in NOT_CALLED and "/v1/" in route.path
    ]


def is_called(route: Route, called: list[str]) -> bool:
    pattern = re.compile(f"{route.method} " + re.sub(r"{\w+}", "[^/]+", route.path))
    return any(pattern.fullmatch(call) for call in called)
