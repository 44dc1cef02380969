"""Where histories take place: a PostgreSQL, and on it a database with accounts to copy."""

import asyncio
import base64
import itertools
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from proof.simulation.original import keep, put_back
from proof.simulation.platform import APP_SECRET
from proof.simulation.postgresql import Administrator
from proof.simulation.sessions import Sessions
from tidings import ids
from tidings.account_file.apply import apply_declaration
from tidings.account_file.hand_edits import EditPolicy
from tidings.account_file.plan import Removal
from tidings.account_file.read import read_file
from tidings.clock import Clock
from tidings.engine.db.partitions import create_ahead
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.master_key import load_sealer
from tidings.features.audit.record import Actor
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.platform_feedback import change_health
from tidings.features.templates.lookup import configure
from tidings.features.templates.model import Template, TemplateButton
from tidings.settings import Settings

EPOCH = datetime(2026, 11, 15, 12, tzinfo=UTC)
KEYS = ("td_live_" + "A" * 43, "td_live_" + "B" * 43)
ACCOUNTS = """
[[accounts]]
name = "{name}"
environment = "live"
apiKey = "{key}"
signingSecret = "whsec_{letter}"
webhookUrl = "http://127.0.0.1:9/{name}"
requestsPerMinute = 100000
otpTemplate = "code"
{subscription}
[[accounts.numbers]]
number = "97255500000{nth}"
phoneNumberId = "10550000000000{nth}"
wabaId = "20770000000000{nth}"
accessToken = "EAAG-token-{nth}"
perSecond = 20
"""
PACKAGE = """
[accounts.subscription]
package = "Gold"
billingType = "PACKAGE"
unique = 8
followup = 3
"""
USAGE = """
[accounts.subscription]
package = "Metered"
billingType = "USAGE"
pricePerUnique = "0.20"
pricePerFollowup = "0.10"
creditLimit = "1.50"
"""
BUTTONS = (TemplateButton("QUICK_REPLY", "Yes"), TemplateButton("QUICK_REPLY", "No"))
TEMPLATES = [
    Template("plain", "en", "UTILITY", "APPROVED", body="Good morning"),
    Template("invite", "en", "UTILITY", "APPROVED", body="Will you come?", buttons=BUTTONS),
    Template(
        "code", "en", "AUTHENTICATION", "APPROVED", body="{{1}} is your code.",
        buttons=(TemplateButton("COPY_CODE", "Copy code"),),
    ),
]  # fmt: skip


# So that every program that works with these databases can read what one has sealed in them.
MASTER_KEY = base64.b64encode(b"S" * 32).decode()
HISTORY = "history"  # the prefix of their names


@dataclass(slots=True)
class _Still:
    at: datetime

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return 0.0


def furnish(base: Mapping[str, Any]) -> None:
    """Give a migrated, empty database the accounts of all histories."""
    numbers = itertools.count(1)  # the same ids in every run
    ids.make_by(lambda: UUID(int=ids.first_id(EPOCH - timedelta(days=1)).int + next(numbers)))
    try:
        asyncio.run(_furnish(base))
    finally:
        ids.make_by()


class Arena:
    """`base`: a furnished database, which nobody is connected to. Histories take turns on a copy
    of it, and on the same sessions."""

    def __init__(self, base: Mapping[str, Any]) -> None:
        self._base = dict(base)
        self._folder = Path(tempfile.mkdtemp(prefix="tidings-simulation-"))
        self._folders = itertools.count(1)
        self._postgres = Administrator(self._base | {"database": "postgres"})
        self._name = f"{HISTORY}_{os.getpid()}"
        self.dsn = self._base | {"database": self._name}
        self._is_occupied = False  # by a history that has not ended in good order
        self._copy()

    def enter(self) -> None:
        """A history begins: the database as it was, whatever came before."""
        if self._is_occupied:
            self._drop()
            self._copy()
        else:
            put_back(self.administrator)
        self._is_occupied = True

    def leave(self) -> None:
        """It has ended, and no session of it is left."""
        self._is_occupied = False

    def settings(self) -> Settings:
        """Of the processes of one history: with an empty folder."""
        return _settings(self._folder / str(next(self._folders)))

    def close(self) -> None:
        self._drop()
        self._postgres.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _copy(self) -> None:
        template = f"TEMPLATE {self._base['database']} STRATEGY FILE_COPY"
        self._postgres.value(f"CREATE DATABASE {self._name} {template}")
        # Nobody waits for long in vain: in the meantime all else stands still.
        deadlocks = "SET deadlock_timeout = '10ms'"
        self._postgres.value(f"ALTER DATABASE {self._name} {deadlocks}")
        self.administrator = Administrator(self.dsn)
        self.sessions = Sessions(self.dsn, self.administrator.is_waiting)
        keep(self.administrator)

    def _drop(self) -> None:
        self.sessions.close()
        self.administrator.close()
        self._postgres.value(f"DROP DATABASE {self._name} WITH (FORCE)")


def _settings(folder: Path) -> Settings:
    return Settings.from_env(
        {
            "TIDINGS_DATA": str(folder),
            "TIDINGS_MASTER_KEY": MASTER_KEY,
            "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "true",
            "TIDINGS_APP_SECRET": APP_SECRET,
            "TIDINGS_GRAPH_URL": "http://127.0.0.1:9",  # nobody is there
            "TIDINGS_OPERATOR_ADDRESS": "off",
        }
    )


async def _furnish(base: Mapping[str, Any]) -> None:
    clock: Clock = _Still(EPOCH)
    db = await Database.open(base, clock, 1)
    try:
        async with db.long_transaction() as tx:
            for month in (EPOCH - timedelta(days=31), EPOCH):
                await create_ahead(tx.connection, month)
            await _make_accounts(tx)
    finally:
        await db.close()


async def _make_accounts(tx: Tx) -> None:
    subscriptions = zip(("alpha", "beta"), KEYS, (PACKAGE, USAGE), strict=True)
    toml = "".join(
        ACCOUNTS.format(name=name, key=key, letter=key[-1] * 43, nth=nth, subscription=subscription)
        for nth, (name, key, subscription) in enumerate(subscriptions, 1)
    )
    sealer = load_sealer(_settings(Path(tempfile.gettempdir())))
    await apply_declaration(
        tx, sealer, read_file(toml, {}, allow_private=True),
        Removal.PRUNE, actor=Actor("command", "simulation"), edited=EditPolicy.OVERWRITE,
    )  # fmt: skip
    for account in await load_all_accounts(tx):
        await configure(tx, account.id, TEMPLATES)
        for number in (await load_numbers(tx, [account.id]))[account.id]:
            await change_health(tx, account, number.number, status="CONNECTED", quality="GREEN")
