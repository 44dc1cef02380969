"""What every answer must be: no 5xx, in the envelope, of a declared code, silent on our insides."""

import json
from dataclasses import dataclass
from typing import Any

from proof.fuzz.call import Call
from tidings.engine.http.endpoint import Route
from tidings.engine.http.openapi import codes_of_route, error_codes
from tidings.engine.http.routing import Routing
from tidings.errors import ApiError, Code
from tidings.routes import API, EXTENSIONS

INTERNALS = [
    b"Traceback", b"asyncpg", b"psycopg", b"msgspec", b"site-packages", b'.py"', b"pg_catalog",
    b"INSERT INTO", b"syntax error at or near", b"sqlstate", b"SQLSTATE", b'relation "',
    b" object at 0x",
    b"codec can't", b"/dev/shm/", b"/tmp/", b"uvloop", b"httptools",
]  # fmt: skip
_ROUTING: Routing[Route] = Routing([*API, *EXTENSIONS])
_CODES = {code.name: code for code in error_codes([*API, *EXTENSIONS])}
_ANYWHERE = frozenset({"NOT_FOUND", "VALIDATION_ERROR"})  # of no endpoint: address, method, HTTP


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def faults(call: Call, answer: Answer) -> list[str]:
    """What is wrong with it; mostly nothing."""
    found = [] if 200 <= answer.status < 500 else [f"answered {answer.status}"]
    found += [
        f"shows {word.decode()!r}"
        for word in INTERNALS
        if word in answer.body and word not in call.raw
    ]
    if "server" in answer.headers:
        found.append("names its server")
    if "x-request-id" not in answer.headers:
        found.append("has no X-Request-Id")
    if call.area == "portal":
        is_page = answer.headers.get("content-type") != "application/json"
        if is_page and "content-security-policy" not in answer.headers:
            found.append("is a page without a content security policy")
        return found
    if "cache-control" not in answer.headers:
        found.append("has no Cache-Control")
    if not _is_envelope(answer):
        return found + _outside(call, answer, answer.headers.get("content-type", ""))
    if answer.headers.get("cache-control") != "no-store" and not _is_document(call):
        found.append(f"Cache-Control is {answer.headers.get('cache-control')}")
    return found + _envelope(call, answer)


def _is_envelope(answer: Answer) -> bool:
    return answer.headers.get("content-type") == "application/json" and bool(answer.body)


def _route_of(call: Call) -> Route | None:
    """The endpoint that its method and path lead to, which may be another than was aimed at."""
    method, _, rest = call.raw.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    try:
        return _ROUTING.require(method.decode("latin-1"), path)[0]
    except ApiError:
        return None


def _is_document(call: Call) -> bool:
    route = _route_of(call)
    return route is not None and route.path.endswith("/openapi.json")


def _is_for_guests(call: Call) -> bool:
    """Short links are opened in browsers, which are shown pages."""
    route = _route_of(call)
    return route is not None and route.path.startswith("/r/")


def _outside(call: Call, answer: Answer, kind: str) -> list[str]:
    """An answer that is not JSON: only where the endpoint says so: a file, a page, a redirect."""
    if answer.status >= 400 and not (call.is_head or call.is_alone or _is_for_guests(call)):
        return [f"refuses with {answer.status} outside the envelope ({kind})"]
    route = call.route
    if route is not None and route.data is not None and answer.body and answer.status == 200:
        plain = kind.startswith("text/csv") and route.path.endswith("/charges")
        return [] if plain else [f"answers {kind} where data is declared"]
    return []


def _envelope(call: Call, answer: Answer) -> list[str]:
    try:
        found: Any = json.loads(answer.body)
    except ValueError:
        return ["is not JSON"]
    if answer.status == 200 and _is_document(call):
        return []
    if not isinstance(found, dict) or not isinstance(found.get("success"), bool):
        return ["is outside the envelope"]
    wrong = []
    if call.environment is not None and found.get("environment") != call.environment:
        wrong.append(f"environment is {found.get('environment')}, not {call.environment}")
    if found["success"]:
        return wrong + _success(call, answer)
    return wrong + _refusal(call, answer, found.get("error"))


def _success(call: Call, answer: Answer) -> list[str]:
    if answer.status >= 300:
        return [f"is a success with {answer.status}"]
    if call.route is not None and not call.is_head and answer.status not in call.route.statuses:
        return [f"{answer.status} is not declared"]
    return []


def _refusal(call: Call, answer: Answer, error: Any) -> list[str]:
    if not isinstance(error, dict) or not error.get("message") or error.get("code") not in _CODES:
        return [f"has no error of a known code: {str(error)[:200]}"]
    code, wrong = _CODES[error["code"]], []
    if answer.status not in (code.status, 405 if code is Code.NOT_FOUND else code.status):
        wrong.append(f"{code.name} with {answer.status}")
    if error.get("requestId") != answer.headers.get("x-request-id"):
        wrong.append("has another requestId than its header")
    if answer.status in (429, 503) and not answer.headers.get("retry-after", "").isdigit():
        wrong.append("does not say when to try again")
    if not error["message"].isprintable():
        wrong.append("has a message that is not printable")
    route = _route_of(call)
    if route is not None and code.name not in _ANYWHERE:
        declared = {one.name for one in codes_of_route(route)}
        if code.name not in declared:
            wrong.append(f"{code.name} is not declared")
    return wrong
