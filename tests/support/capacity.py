"""Accounts that may send only so much: how they are made, written for and asked."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from tests.support.service import NUMBER, TEMPLATES, TestAccount

SECOND, THIRD = "972555000002", "972555000003"
DAY = timedelta(hours=24)
MINUTE = timedelta(minutes=1)
MILLISECOND = timedelta(milliseconds=1)  # times are rounded to it
PASSCODES = (
    TEMPLATES
    + """
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
"""
)


def number_toml(number: str = NUMBER, **fields: Any) -> str:
    lines = ["[[accounts.numbers]]", f'number = "{number}"']
    lines += [
        f"{name} = {value}" if isinstance(value, int) else f'{name} = "{value}"'
        for name, value in fields.items()
    ]
    return "\n".join(lines) + "\n"


def guest(index: int) -> str:
    return f"97250{index:04}77"  # no magic


def cid(index: int) -> str:
    return f"limit-{index:04}"


def send(account: TestAccount, index: int, **more: Any) -> dict[str, Any]:
    body = {"clientMessageId": cid(index), "to": guest(index), "templateName": "plain"} | more
    answer = account.send(**body)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert (answer.status_code == 200) == (data["status"] in ("sent", "failed")), answer.text
    return data


def passcode(account: TestAccount, index: int) -> dict[str, Any]:
    body = {"clientMessageId": f"login-{index:04}", "to": guest(index), "code": "482913"}
    answer = account.post("/messages/otp", body)
    assert answer.status_code in (200, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def limits(account: TestAccount) -> dict[str, Any]:
    data: dict[str, Any] = account.get("/limits").json()["data"]
    return data


def now(account: TestAccount) -> datetime:
    return timestamp(account.get("/sandbox/v1/clock").json()["data"]["now"])


def timestamp(text: str | None) -> datetime:
    assert text is not None
    return datetime.fromisoformat(text)


def advance_to(account: TestAccount, when: datetime) -> None:
    """One second past it: clocks advance in whole seconds."""
    account.advance(seconds=int((when - now(account)).total_seconds()) + 2)


def deferrals(account: TestAccount, index: int) -> list[str]:
    return reasons_to_wait(account).get(cid(index), [])


def reasons_to_wait(account: TestAccount) -> dict[str, list[str]]:
    """Of each message that was ever deferred."""
    reasons: dict[str, list[str]] = {}
    for event in account.events("message.deferred"):
        reasons.setdefault(event["data"]["clientMessageId"], []).append(event["data"]["reason"])
    return reasons


def sent_at(account: TestAccount, index: int) -> datetime:
    steps = {step["status"]: step["at"] for step in account.status(cid(index))["timeline"]}
    return timestamp(steps.get("sent"))


def copies(account: TestAccount, index: int) -> int:
    shown = account.get(f"/sandbox/v1/phones/{guest(index)}").json()["data"]["messages"]
    return sum(message["clientMessageId"] == cid(index) for message in shown)


def phone_times(account: TestAccount, numbers: Iterable[str]) -> list[datetime]:
    """When each message of ours came to these phones."""
    phones = [account.get(f"/sandbox/v1/phones/{number}").json()["data"] for number in numbers]
    shown = [message for phone in phones for message in phone["messages"]]
    return [timestamp(message["at"]) for message in shown if message["direction"] == "out"]


def require_within_rate(times: list[datetime], rate: int, rows: int = 1) -> None:
    """In no stretch of time more than its share; one more for each row of slots (ADR 0013)."""
    times = sorted(times)
    for start in range(len(times)):
        for end in range(start, len(times)):
            seconds = (times[end] - times[start] + MILLISECOND).total_seconds()
            most = rate * seconds + rows
            assert end - start + 1 <= most, f"{end - start + 1} in {seconds} s at {rate} a second"
