"""`tidings serve`: run the service, or some of its roles, until it is told to stop."""

import errno

from tidings.cli.refusal import Refused
from tidings.cli.runner import load_settings, mendable
from tidings.cli.running import process

LISTENING_FAULTS = (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES)
ROLES = ("api", "worker", "portal")


def serve_roles(host: str, port: int, *, processes: int, roles: str, demo: bool) -> None:
    settings, asked = load_settings(), _roles(roles)
    with mendable():
        try:
            process.serve(
                settings, host=host, port=port, processes=processes, roles=asked, demo=demo
            )
        except OSError as reason:
            if reason.errno not in LISTENING_FAULTS:
                raise
            raise Refused(f"Cannot listen on {host}:{port}: {reason.strerror}.") from None


def _roles(text: str) -> frozenset[str]:
    asked = [role.strip() for role in text.split(",") if role.strip()]
    strangers = [role for role in asked if role not in ROLES]
    if strangers or not asked:
        raise Refused(f'--roles takes {", ".join(ROLES)}, with commas between; not "{text}".')
    return frozenset(asked)
