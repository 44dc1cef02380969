"""POST /messages/otp as tests write it: a sound request to spoil, and that its code is nowhere."""

from typing import Any

import httpx
import msgspec

from tests.support import text
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService, account_toml
from tests.support.text import MISSING
from tidings.features.otp.api import PasscodeResult

CID = "login-0001"
CODE = "Q7XK2M9"
RESULT = {"clientMessageId", "messageId", "status", "sentFrom", "duplicate"}


def template(name: str = "code", **changes: str) -> str:
    facts = {"language": "en", "category": "AUTHENTICATION", "status": "APPROVED"} | changes
    lines = [f'{key} = "{value}"' for key, value in ({"name": name} | facts).items()]
    return "\n".join(["[[accounts.templates]]", *lines, ""])


ONE = template() + TEMPLATES


def body(**changes: Any) -> dict[str, Any]:
    fields = {"to": GUEST, "code": CODE, "clientMessageId": CID} | changes
    return {name: value for name, value in fields.items() if value is not MISSING}


def post(account: TestAccount, **changes: Any) -> httpx.Response:
    answer = account.post("/messages/otp", body(**changes))
    assert CODE not in answer.text
    return answer


def send(account: TestAccount, **changes: Any) -> dict[str, Any]:
    answer = post(account, **changes)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    msgspec.convert(data, PasscodeResult)
    return data | {"http": answer.status_code}


def require_refused(answer: httpx.Response, code: str, field: str) -> str:
    assert answer.status_code == {"RECIPIENT_NOT_ALLOWLISTED": 403}.get(code, 400), answer.text
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    message: str = error["message"]
    assert field in message
    return message


def require_nothing_left(account: TestAccount) -> None:
    for table in ("messages", "idempotency_keys", "contacts", "webhooks", "jobs", "vault"):
        query = f"SELECT count(*) AS n FROM {table} WHERE account_id = $1"
        assert account.service.sql(query, account.id) == [{"n": 0}], table


def kept(account: TestAccount) -> int:
    """How many codes of the account are in the vault."""
    query = "SELECT count(*) AS n FROM vault WHERE account_id = $1"
    count: int = account.service.sql(query, account.id)[0]["n"]
    return count


def received(account: TestAccount, cid: str = CID) -> list[str]:
    return text.received(account, cid)


def paused(service: TestService, name: str) -> TestAccount:
    return service.account(ONE, name=name, paused=True)


def unpause(account: TestAccount, name: str) -> None:
    account.service.apply(account_toml(ONE, name=name, paused=False))
