"""From the example of an endpoint to its response in the envelope and its curl sample. Pure.

A word in angle brackets, such as `<API_KEY>`, is for the reader to replace. Everything else works
as printed against the demo account; a test runs every sample in the order of the page.
"""

import json
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from tidings.engine.http.endpoint import Auth, Example, Route

Json = dict[str, Any]

KEYS = {
    Auth.KEY: "<API_KEY>",
    Auth.SANDBOX: "<API_KEY>",
    Auth.PARTNER: "<PARTNER_API_KEY>",
}


def answer(example: Example) -> Json | None:
    """The whole response in its envelope, or None where it is a page, a file or a redirect."""
    if example.data is msgspec.UNSET and not example.extra:
        return None
    found: Json = {"success": True}
    if example.environment is not None:
        found["environment"] = example.environment
    if example.data is not msgspec.UNSET:
        found["data"] = example.data
    return found | dict(example.extra)


def address(route: Route, example: Example, server_url: str) -> str:
    """The URL of the example's request."""
    path = route.path
    for name, value in example.path.items():
        path = path.replace(f"{{{name}}}", value)
    query = f"?{example.query}" if example.query else ""
    return f"{server_url.rstrip('/')}{path}{query}"


def query(example: Example | None) -> dict[str, str]:
    """The parameters of the example's query."""
    return {} if example is None else dict(parse_qsl(example.query))


def curl(route: Route, example: Example, server_url: str) -> str:
    """The request as a shell command."""
    method = "" if route.method == "GET" or example.body is not None else f"-X {route.method} "
    lines = [f"curl {method}{_quoted(address(route, example, server_url))}"]
    if route.auth in KEYS:
        lines.append(f"-H 'x-api-key: {KEYS[route.auth]}'")
    if example.output:
        lines.append(f"-o {_quoted(example.output)}")
    if example.body is not None:
        lines.append("-H 'content-type: application/json'")
        lines.append(f"-d {_quoted(json.dumps(example.body, indent=2, ensure_ascii=False))}")
    return " \\\n  ".join(lines)


def _quoted(text: str) -> str:
    """Quoted for a shell: inside single quotes only the single quote is special."""
    return "'" + text.replace("'", "'\\''") + "'"
