"""The processes of the service: each may be killed and started again by itself."""

import http.client
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.support.forked import ForkedCommand
from tests.support.waiting import eventually

END_SECONDS_MAX = 60
READY_SECONDS_MAX = 120


class Member:
    """One `tidings serve`."""

    def __init__(self, name: str, roles: str, env: Mapping[str, str], log: Path) -> None:
        self.name, self.roles, self.log = name, roles, log
        self.port, self.operator_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._words = ["serve", "--port", str(self.port), "--roles", roles]
        self.env = {**env, "TIDINGS_OPERATOR_ADDRESS": f"127.0.0.1:{self.operator_port}"}
        self.process: ForkedCommand | None = None
        self.starts = 0

    def start(self) -> None:
        self.starts += 1
        self.process = ForkedCommand(self._words, self.env, self.log)

    @property
    def pid(self) -> int:
        assert self.process is not None, f"{self.name} does not run"
        return self.process.pid

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.operator_port, timeout=2)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def end(self, number: int) -> int:
        """Its exit status."""
        assert self.process is not None, f"{self.name} does not run"
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        status = self.process.wait(END_SECONDS_MAX)
        self.process = None
        return status


class Fleet:
    """All members, on one database."""

    def __init__(self, roles: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
        env = {"PATH": os.defpath, **env}
        self.members = [
            Member(f"{nth}-{each.replace(',', '-')}", each, env, folder / f"{nth}.log")
            for nth, each in enumerate(roles)
        ]

    def start(self) -> None:
        for member in self.members:
            if not member.runs:
                member.start()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        eventually(lambda: all(one.is_ready() for one in self.members), READY_SECONDS_MAX)

    def stop(self) -> dict[str, int]:
        """All at once, gracefully: their exit statuses."""
        running = [one for one in self.members if one.process is not None]
        for member in running:
            with suppress(ProcessLookupError):
                os.kill(member.pid, signal.SIGTERM)
        return {member.name: member.end(signal.SIGTERM) for member in running}

    def kill(self) -> None:
        """What is left of a run that went wrong."""
        for member in self.members:
            if member.process is not None:
                with suppress(ProcessLookupError):
                    os.kill(member.pid, signal.SIGCONT)
                member.end(signal.SIGKILL)

    @property
    def api(self) -> list[Member]:
        return [one for one in self.members if "api" in one.roles]

    @property
    def workers(self) -> list[Member]:
        return [one for one in self.members if "worker" in one.roles]


def free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        found: int = asking.getsockname()[1]
        return found
