"""The password of the embedded server's role, and the rules by which the server asks for it.

The password is stored in `<TIDINGS_DATA>/postgres/pgpass`, in libpq's format, readable only by the
folder's owner. Clients read it at each connect (asyncpg's and libpq's `passfile`), so a running
process picks up a changed password. docs/decisions/0004-embedded-postgresql.md
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
    """The stored password; None if there is no file, or none for this role."""
    with suppress(OSError, UnicodeDecodeError):
        entry = (folder / FILE).read_text().strip().split(":")
        if len(entry) == 5 and entry[3] == role and entry[4].isalnum():
            return entry[4]
    return None


def keep(folder: Path, role: str, password: str) -> None:
    _write_private(folder / FILE, f"*:*:*:{role}:{password}\n")


def is_asked_for(data: Path) -> bool:
    """Whether the cluster's pg_hba.conf requires the password for every connection."""
    with suppress(OSError, UnicodeDecodeError):
        return (data / "pg_hba.conf").read_text() == RULES
    return False


def write_rules(data: Path) -> None:
    _write_private(data / "pg_hba.conf", RULES)


def statement(role: str, password: str) -> str:
    """The statement for single-user mode; the server stores only a SCRAM verifier."""
    return f"ALTER ROLE {role} PASSWORD '{password}'\n"


def _write_private(path: Path, text: str) -> None:
    """Atomic write with mode 0600 and the owner of the folder. Follows no symbolic link."""
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
