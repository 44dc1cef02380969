"""Hosts of a cluster on one machine: each has its own network, processes and folder.

A host is a set of Linux namespaces. Its first process holds them: when that ends, the kernel kills
every other process of the host, as a power cut would, and removes its network. The folder stays,
so the host can return. The hosts share a bridge in a namespace of its own, so that no packet
leaves it and no address of the machine is used. The test itself joins the network as one more host.
"""

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

NEW_NETWORK = 0x40000000  # CLONE_NEWNET
CUT = """
table bridge cut {
    set ports { type ifname; }
    chain passing {
        type filter hook forward priority 0;
        iifname @ports drop
        oifname @ports drop
    }
}"""
REST = "while :; do sleep 3600 & wait $!; done"  # bash as a first process also reaps orphans


class Host:
    """One machine: `10.77.0.n` on the bridge."""

    def __init__(self, name: str, number: int, switch: "Switch", folder: Path) -> None:
        self.name, self.address = name, f"10.77.0.{number}"
        self.folder = folder / name
        self.folder.mkdir()
        self.folder.chmod(0o777)
        self._switch, self._port = switch, f"port{number}"
        self.boot()

    def boot(self) -> None:
        """The power is on: no process runs yet."""
        self._first = _namespaces()
        self.pid = _child_of(self._first.pid)
        self._switch.plug(self._port, self.pid)
        self.shell(
            f"ip link set lo up; ip addr add {self.address}/24 dev eth0; ip link set eth0 up"
        )

    def kill(self) -> None:
        """The power is cut: all processes end at once, with nothing said to anybody."""
        os.kill(self.pid, signal.SIGKILL)
        self._first.wait()
        self._switch.unplug(self._port)

    def cut_off(self) -> None:
        """Drop all packets from and to this host, without a reset of its connections."""
        self._switch.run("nft", "add", "element", "bridge", "cut", "ports", f"{{ {self._port} }}")

    def reconnect(self) -> None:
        self._switch.run(
            "nft", "delete", "element", "bridge", "cut", "ports", f"{{ {self._port} }}"
        )

    def inside(self, words: Sequence[str]) -> list[str]:
        return [
            "nsenter",
            "-t",
            str(self.pid),
            "-n",
            "-p",
            "-m",
            f"--wd={self.folder}",
            "--",
            *words,
        ]

    def shell(self, script: str) -> str:
        return _run(*self.inside(["sh", "-ec", script]))

    def run(self, words: Sequence[str], env: Mapping[str, str], text: str = "") -> str:
        """A command that must succeed; what it printed."""
        done = subprocess.run(
            self.inside(words),
            env=dict(env),
            input=text,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(
        self, name: str, words: Sequence[str], env: Mapping[str, str], user: str | None = None
    ) -> None:
        """A process that runs until the host is killed; its output is in a file of the folder."""
        as_user = [] if user is None else ["runuser", "-u", user, "--"]
        with (self.folder / f"{name}.log").open("ab") as output:
            subprocess.Popen(
                self.inside([*as_user, *words]),
                env=dict(env),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @contextmanager
    def entered(self) -> Iterator[None]:
        """This thread, and those it starts, are on the host's network."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        there = os.open(f"/proc/{self.pid}/ns/net", os.O_RDONLY)
        try:
            _join_network(there)
            yield
        finally:
            _join_network(before)
            os.close(before)
            os.close(there)


class Switch:
    """The bridge between the hosts; it drops what comes from or goes to a host that is cut off."""

    def __init__(self) -> None:
        self._first = _namespaces()
        self._pid = _child_of(self._first.pid)
        self.run("sh", "-ec", "ip link add bridge type bridge; ip link set bridge up")
        self.run("nft", CUT)

    def plug(self, port: str, pid: int) -> None:
        self.run("ip", "link", "add", port, "type", "veth", "peer", "eth0", "netns", str(pid))
        self.run("sh", "-ec", f"ip link set {port} master bridge; ip link set {port} up")

    def unplug(self, port: str) -> None:
        """It goes with the host's namespace, but the kernel takes its time."""
        subprocess.run(
            ["nsenter", "-t", str(self._pid), "-n", "ip", "link", "del", port],
            check=False,
            capture_output=True,
        )

    def run(self, *words: str) -> str:
        return _run("nsenter", "-t", str(self._pid), "-n", *words)

    def close(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        self._first.wait()


def missing_programs() -> list[str]:
    """What a cluster needs and this machine lacks."""
    needed = ["unshare", "nsenter", "setpriv", "ip", "nft", "runuser", "patroni", "etcd"]
    needed += ["faketime"]
    found = [name for name in needed if shutil.which(name) is None]
    postgres = Path("/usr/lib/postgresql/15/bin/postgres")
    return [*found, *([] if postgres.exists() else ["postgresql-15"])]


def _namespaces() -> subprocess.Popen[bytes]:
    """A process that keeps new namespaces, and ends with this one."""
    words = ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "--pid", "--mount-proc"]
    words += ["--fork", "--kill-child", "bash", "-c", REST]
    return subprocess.Popen(
        words, start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _child_of(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while not (found := children.read_text().split()):
        pass
    return int(found[0])


def _join_network(descriptor: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def _run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout
