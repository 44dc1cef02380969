"""No trick leads to a canary: the whole service, its resolver and sockets, in a network whose
private addresses are real, and answer.

Made with `unshare`: 127.0.0.1, ::1, 169.254.169.254 and private addresses have listeners that
count; 8.8.8.8 is a customer's server; the system's resolver asks a name server that plays tricks.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.processes.egress import tricks
from tests.support.database import fresh_database, needs_direct, reachable_folder

ADDRESSES = [*tricks.CANARIES_IPV4[1:], *tricks.CANARIES_IPV6[1:], tricks.PUBLIC_IPV4,
             tricks.PUBLIC_IPV6]  # fmt: skip
NETWORK = ["unshare", "--net", "--mount", "sh", "-ec"]
SETUP = "ip link set lo up; for one in $ADDRESSES; do ip addr add $one dev lo; done;"
SETUP += "mount --bind $FILES/hosts /etc/hosts; mount --bind $FILES/resolv.conf /etc/resolv.conf;"


def in_network(command: str, files: Path) -> subprocess.CompletedProcess[str]:
    (files / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n" + "".join(
        f"{address} {name}\n" for name, address in tricks.IN_HOSTS.items()))  # fmt: skip
    (files / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:5 attempts:3\n")
    made = f"ADDRESSES='{' '.join(ADDRESSES)}'; FILES={files}; {SETUP} exec {command}"
    return subprocess.run([*NETWORK, made], capture_output=True, text=True, timeout=280)


@needs_direct
def test_no_trick_reaches_a_canary(tmp_path: Path) -> None:
    if in_network("true", tmp_path).returncode != 0:
        pytest.skip("needs unshare, mount and ip as root")
    folder, dsn = reachable_folder(), json.dumps(fresh_database())
    done = in_network(
        f"{sys.executable} -m tests.processes.egress.inside '{dsn}' {folder}", tmp_path
    )
    assert done.returncode == 0, done.stderr[-5000:]
    found = json.loads(done.stdout.splitlines()[-1])  # after the log
    tried = found["posted"] + found["redirected"] + len(tricks.PROXIES)
    sys.stdout.write(f"\n{summary(found, tried)}\n")
    assert not found["faults"], "\n".join(found["faults"])
    assert found["connections"] == {}
    assert tried >= 200
    assert found["public"] > found["redirected"], "the public server was reached all the time"
    assert found["names asked for"] >= len(tricks.names()) // 2


def summary(found: dict[str, Any], tried: int) -> str:
    asked = sum(door["asked"] for door in found["doors"].values())
    return (
        f"{tried} tricks at the socket, {asked} at {len(found['doors'])} doors: "
        f"{sum(found['connections'].values())} connections at the canaries"
    )
