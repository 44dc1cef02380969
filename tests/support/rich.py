"""POST /messages/rich as tests write it: a sound request to spoil."""

from typing import Any

from tests.support.media import phone
from tests.support.service import GUEST, TestAccount
from tests.support.text import MISSING

CID = "rich-0001"
YES = {"id": "yes", "text": "Yes"}
NO = {"id": "no", "text": "No"}
MAYBE = {"id": "maybe", "text": "Maybe"}
OPEN = {"text": "Open", "url": "https://example.com/menu?id=7"}


def send(account: TestAccount, headers: dict[str, str] | None = None, **more: Any) -> Any:
    body = {"clientMessageId": CID, "to": GUEST, "message": "Are you coming?", "buttons": [YES]}
    body = {name: value for name, value in (body | more).items() if value is not MISSING}
    return account.post("/messages/rich", body, headers=headers or {})


def sent(account: TestAccount, **more: Any) -> dict[str, Any]:
    answer = send(account, **more)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert data["status"] == "sent"
    return data


def require_nothing_left(account: TestAccount) -> None:
    assert account.get(f"/messages/{CID}").status_code == 404
    assert phone(account) == []
    assert account.events("message.status") == []
