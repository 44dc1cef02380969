"""POST /messages/bulk as tests write it: valid items to spoil, and the state of a batch."""

from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import datetime
from typing import Any

import httpx

from tests.support.media import encoded, png
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.text import MISSING, traces
from tidings.limits import BATCHES_PER_ACCOUNT

OTHER = "972555000002"
IMAGE = encoded(png())
SLOW = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 1\n'


def numbers(*fields: str) -> str:
    """TOML of numbers, each with the lines given for it."""
    given = zip((NUMBER, OTHER), fields, strict=False)
    return "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n{more}\n' for n, more in given)


def item(n: int, **changes: Any) -> dict[str, Any]:
    """A sound message of its own to a person of its own, whose last digits are not magic."""
    fields = {"clientMessageId": cid(n), "to": to(n), "templateName": "plain"} | changes
    return {name: value for name, value in fields.items() if value is not MISSING}


def cid(n: int) -> str:
    return f"item-{n:05}"


def to(n: int) -> str:
    return f"97250{n:05}00"


def bulk(
    account: TestAccount, messages: Any, *, dry: Any = None, **envelope: Any
) -> httpx.Response:
    headers = {} if dry is None else {"X-Dry-Run": dry}
    return account.post("/messages/bulk", {"messages": messages} | envelope, headers=headers)


def submit(account: TestAccount, messages: Any, **envelope: Any) -> dict[str, Any]:
    answer = bulk(account, messages, **envelope)
    assert answer.status_code == 202, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def dry_run(account: TestAccount, messages: Any, **envelope: Any) -> dict[str, Any]:
    answer = bulk(account, messages, dry="true", **envelope)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def cancel(account: TestAccount, batch_id: str) -> dict[str, Any]:
    answer = account.post(f"/batches/{batch_id}/cancel")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def named_in(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["clientMessageId"] for entry in entries]


def received(account: TestAccount, kind: str, batch_id: str) -> list[dict[str, Any]]:
    """The `data` of what was published about a batch."""
    events = [event["data"] for event in account.events(kind)]
    return [data for data in events if data["batchId"] == batch_id]


def statuses(account: TestAccount) -> Counter[str]:
    """How many of the account's messages are in each status."""
    query = "SELECT status, count(*) AS n FROM messages WHERE account_id = $1 GROUP BY status"
    return Counter({row["status"]: row["n"] for row in account.service.sql(query, account.id)})


def last_sent(account: TestAccount) -> datetime:
    query = "SELECT max(sent_at) AS at FROM messages WHERE account_id = $1"
    at: datetime = account.service.sql(query, account.id)[0]["at"]
    return at


def timestamp(text: str) -> datetime:
    assert text.endswith("Z"), text
    return datetime.fromisoformat(text)


def row_counts(account: TestAccount) -> dict[str, int]:
    """How many rows of the account each table has, but for the log of calls, which has this one."""
    query = """SELECT table_name AS t FROM information_schema.columns
                WHERE column_name = 'account_id' AND table_name <> 'request_log'"""
    tables = sorted(row["t"] for row in account.service.sql(query))
    count = "SELECT count(*) AS n FROM {} WHERE account_id = $1"
    return {table: account.service.sql(count.format(table), account.id)[0]["n"] for table in tables}


def require_refused(
    answer: httpx.Response, code: str, field: str, *, status: int = 400
) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    assert field in error["message"]
    return error


def require_nothing_stored(account: TestAccount) -> None:
    assert not any(traces(account).values()), traces(account)
    for table in ("batches", "media", "links"):
        query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
        assert account.service.sql(query, account.id) == [{"n": 0}], table


@contextmanager
def all_turns_taken(service: TestService, account: TestAccount) -> Iterator[None]:
    """Of reading batches, as by batches that take long."""
    stack = AsyncExitStack()

    async def take() -> None:
        for _ in range(BATCHES_PER_ACCOUNT):
            await stack.enter_async_context(service.ctx.batch_reads.acquire(account.id))

    service.call(take)
    try:
        yield
    finally:
        service.call(stack.aclose)
