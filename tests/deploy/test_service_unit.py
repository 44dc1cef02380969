"""What the systemd unit allows is enough for the service, and its companion script reads the same
settings."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.test_files import needs

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
MEASURE = """
import os
from tidings.engine.metrics.processes import Processes, ProcessInfo
found = Processes("1", lambda: [ProcessInfo("1", "api", os.getpid())]).collect()
print(*(family.name for family in found))
"""
SETTINGS = """# a comment
; another
TIDINGS_ISSUER=Acme Ltd|1 Main Road; London|VAT $7 & more

TIDINGS_PUBLIC_URL="https://messages.example.com"
TIDINGS_LOG_LEVEL='debug'
"""
SECRETS = ("database-url", "master-key", "app-secret", "verify-token")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@needs_root
def test_the_metrics_of_processes_can_be_read_under_the_unit() -> None:
    """They come from /proc, which a unit can hide."""
    needs("unshare")
    hidden = re.findall(r"^ProcSubset=(\w+)", (FOLDER / "tidings.service").read_text(), re.M)
    options = ",".join(f"subset={one}" for one in hidden if one != "all") or "rw"
    script = f'mount -t proc -o {options} proc /proc && exec "$@"'
    words = ["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, "sh"]
    done = subprocess.run(
        [*words, sys.executable, "-c", MEASURE], capture_output=True, text=True, check=False
    )
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip(f"no namespaces here: {done.stderr.strip()}")
    assert {"process_cpu_seconds", "process_open_fds"} <= set(done.stdout.split()), done.stderr


@needs_root
def test_the_script_reads_settings_as_systemd_does(tmp_path: Path) -> None:
    needs("setpriv")
    (tmp_path / "credentials").mkdir()
    (tmp_path / "settings").write_text(SETTINGS)
    for name in SECRETS:
        (tmp_path / "credentials" / name).write_text(f"the {name}\n")
    env = {"PATH": os.environ["PATH"], "CONFIG": str(tmp_path), "PROGRAM": "/usr/bin/env"}
    done = subprocess.run(
        ["sh", FOLDER / "tidings-as-service", "-0"],
        env=env | {"ACCOUNT": "daemon"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = dict(line.split("=", 1) for line in done.stdout.split("\0") if "=" in line)
    ours = {name: value for name, value in found.items() if name.startswith("TIDINGS_")}
    assert ours == {
        "TIDINGS_DATA": "/var/lib/tidings",
        "TIDINGS_ISSUER": "Acme Ltd|1 Main Road; London|VAT $7 & more",
        "TIDINGS_PUBLIC_URL": "https://messages.example.com",
        "TIDINGS_LOG_LEVEL": "debug",
        "TIDINGS_DATABASE_URL": "the database-url",
        "TIDINGS_MASTER_KEY": "the master-key",
        "TIDINGS_APP_SECRET": "the app-secret",
        "TIDINGS_VERIFY_TOKEN": "the verify-token",
    }
