"""What systemd hands to `tidings serve`: its listening sockets, and an address for notifications.

Sockets outlive a restart of the service: connections wait in their backlog until the next process
accepts them, so none is refused (sd_listen_fds(3)). READY=1, STOPPING=1 and WATCHDOG=1 say how the
service is (sd_notify(3)). Nothing here happens where systemd did not ask for it.
"""

import asyncio
import os
import socket
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tidings.cli.output import Refused

FIRST = 3  # sd_listen_fds(3): descriptors are passed from here on
OPERATOR = "operator"  # FileDescriptorName= of the operator's socket; all others are public
OURS = "TIDINGS_PASSED_SOCKETS"  # from the supervisor to its processes: descriptors
_MESSAGES = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
_LISTENING = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


@dataclass(frozen=True, slots=True)
class Passed:
    """The sockets that were opened for us."""

    public: tuple[socket.socket, ...] = ()
    operator: socket.socket | None = None

    @property
    def descriptors(self) -> tuple[int, ...]:
        return tuple(one.fileno() for one in self.public)

    @property
    def address(self) -> tuple[str, int] | None:
        """Of the first public one."""
        return next(((name[0], name[1]) for name in map(_name, self.public)), None)

    @property
    def addresses(self) -> list[tuple[str, int]]:
        return [(name[0], name[1]) for name in map(_name, self.public)]

    def environment(self) -> dict[str, str]:
        """For the processes of a supervisor, which inherit the descriptors."""
        return {OURS: ",".join(map(str, self.descriptors))} if self.public else {}


def _name(listener: socket.socket) -> tuple[str, int]:
    host, port = listener.getsockname()[:2]
    return host, port


def take_sockets(env: MutableMapping[str, str], pid: int) -> Passed:
    """The sockets passed to this process. The variables are removed: they are not for children."""
    given = {name: env.pop(name, "") for name in _LISTENING}
    if ours := env.pop(OURS, ""):
        return Passed(tuple(_opened(int(number)) for number in ours.split(",")))
    if given["LISTEN_PID"] != str(pid) or not given["LISTEN_FDS"].isdigit():
        return Passed()
    names = given["LISTEN_FDNAMES"].split(":")
    found = [_opened(FIRST + number) for number in range(int(given["LISTEN_FDS"]))]
    named = [(names[place] if place < len(names) else "", one) for place, one in enumerate(found)]
    operators = [one for name, one in named if name == OPERATOR]
    public = tuple(one for name, one in named if name != OPERATOR)
    return Passed(public, operators[0] if operators else None)


def _opened(descriptor: int) -> socket.socket:
    try:
        found = socket.socket(fileno=descriptor)
    except OSError as reason:
        raise Refused(f"Descriptor {descriptor} is no socket: {reason.strerror}.") from None
    is_tcp = found.family in (socket.AF_INET, socket.AF_INET6) and found.type == socket.SOCK_STREAM
    if not is_tcp or not found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        raise Refused(f"Descriptor {descriptor} must be a listening TCP socket (ListenStream=).")
    os.set_inheritable(descriptor, False)
    return found


def notify(state: str, env: Mapping[str, str] = os.environ) -> None:
    """Tell systemd, if it listens. A lost notification must not end the service."""
    if address := env.get("NOTIFY_SOCKET", ""):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.connect("\0" + address[1:] if address.startswith("@") else address)
            sender.send(state.encode())


def without_messages(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child, which has nothing to say to systemd."""
    return {name: value for name, value in env.items() if name not in _MESSAGES}


@contextmanager
def watched(env: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Notify the watchdog from the event loop: a loop that hangs misses its time."""
    microseconds = env.get("WATCHDOG_USEC", "")
    for_us = env.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not microseconds.isdigit() or not for_us:
        yield
        return
    task = asyncio.create_task(_notify_watchdog(int(microseconds) / 1e6, env))
    try:
        yield
    finally:
        task.cancel()


async def _notify_watchdog(seconds: float, env: Mapping[str, str]) -> None:
    while True:
        notify("WATCHDOG=1", env)
        await asyncio.sleep(seconds / 2)
