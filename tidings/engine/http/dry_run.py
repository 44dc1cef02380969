"""The X-Dry-Run header: a dry run must never have real effects (contract2.md A, E). Pure."""

from collections.abc import Mapping

from tidings.engine.http.endpoint import Route
from tidings.errors import ApiError, Code
from tidings.wording import quote

NAME = "X-Dry-Run"
HEADER = b"x-dry-run"
VALUES = ("true", "false")
PATTERN = "^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$"  # VALUES, in any case
ANSWERED = (NAME, "true: answer what would happen; nothing is stored, charged or sent.")
REFUSED = (NAME, "Not available here: `true` is refused, and nothing is done.")


def is_dry_run(headers: Mapping[bytes, bytes]) -> bool:
    """Whether the request is a dry run. Any value but true or false is refused, not guessed."""
    value = headers.get(HEADER)
    if value is None:
        return False
    given = value.decode("latin-1")
    wanted = given.strip().lower()
    if wanted not in VALUES:
        problem = f"the header {NAME} must be true or false, got {quote(given)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field=NAME)
    return wanted == "true"


def has_none(route: Route) -> bool:
    """Whether a route has effects but no dry run."""
    return route.has_effects and not route.dry_run


def refuse(route: Route, headers: Mapping[bytes, bytes]) -> None:
    """Refuse the header on a route without a dry run."""
    if has_none(route) and is_dry_run(headers):
        problem = f"{NAME} is not available for {route.method} {route.path}; nothing was done"
        raise ApiError(Code.VALIDATION_ERROR, problem, field=NAME)
