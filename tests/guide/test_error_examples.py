"""The examples on the pages of error codes: each request is sent, and must be refused as shown.

`WRITE=1 pytest tests/guide/test_error_examples.py` writes the answers into docs/errors.toml.
"""

import json
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.billing import at, invoice_toml, metered, partner_with_member, subscribed
from tests.support.forms import form_toml, sent
from tests.support.invitations import invite, register
from tests.support.partners import partner_of, transfer
from tests.support.passcodes import ONE as WITH_PASSCODES
from tests.support.service import TestAccount, TestService
from tidings.guide.error_pages import DOCS_URL, EXAMPLE_REQUEST, refusals

FILE = Path(__file__).parents[2] / "docs" / "errors.toml"
EXAMPLES: dict[str, dict[str, Any]] = tomllib.loads(FILE.read_text())
SENT = [code for code, example in EXAMPLES.items() if "request" in example]
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
HELLO = {"to": "972501234567", "templateName": "hello", "templateParams": ["Dana"]}
NOBODY = {"x-api-key": "td_sandbox_nobody"}


def limited(service: TestService) -> TestAccount:
    account = service.account(requestsPerMinute=1)
    account.get("/balance")
    return account


def wrote(service: TestService) -> TestAccount:
    account = subscribed(service, unique=1, followup=0)
    assert account.send(clientMessageId="order-1001", **HELLO).status_code == 200
    return account


def with_passcode(service: TestService) -> TestAccount:
    account = service.account(WITH_PASSCODES)
    body = {"clientMessageId": "login-0001", "to": "972501234567", "code": "123456"}
    assert account.post("/messages/otp", body).status_code in (200, 202)
    return account


def with_form_sent(service: TestService) -> TestAccount:
    account = service.account(form_toml())
    sent(account)
    return account


def with_invitation(service: TestService) -> TestAccount:
    account = service.account()
    register(account)
    invite(account)
    return account


def reported(service: TestService) -> TestAccount:
    partner = partner_of(service)
    transfer(partner, "bank-2041")
    return partner


# Who sends the request; by default an account without any rule.
SENDERS: dict[str, Callable[[TestService], TestAccount]] = {
    "APP_INACTIVE": lambda service: service.account(active=False),
    "RATE_LIMIT_EXCEEDED": limited,
    "RECIPIENT_NOT_ALLOWLISTED": lambda service: service.account(allowlist=["972501111111"]),
    "DUPLICATE_CLIENT_MESSAGE_ID": with_passcode,
    "NO_ACTIVE_SUBSCRIPTION": lambda service: service.account(billingMode="ENFORCED"),
    "SUBSCRIPTION_EXPIRED": lambda service: subscribed(
        service, startsAt=at(days=-2), endsAt=at(days=-1)
    ),
    "QUOTA_EXHAUSTED": lambda service: subscribed(service, unique=0),
    "FOLLOWUP_QUOTA_EXHAUSTED": wrote,
    "INVOICE_OVERDUE": lambda service: subscribed(service, invoice_toml(dueAt=at(days=-1))),
    "USAGE_CREDIT_LIMIT": lambda service: metered(service, creditLimit="0.10"),
    "PARTNER_CAPACITY_EXHAUSTED": lambda service: partner_with_member(service, "examples-empty")[1],
    "PARTNER_CAPACITY_EXPIRED": lambda service: partner_with_member(
        service, "examples-ended", expiresAt=at(days=-1)
    )[1],
    "INVALID_OTP": lambda service: service.account(WITH_PASSCODES),
    "FORM_NOT_SENDABLE": lambda service: service.account(
        form_toml(published=False, approved=False)
    ),
    "ALREADY_SENT": with_form_sent,
    "EVENT_LOCKED": with_invitation,
    "INVALID_QUANTITY": partner_of,
    "CREDIT_LIMIT_EXCEEDED": partner_of,
    "REFERENCE_REQUIRED": partner_of,
    "INVALID_AMOUNT": partner_of,
    "DUPLICATE_REFERENCE": reported,
}


@pytest.mark.parametrize("code", SENT)
def test_the_request_is_refused_as_the_page_shows(service: TestService, code: str) -> None:
    answer = send(service, code)
    assert answer.status_code == refusals()[code].status, answer.text
    shown = normal(answer.json())
    assert shown["error"]["code"] == code
    if os.environ.get("WRITE"):
        write(code, shown)
    else:
        assert json.loads(EXAMPLES[code]["answer"]) == shown


def test_every_code_has_an_example_or_a_word() -> None:
    assert EXAMPLES.keys() == refusals().keys()
    assert not [code for code, one in EXAMPLES.items() if not {"request", "more"} & one.keys()]


def send(service: TestService, code: str) -> httpx.Response:
    example = EXAMPLES[code]
    method, path = example["request"].split()
    if code in ("UNAUTHORIZED", "INVALID_SIGNATURE"):
        headers = {}
    elif code == "INVALID_API_KEY":
        headers = NOBODY
    else:
        headers = SENDERS.get(code, lambda service: service.account())(service).headers
    headers |= {"content-type": "application/json"}
    return service.http.request(method, path, content=example.get("body", ""), headers=headers)


def normal(answer: dict[str, Any]) -> dict[str, Any]:
    """What differs each time as the page writes it."""
    error = answer["error"]
    error["requestId"] = EXAMPLE_REQUEST
    error["docUrl"] = f"{DOCS_URL}/{error['code']}"
    text = TIME.sub("2026-01-31T09:30:00.000Z", json.dumps(answer, ensure_ascii=False))
    text = re.sub(r"in \d+ seconds?", "in 60 seconds", text)
    made: dict[str, Any] = json.loads(text)
    return made


def write(code: str, answer: dict[str, Any]) -> None:
    head, section, rest = re.split(rf"(^\[{code}\]\n)", FILE.read_text(), flags=re.MULTILINE)
    rest = re.sub(r"\A((?:(?!\[)[^\n]*\n)*?)answer = '''[^\n]*'''\n", r"\1", rest)
    line = f"answer = '''{json.dumps(answer, ensure_ascii=False)}'''\n"
    place = re.match(r"(?:request = [^\n]*\n)?(?:body = [^\n]*\n)?", rest)
    assert place is not None
    FILE.write_text(head + section + rest[: place.end()] + line + rest[place.end() :])
