"""What an account can read about itself: the file that makes it so, and how it is asked."""

from datetime import datetime, timedelta
from uuid import UUID

import httpx

from tests.support.service import NUMBER, TestAccount
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders import quota_store as store
from tidings.features.senders.quotas import RollingCounter

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
