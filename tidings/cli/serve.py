"""`tidings serve`: run the service, or some of its roles, until it is told to stop."""

from tidings import app

from .refusal import Refused
from .running import load_settings

ROLES = ("api", "worker", "portal")


def serve_roles(host: str, port: int, *, processes: int, roles: str, demo: bool) -> None:
    app.serve(
        load_settings(),
        host=host,
        port=port,
        processes=processes,
        roles=_roles(roles),
        demo=demo,
    )


def _roles(text: str) -> frozenset[str]:
    asked = [role.strip() for role in text.split(",") if role.strip()]
    strangers = [role for role in asked if role not in ROLES]
    if strangers or not asked:
        raise Refused(f'--roles takes {", ".join(ROLES)}, with commas between; not "{text}".')
    return frozenset(asked)
