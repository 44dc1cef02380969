"""Partners in tests: their terms, and what they ask and are asked."""

from typing import Any

import httpx

from tests.support.service import TestAccount, TestService
from tidings.features.accounts.lookup import load_accounts

TERMS = {"ratePerMessage": "0.05", "creditLimit": "1000.00", "currency": "ILS"}


def partner_of(service: TestService, **terms: Any) -> TestAccount:
    return service.account(partner=TERMS | terms)


def state(partner: TestAccount) -> dict[str, Any]:
    answer = partner.get("/partner/account")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def topup(partner: TestAccount, messages: Any) -> httpx.Response:
    return partner.post("/partner/topups", {"messages": messages})


def bought(partner: TestAccount, messages: int) -> dict[str, Any]:
    answer = topup(partner, messages)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def raw_post(partner: TestAccount, path: str, body: str) -> httpx.Response:
    return partner.post(path, content=body, headers={"content-type": "application/json"})


def transfer(partner: TestAccount, reference: str = "bank-1", amount: Any = 100, **more: Any):
    return partner.post("/partner/transfers", {"amount": amount, "reference": reference} | more)


def ledger(partner: TestAccount, **query: Any) -> list[dict[str, Any]]:
    answer = partner.get("/partner/ledger", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def do(partner: TestAccount, verb, *args: Any, **kwargs: Any) -> Any:
    """Run a verb of an operator on this partner."""

    async def work(tx):
        account = (await load_accounts(tx, [partner.id]))[partner.id]
        return await verb(tx, account, *args, **kwargs)

    return partner.service.call(lambda: partner.service.ctx.db.transact(work))
