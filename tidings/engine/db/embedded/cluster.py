"""The embedded database cluster: creating, starting, detecting and stopping it.

Only one process calls this at a time (`server.py` holds a lock).
"""

import hashlib
import os
import secrets
import shlex
import shutil
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tidings import limits
from tidings.engine.db.embedded import password
from tidings.engine.db.embedded.placement import EmbeddedServerError, Home
from tidings.engine.durable import sync_folder

NAME = "tidings"  # role and database
PORT = 5432  # names the socket file; nothing listens on the network
SOCKET = f".s.PGSQL.{PORT}"
SOCKET_PATH_BYTES_MAX = 100  # the kernel allows 107
READY_SECONDS_MAX = 60
TICK_SECONDS = 0.02
START_ATTEMPTS_MAX = 5
START_PAUSE_SECONDS = 0.2

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "max_connections": "100",
    "shared_buffers": "256MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_wal_size": "2GB",
    "min_wal_size": "256MB",
    "checkpoint_timeout": "10min",
    "random_page_cost": "1.1",
    "jit": "off",
    "track_io_timing": "off",
    "idle_in_transaction_session_timeout": f"{limits.IDLE_TRANSACTION_TIMEOUT.total_seconds():g}s",
    "client_connection_check_interval": "1s",  # cancels the statements of killed clients
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "on",
    "log_filename": "postgresql-%a.log",  # one file per weekday, overwritten after a week
    "log_truncate_on_rotation": "on",
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    # Statements and details contain phone numbers and messages, so they are not logged.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}
FAST_SETTINGS = {  # for tests: without durability, and for many short-lived databases
    "fsync": "off",
    "synchronous_commit": "off",
    "max_wal_size": "512MB",  # the files may be in memory
    "min_wal_size": "64MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum_naptime": "5min",
    "plan_cache_mode": "force_generic_plan",
    "full_page_writes": "off",
    "client_connection_check_interval": "100ms",
    "max_connections": "300",
}


@dataclass(frozen=True, slots=True)
class Running:
    """A running server: its socket folder, and whether it accepts connections."""

    host: Path
    ready: bool


def ensure_running(home: Home, keys: Path, fast: bool) -> Path:
    """Returns the socket folder of a running server that requires the password in `keys`."""
    data = home.folder / "data"
    if not data.exists():
        _make(home, keys, data, fast)
    elif password.find(keys, NAME) is None or not password.is_asked_for(data):
        # Created by a version without a password, or the password file is missing.
        stop(home)
        _protect(home, keys, data, fast)
    for _ in range(START_ATTEMPTS_MAX - 1):
        host = _find_ready(data)
        if host is not None:
            return host
        with suppress(EmbeddedServerError):
            return _start(home, data, fast)
        # Children of a killed server are still exiting, or an earlier start attempt succeeded.
        time.sleep(START_PAUSE_SECONDS)
    return _find_ready(data) or _start(home, data, fast)


def _make(home: Home, keys: Path, data: Path, fast: bool) -> None:
    """initdb in a temporary folder, then a rename, so that a partial cluster never exists."""
    leftovers = list(home.folder.glob("new-*"))  # an initdb may outlive the process that started it
    made = home.folder / f"new-{secrets.token_hex(8)}"
    _require(
        home,
        *("initdb", "--pgdata", str(made), "--username", NAME, "--auth", "trust"),
        *("--encoding", "UTF8", "--locale", "C", "--data-checksums", "--no-instructions"),
        *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
        *(("--no-sync",) if fast else ()),
    )
    _protect(home, keys, made, fast, f"CREATE DATABASE {NAME}\n")
    made.rename(data)
    sync_folder(home.folder)
    for leftover in leftovers:
        shutil.rmtree(leftover, ignore_errors=True)


def _protect(home: Home, keys: Path, data: Path, fast: bool, first: str = "") -> None:
    """Set the role's password, store it, then require it. After an interruption it runs again.

    In single-user mode the server does not listen, so no client can connect without a password.
    """
    kept = password.find(keys, NAME)
    secret = kept or password.new()
    quick = ("-F",) if fast else ()
    # Tests connect thousands of times; a client needs 5 ms for the usual number of iterations.
    cheap = "SET scram_iterations = 1\n" if fast else ""
    statements = first + cheap + password.statement(NAME, secret)
    _require(home, "postgres", "--single", "-D", str(data), *quick, "postgres", text=statements)
    if kept is None:
        password.keep(keys, NAME, secret)
    password.write_rules(data)


def _start(home: Home, data: Path, fast: bool) -> Path:
    """Start the server; returns its socket folder."""
    host = _socket_folder(home)
    # Left by a killed server; its PID may have been reused, see `_find_running`.
    (host / f"{SOCKET}.lock").unlink(missing_ok=True)
    log = home.folder / "log"
    home.own(log)
    settings = SETTINGS | (FAST_SETTINGS if fast else {})
    settings |= {"unix_socket_directories": str(host), "log_directory": str(log)}
    options = shlex.join(part for pair in settings.items() for part in ("-c", "=".join(pair)))
    _require(
        home,
        *("pg_ctl", "start", "--silent", "--wait", "--timeout", str(READY_SECONDS_MAX)),
        *("--pgdata", str(data), "--log", str(log / "start.log"), "--options", options),
    )
    return host


def stop(home: Home) -> None:
    data = home.folder / "data"
    if _find_running(data) is not None:
        _require(
            home,
            *("pg_ctl", "stop", "--silent", "--wait", "--timeout", str(READY_SECONDS_MAX)),
            *("--pgdata", str(data), "--mode", "fast"),
        )


def _require(home: Home, program: str, *arguments: str, text: str | None = None) -> None:
    done = home.run(program, *arguments, text=text)
    if done.returncode != 0 or "ERROR:" in done.stderr:  # single-user mode always exits with 0
        said = [(done.stderr or done.stdout).strip(), *_log_tail(home.folder / "log")]
        raise EmbeddedServerError(
            f"PostgreSQL's {program} failed in {home.folder}: " + "\n".join(said)
        )


def _log_tail(folder: Path) -> list[str]:
    """The end of the newest server log, for the error message; empty before the first start."""
    with suppress(OSError, ValueError):
        newest = max(folder.iterdir(), key=lambda log: log.stat().st_mtime)
        return newest.read_text(errors="replace").splitlines()[-3:]
    return []


def _socket_folder(home: Home) -> Path:
    """The server's own folder, or one in /tmp if that path is too long for a socket."""
    key = hashlib.sha256(os.fsencode(home.folder)).hexdigest()[:16]
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108 (made private)
        for folder in (home.folder, parent / f"tidings-{key}"):
            if len(os.fsencode(folder / SOCKET)) <= SOCKET_PATH_BYTES_MAX:
                home.own(folder)
                return folder
    raise EmbeddedServerError("No folder has a path short enough for a socket.")


def _find_ready(data: Path) -> Path | None:
    """Waits until the running server is ready and returns its socket folder; None if none runs."""
    for _ in range(int(READY_SECONDS_MAX / TICK_SECONDS)):
        running = _find_running(data)
        if running is None or running.ready:
            return running.host if running else None
        time.sleep(TICK_SECONDS)  # recovering from a crash, or shutting down
    raise EmbeddedServerError(f"The database in {data} runs but does not get ready: see its log.")


def _find_running(data: Path) -> Running | None:
    """The running server of this cluster, by its lock file (postmaster.pid).

    The PID in a dead server's file may have been reused by another program (PIDs in a restarted
    container begin at 1 again): PostgreSQL would refuse to start, and pg_ctl would stop that
    program.
    """
    pid_file = data / "postmaster.pid"
    try:
        lines = pid_file.read_text().splitlines()
    except FileNotFoundError:
        return None
    host = Path(lines[4]) if len(lines) > 4 else None
    if host is not None and _answers(host):
        return Running(host, ready=len(lines) > 7 and lines[7].strip() == "ready")
    if lines and _is_server(lines[0], data):
        return Running(data, ready=False)
    pid_file.unlink(missing_ok=True)
    return None


def _is_server(pid: str, data: Path) -> bool:
    try:
        if Path("/proc/self").exists():
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            return os.fsencode(data) in command.split(b"\0")
        os.kill(int(pid), 0)
    except (OSError, ValueError):
        return False
    return True


def _answers(host: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(host / SOCKET))
        except OSError:
            return False
    return True
