"""The part of systemd that concerns us: sockets that outlive the service, and notifications."""

import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

# The descriptors are numbered from 3 on, and LISTEN_PID is the process that `exec` becomes.
START = 'export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=public; exec "$@" 3<&"$PASSED"'


class SocketParent:
    """Opens a socket as tidings.socket does, and starts the service on it any number of times."""

    def __init__(self, env: dict[str, str], log: Path) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self._folder = tempfile.TemporaryDirectory()
        address = str(Path(self._folder.name) / "notify")
        self._notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notified.bind(address)
        self._notified.settimeout(120)
        self._env = env | {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "2000000"}
        self._log = log

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Returns once the service has said that it is ready."""
        descriptor = self.listener.fileno()
        serve = [sys.executable, "-m", "tidings.cli", "serve", *arguments]
        process = subprocess.Popen(
            ["bash", "-c", START, "bash", *serve],
            env=self._env | {"PASSED": str(descriptor)},
            pass_fds=(descriptor,),
            stdout=self._log.open("ab"),
            stderr=subprocess.STDOUT,
        )
        self.wait_for("READY=1")
        return process

    def wait_for(self, state: str) -> None:
        """Until this notification; those of the watchdog are passed over."""
        while (found := self._notified.recv(100).decode()) != state:
            assert found in ("WATCHDOG=1", "READY=1"), found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()
        self._notified.close()
        self._folder.cleanup()


def stop(process: subprocess.Popen[bytes]) -> int:
    process.terminate()
    return process.wait(120)
