"""A highly available PostgreSQL: etcd and Patroni on each of the hosts, from `deploy/patroni`."""

import json
import shutil
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cluster.hosts import Host
from tests.support.waiting import eventually

SAMPLES = Path(__file__).parents[2] / "deploy" / "patroni"
ENV = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
PASSWORD = "cluster"
ACCOUNT = "postgres"
STARTED_SECONDS_MAX = 240
LAG_MAX = 1_000_000  # bytes


class PostgresCluster:
    """One primary, one synchronous standby, one more; which is which, Patroni decides."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self.hosts = hosts
        for host in hosts:
            self._configure(host)
            self.start(host)
        eventually(self.is_complete, STARTED_SECONDS_MAX)

    def url(self, database: str = "postgres") -> str:
        """What Tidings gets: all hosts, and the wish for the one that takes writes."""
        where = ",".join(f"{host.address}:5432" for host in self.hosts)
        return (
            f"postgresql://postgres:{PASSWORD}@{where}/{database}?target_session_attrs=read-write"
        )

    def start(self, host: Host) -> None:
        """After the host has booted."""
        settings = (host.folder / "etcd.env").read_text().splitlines()
        words = dict(line.split("=", 1) for line in settings if line and not line.startswith("#"))
        host.start("etcd", ["etcd"], ENV | words, ACCOUNT)
        host.start("patroni", ["patroni", "patroni.yml"], ENV, ACCOUNT)

    def primary(self) -> Host | None:
        """The host that says so itself, if there is one."""
        return next((host for host in self.hosts if _ask(host, "primary")), None)

    def is_complete(self) -> bool:
        """All hosts say that all are there and follow: the next loss finds a standby."""
        return all(_is_complete(_ask(host, "cluster")) for host in self.hosts)

    def _configure(self, host: Host) -> None:
        words = {
            "SUPERUSER_PASSWORD": PASSWORD,
            "REPLICATION_PASSWORD": PASSWORD,
            "REWIND_PASSWORD": PASSWORD,
            "MEMBERS": ",".join(f"{one.name}=http://{one.address}:2380" for one in self.hosts),
            "HOSTS": ",".join(f"{one.address}:2379" for one in self.hosts),
            "NETWORK": "10.77.0.0/24",
            "ADDRESS": host.address,
            "NAME": host.name,
            "PGPASS": str(host.folder / "pgpass"),
        }
        for name, folder in (("etcd.env", "etcd"), ("patroni.yml", "postgres")):
            text = (SAMPLES / name).read_text()
            for word, value in (words | {"DATA": str(host.folder / folder)}).items():
                text = text.replace(f"<{word}>", value)
            (host.folder / name).write_text(text)
        shutil.chown(host.folder, ACCOUNT)
        host.folder.chmod(0o700)


def _ask(host: Host, path: str) -> Any:
    """What the host's Patroni answers; None if it does not, or says no."""
    try:
        with urllib.request.urlopen(f"http://{host.address}:8008/{path}", timeout=2) as got:
            return json.load(got)
    except (OSError, ValueError):
        return None


def _is_complete(seen: Any) -> bool:
    members = [] if seen is None else seen["members"]
    return (
        sorted(one["role"] for one in members) == ["leader", "replica", "sync_standby"]
        and {one["state"] for one in members} <= {"running", "streaming"}
        and len({one.get("timeline") for one in members}) == 1
        and all(isinstance(lag := one.get("lag", 0), int) and lag < LAG_MAX for one in members)
    )
