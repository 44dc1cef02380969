"""The password of the embedded server's role, and the rules by which the server asks for it.

The password lies in `<TIDINGS_DATA>/postgres/pgpass`, in libpq's format, readable by the owner of
that folder only. Whoever connects reads it from there (asyncpg's and libpq's `passfile`), so a
process that runs on follows where it is made anew. docs/decisions/0004-embedded-postgresql.md
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

FILE = "pgpass"
PASSWORD_BYTES = 32

RULES = """\
# Written by Tidings at each start: every connection needs the password in the file pgpass.
local all         all     scram-sha-256
local replication all     scram-sha-256
host  all         all all scram-sha-256
host  replication all all scram-sha-256
"""


def new() -> str:
    return secrets.token_hex(PASSWORD_BYTES)


def find(folder: Path, role: str) -> str | None:
    """What the file says; None where there is no file, or one that is not of this role."""
    with suppress(OSError, UnicodeDecodeError):
        entry = (folder / FILE).read_text().strip().split(":")
        if len(entry) == 5 and entry[3] == role and entry[4].isalnum():
            return entry[4]
    return None


def keep(folder: Path, role: str, password: str) -> None:
    _write_private(folder / FILE, f"*:*:*:{role}:{password}\n")


def is_asked_for(data: Path) -> bool:
    """Whether a server that starts on this cluster lets nobody in without the password."""
    with suppress(OSError, UnicodeDecodeError):
        return (data / "pg_hba.conf").read_text() == RULES
    return False


def write_rules(data: Path) -> None:
    _write_private(data / "pg_hba.conf", RULES)


def statement(role: str, password: str) -> str:
    """The line for a server in single-user mode; the server keeps a SCRAM verifier of it."""
    return f"ALTER ROLE {role} PASSWORD '{password}'\n"


def _write_private(path: Path, text: str) -> None:
    """Whole or not at all, 0600, owned like the folder it is in. No link is followed."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    owner = path.parent.stat()
    with os.fdopen(os.open(draft, flags, 0o600), "w") as file:
        if os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
