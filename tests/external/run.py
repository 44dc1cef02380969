"""`make test-external`: run tests on PostgreSQL of this machine, through PgBouncer.

    python -m tests.external.run [arguments of pytest]

The tests are those that other databases could break: stores, journeys, crashes. What is about the
embedded server, or reads what only a direct connection shows, stays with
`make test` and `make test-processes`.
"""

import json
import os
import subprocess
import sys

from tests.support.database import EXTERNAL
from tests.support.external import PgBouncer, PostgresServer, find_pgbouncer, programs
from tidings.engine.db.sessions import OF_ROLE

FOLDERS = ("tests/external", "tests/store", "tests/flows", "tests/faults", "tests/processes")
# About the embedded server, or with servers of their own: the same as without a pooler.
LEFT_OUT = (
    "tests/store/test_embedded_password.py",
    "tests/store/test_failover.py",
    "tests/faults/test_outage_log.py",
    "tests/processes/test_embedded_server.py",
    "tests/processes/test_passcode_secrecy.py",
    "tests/processes/test_secret_canaries.py",
    "tests/processes/test_supervisor.py",
    "tests/processes/test_torture.py",
)


def main() -> int:
    if not (programs() / "initdb").exists() or find_pgbouncer() is None:
        sys.stderr.write(f"Skipped: needs PostgreSQL in {programs()} and pgbouncer.\n")
        return 0
    arguments = sys.argv[1:] or [*FOLDERS, *(f"--ignore={path}" for path in LEFT_OUT)]
    with PostgresServer() as server, PgBouncer(server) as pooler:
        # Tests that look at the database themselves do so without the defaults of the role. It has
        # them in all databases: a process would set them in each, at its start.
        defaults = [f"ALTER ROLE pooled SET {name} = '{value}'" for name, value in OF_ROLE.items()]
        server.execute("CREATE ROLE pooled SUPERUSER LOGIN", *defaults)
        where = json.dumps({"direct": server.dsn, "pooled": pooler.dsn | {"user": "pooled"}})
        env = {**os.environ, EXTERNAL: where}
        pytest = [sys.executable, "-m", "pytest", "-n", "4", "--dist", "loadfile", *arguments]
        return subprocess.run(pytest, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
