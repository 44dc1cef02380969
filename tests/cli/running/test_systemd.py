"""What systemd hands over: sockets that listen already, and an address for notifications."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tidings.cli.output import Refused
from tidings.cli.running.systemd import (
    FIRST,
    OURS,
    Passed,
    notify,
    take_sockets,
    watched,
    without_messages,
)

PID = 4711


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as one:
        yield one


def from_supervisor(*found: socket.socket) -> dict[str, str]:
    """As a supervisor passes them: numbered as they are, so that no descriptor need be moved."""
    return {OURS: ",".join(str(os.dup(one.fileno())) for one in found)}


def test_without_systemd_nothing_is_passed() -> None:
    assert take_sockets({}, PID) == Passed()


def test_sockets_for_another_process_are_left_alone() -> None:
    env = {"LISTEN_PID": str(PID + 1), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x", "PATH": "/bin"}
    assert take_sockets(env, PID) == Passed()
    assert env == {"PATH": "/bin"}, "nor do our children mistake them for theirs"


def test_a_passed_socket_says_where_it_listens(listening: socket.socket) -> None:
    env = from_supervisor(listening)
    passed = take_sockets(env, PID)
    assert passed.address == listening.getsockname()
    assert passed.addresses == [listening.getsockname()]
    assert OURS not in env
    assert passed.environment() == {OURS: str(passed.public[0].fileno())}


def test_what_is_no_listening_tcp_socket_is_refused(tmp_path: Path) -> None:
    with socket.socket() as idle, pytest.raises(Refused, match="listening TCP socket"):
        take_sockets(from_supervisor(idle), PID)
    with socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "s"))
        local.listen()
        with pytest.raises(Refused, match="listening TCP socket"):
            take_sockets(from_supervisor(local), PID)
    file = (tmp_path / "file").open("w")
    with file, pytest.raises(Refused, match="is no socket"):
        take_sockets({OURS: str(file.fileno())}, PID)
    assert FIRST == 3


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(address)
        receiver.settimeout(60)
        yield receiver, {"NOTIFY_SOCKET": address}


async def test_the_watchdog_hears_from_the_event_loop(systemd) -> None:
    receiver, env = systemd
    with watched({**env, "WATCHDOG_USEC": "20000"}):
        loop_reads = [await _receive(receiver) for _ in range(3)]
    assert loop_reads == [b"WATCHDOG=1"] * 3


async def _receive(receiver: socket.socket) -> bytes:
    import asyncio

    return await asyncio.to_thread(receiver.recv, 100)


async def test_a_watchdog_of_another_process_is_not_ours(systemd) -> None:
    receiver, env = systemd
    with watched({**env, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": str(os.getpid() + 1)}):
        notify("READY=1", env)
        assert await _receive(receiver) == b"READY=1"


def test_nobody_who_listens_is_no_failure(tmp_path: Path) -> None:
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})
    notify("READY=1", {"NOTIFY_SOCKET": "@tidings-nobody"})


def test_processes_of_a_supervisor_do_not_talk_to_systemd() -> None:
    env = {"NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "1", "PATH": "/bin"}
    assert without_messages(env) == {"PATH": "/bin"}
