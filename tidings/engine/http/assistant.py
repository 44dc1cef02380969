"""The X-Assistant header: a program that acts for somebody, such as `tidings mcp`, gives its name.

What it does is then recorded before it is done. The header gives no right and takes none away.
"""

from tidings.engine.http import dry_run
from tidings.engine.http.endpoint import Request, Route

NAME = "X-Assistant"
HEADER = b"x-assistant"
_CHARS_MAX = 100
_UNNAMED = "unnamed assistant"


def is_act(route: Route, request: Request) -> bool:
    """Whether the request may change something."""
    return route.has_effects and not dry_run.is_dry_run(request.headers)


def name_of(request: Request) -> str:
    """As the caller gives it, which is all that is known of it."""
    text = request.headers[HEADER].decode(errors="replace").strip()[:_CHARS_MAX]
    return text if text.isprintable() and text else _UNNAMED
