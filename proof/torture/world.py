"""What a scenario happens in: a database, a platform, a receiver, the service and its customer."""

import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from proof.torture.customer import AUTH, KEY, Customer
from proof.torture.fleet import Fleet
from proof.torture.platform import RecordingPlatform
from proof.torture.postgres import TorturedServer
from proof.torture.proxy import Proxy
from proof.torture.receiver import WebhookRecord
from tests.support.billing import subscription
from tests.support.commands import run
from tests.support.plain_http import NO_TLS
from tests.support.service import account_toml
from tests.support.waiting import eventually

SECRET = "whsec_" + "S" * 43
QUOTA = 10_000_000
TWO_AND_TWO = ("api,worker", "api,worker", "worker", "worker")
THREE_AND_TWO = ("api,worker", *TWO_AND_TWO)
PLATFORM_SECONDS = 0.05  # long enough to be killed in the middle of


@dataclass
class World:
    folder: Path
    seed: int
    postgres: TorturedServer
    platform: RecordingPlatform
    receiver: WebhookRecord
    fleet: Fleet
    customer: Customer | None = None
    is_broken: bool = False  # a promise was: what tells of it is kept

    @property
    def random(self) -> random.Random:
        return random.Random(self.seed)

    @property
    def journal(self) -> Path:
        return self.folder / "acknowledged.jsonl"

    def begin_load(self, per_second: float = 40, senders: int = 16) -> Customer:
        urls = [one.url for one in self.fleet.api]
        self.customer = Customer(
            urls, self.journal, self.seed, senders=senders, per_second=per_second
        )
        self.customer.start()
        return self.customer

    def reads(self) -> httpx.Client:
        return httpx.Client(base_url=self.fleet.api[0].url, headers=AUTH, timeout=60, verify=NO_TLS)


@contextmanager
def world(
    name: str,
    seed: int,
    *,
    roles: Sequence[str] = TWO_AND_TWO,
    postgres: TorturedServer | None = None,
    database_url: str | None = None,
    **settings: str,
) -> Iterator[World]:
    """All of it is ended afterwards. What a failed run leaves is kept, and its folder named."""
    folder = Path(tempfile.mkdtemp(prefix=f"tidings-torture-{name}-"))
    folder.chmod(0o755)
    with ExitStack() as ending:
        server = ending.enter_context(postgres or TorturedServer())
        platform = ending.enter_context(RecordingPlatform(PLATFORM_SECONDS))
        receiver = ending.enter_context(WebhookRecord())
        env = {
            "TIDINGS_DATA": str(folder / "data"),
            "TIDINGS_DATABASE_URL": database_url or server.url,
            "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
            **platform.settings,
            **settings,
        }
        fleet = Fleet(roles, env, folder)
        front = ending.enter_context(Proxy([one.port for one in fleet.api]))
        platform.call_back(f"http://127.0.0.1:{front.port}/platform/whatsapp/webhook")
        made = World(folder, seed, server, platform, receiver, fleet)
        _set_up(made, env | {"TIDINGS_DATABASE_URL": server.url})
        ending.callback(_end, made)
        try:
            yield made
        except BaseException:
            made.is_broken = True
            raise
        finally:
            if made.is_broken:
                sys.stderr.write(f"The state of the failed run is kept in {folder}\n")
            else:
                ending.callback(shutil.rmtree, folder, ignore_errors=True)


def _set_up(made: World, env: dict[str, str]) -> None:
    """A live account that pays for what it sends, and the members running."""
    (made.folder / "data").mkdir()
    run("migrate", env=env).good()
    more = subscription(unique=QUOTA, followup=QUOTA) + made.platform.numbers_toml
    fields = {
        "environment": "live",
        "apiKey": KEY,
        "signingSecret": SECRET,
        "webhookUrl": f"{made.receiver.url}/hook",
    }
    toml = account_toml(f"{more}perSecond = 1000\n# accounts.templates\n", name="acme", **fields)
    run("apply", "-", env=env, text=toml).good()
    try:
        made.fleet.start()
        with made.reads() as http:
            eventually(lambda: http.get("/api/v1/templates").json()["data"])
    except BaseException:
        made.fleet.kill()
        raise


def _end(made: World) -> None:
    made.fleet.kill()
    if made.customer is not None:
        made.customer.abandon()
