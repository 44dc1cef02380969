"""Who gives a command, for the audit log: the user of this machine."""

import getpass

from tidings.features.audit.record import Actor


def command_actor() -> Actor:
    return Actor("command", _user())


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return "unknown user"
