"""Accounts: values for pure rules, the file of `tidings apply`, and rows in a database."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.service import NUMBER, TestAccount
from tidings.account_file.apply import apply_declaration
from tidings.account_file.hand_edits import EditPolicy
from tidings.account_file.plan import Removal
from tidings.account_file.read import FileRefused, read_file
from tidings.engine.db.pool import Database
from tidings.features.accounts.configure import configure
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account, AccountSpec
from tidings.features.audit.record import Actor
from tidings.features.senders import quota_store as store
from tidings.features.senders.quotas import RollingCounter
from tidings.secrets import Sealer

SEALER = Sealer(bytes(32))
COMMAND = Actor("command", "tests")
ACME = AccountSpec(name="acme", environment="sandbox")


async def versions(db: Database) -> dict[UUID, int]:
    """The version of each account: the transaction that changed it last."""
    return dict(await db.rows("SELECT account_id, version FROM account_versions"))


@asynccontextmanager
async def database(clock=None):
    db = await Database.open(fresh_database(), clock or ManualClock(), size=3)
    try:
        yield db
    finally:
        await db.close()


async def make(db, spec=ACME):
    return await db.transact(lambda tx: configure(tx, SEALER, spec))


async def apply(db, text, env=None, *, removal=Removal.PRUNE):
    return (await apply_whole(db, text, env, removal=removal)).accounts


async def apply_whole(db, text, env=None, *, removal=Removal.REFUSE, edited=EditPolicy.REFUSE):
    """As `tidings apply` does it, with what it says of the changes."""
    declaration = read_file(text, env or {}, allow_private=False)
    return await db.transact(
        lambda tx: apply_declaration(tx, SEALER, declaration, removal, actor=COMMAND, edited=edited)
    )


MINIMAL = '[[accounts]]\nname = "a"\nenvironment = "sandbox"\n'
LIVE = '[[accounts]]\nname = "a"\nenvironment = "live"\n'
TEMPLATE = MINIMAL + '[[accounts.templates]]\nname = "t"\n'
ONE_NUMBER = MINIMAL + '[[accounts.numbers]]\nnumber = "97255500001"\n'


def read(text, env=None, *, allow_private=False):
    return read_file(text, env or {}, allow_private=allow_private)


def errors_of(text, env=None):
    with pytest.raises(FileRefused) as refusal:
        read(text, env)
    return refusal.value.errors


SECOND, THIRD = "972555000002", "972555000003"
PORTFOLIO = f"""
[[accounts.numbers]]
number = "{NUMBER}"
displayName = "Acme"
portfolioId = "p1"
dailyLimit = 1000
[[accounts.numbers]]
number = "{SECOND}"
portfolioId = "p1"
dailyLimit = 2000
perSecond = 20
[[accounts.numbers]]
number = "{THIRD}"
dailyLimit = 250
"""


def number_toml(**fields):
    return section("numbers", {"number": NUMBER} | fields)


def template_toml(**fields):
    return section("templates", {"language": "en", "body": "Hi"} | fields)


def section(table, fields):
    return f"[[accounts.{table}]]\n" + "".join(f"{k} = {toml(v)}\n" for k, v in fields.items())


def toml(value):
    """A list is given as it is written."""
    return f'"{value}"' if isinstance(value, str) and value[0] != "[" else value


def data(account: TestAccount, path: str):
    answer = account.get(path)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["success"], body["environment"]) == (True, "sandbox")
    return body["data"]


def require_refused(answer: httpx.Response, code: str, field: str | None = None) -> None:
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert (error["code"], error.get("field")) == (code, field), answer.text


def timestamp(text: str) -> datetime:
    return datetime.fromisoformat(text)


def take(account: TestAccount, name: str, count: int, hours_ago: float = 0) -> datetime:
    """Reserve quota of a counter, as messages would; when, in the account's time."""
    service, account_id = account.service, UUID(str(account.id))

    async def work(tx):
        own = (await load_accounts(tx, [account_id]))[account_id]
        at = own.now(tx.now) - timedelta(hours=hours_ago)
        counter = RollingCounter(None)
        for _ in range(count):
            counter.reserve(at)
        await store.save_counters(tx, {(account_id, name): counter})
        return at

    return service.call(lambda: service.ctx.db.transact(work))


OURS = UUID(int=1)


def account(**fields: Any) -> Account:
    values = {
        "id": OURS, "name": "acme", "environment": "sandbox", "replies": "guest", "active": True,
        "paused": False, "webhook_url": None, "requests_per_minute": 600, "daily_limit": None,
        "default_template": None, "otp_template": None, "resend_unknown": False,
        "allowlist": None, "send_window": None, "billing_mode": "OFF", "belongs_to": None,
        "partner": None, "clock": timedelta(0), "created_at": datetime(2026, 1, 1, 12, tzinfo=UTC),
    }  # fmt: skip
    return Account(**values | fields)
