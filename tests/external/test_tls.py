"""TLS to PostgreSQL: the server proves who it is, and so do we, by what the URL says."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import trustme

from tests.support.clock import ManualClock
from tests.support.database import reachable_folder
from tests.support.external import PostgresServer, account, free_port, needs_postgres
from tidings.engine.db.connections import Unavailable
from tidings.engine.db.pool import Database

pytestmark = [pytest.mark.anyio, needs_postgres]

RULES = """\
local   all all           trust
hostssl all all 127.0.0.1/32 cert clientcert=verify-full
"""


class Certificates(NamedTuple):
    folder: Path
    port: int

    def url(self, host: str = "localhost", root: str = "ca.pem", client: str = "client") -> str:
        files = {"sslrootcert": root, "sslcert": f"{client}.pem", "sslkey": f"{client}.key"}
        query = "&".join(f"{name}={self.folder / file}" for name, file in files.items())
        return f"postgresql://tidings@{host}:{self.port}/postgres?sslmode=verify-full&{query}"


def write(folder: Path, name: str, certificate: trustme.LeafCert) -> None:
    certificate.cert_chain_pems[0].write_to_path(folder / f"{name}.pem")
    certificate.private_key_pem.write_to_path(folder / f"{name}.key")
    (folder / f"{name}.key").chmod(0o600)


@pytest.fixture(scope="module")
def certificates() -> Iterator[Certificates]:
    folder, port = reachable_folder(), free_port()
    authority, stranger = trustme.CA(), trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    stranger.cert_pem.write_to_path(folder / "stranger.pem")
    write(folder, "server", authority.issue_cert("localhost"))
    write(folder, "client", authority.issue_cert(common_name="tidings"))
    write(folder, "other", authority.issue_cert(common_name="somebody"))
    if (user := account()) is not None:
        shutil.chown(folder / "server.key", user.pw_uid, user.pw_gid)
    files = {"cert": "server.pem", "key": "server.key", "ca": "ca.pem"}
    settings = {f"ssl_{what}_file": str(folder / name) for what, name in files.items()}
    settings |= {"ssl": "on", "listen_addresses": "127.0.0.1", "port": str(port)}
    with PostgresServer(settings, RULES):
        yield Certificates(folder, port)


async def test_both_sides_show_their_certificates(certificates: Certificates) -> None:
    db = await Database.open(certificates.url(), ManualClock(), 2)
    seen = "SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    row = await db.row(seen)
    assert row is not None
    assert row["ssl"]
    assert "CN=tidings" in row["client_dn"]
    dedicated = await db.dedicated()
    assert (await dedicated.fetchrow(seen))["ssl"]
    await dedicated.close()
    await db.close()


@pytest.mark.parametrize(
    "changed",
    [{"root": "stranger.pem"}, {"host": "127.0.0.1"}],
    ids=["of an unknown authority", "of another name"],
)
async def test_a_server_that_does_not_prove_who_it_is_is_not_used(
    certificates: Certificates, changed: dict[str, str]
) -> None:
    with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
        await Database.open(certificates.url(**changed), ManualClock(), 2)


async def test_the_certificate_of_somebody_else_lets_nobody_in(certificates: Certificates) -> None:
    with pytest.raises(Exception, match="certificate authentication failed"):
        await Database.open(certificates.url(client="other"), ManualClock(), 2)
