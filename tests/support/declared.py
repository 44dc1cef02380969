"""What every error response must have: a code that its endpoint declares, and when to try again."""

import httpx

from tidings.engine.http.openapi import codes_of_route
from tidings.engine.http.routing import Routing
from tidings.errors import ApiError
from tidings.routes import API, EXTENSIONS

_ROUTING = Routing([*API, *EXTENSIONS])


def require_declared(response: httpx.Response) -> None:
    """A hook of the client that the tests use: every error they meet is one that its endpoint
    declares, so OpenAPI lists it. A refusal that passes says when."""
    if response.status_code < 400:
        return
    if response.status_code in (429, 503):
        assert int(response.headers["retry-after"]) >= 1, f"{response.request.url} says no time"
    response.read()
    if "application/json" not in response.headers.get("content-type", ""):
        return
    method, path = response.request.method, response.request.url.raw_path.partition(b"?")[0]
    try:
        route, _ = _ROUTING.require(method, path)
    except ApiError:
        return  # there is no such address
    code = response.json()["error"]["code"]
    declared = {one.name for one in codes_of_route(route)}
    assert code in declared, f"{method} {route.path} answers {code}, which it does not declare"
