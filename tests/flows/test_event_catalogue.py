"""Every kind of event that the service really sends is as the catalogue describes it (6.2)."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.support.forms import fill, form_toml, sent
from tests.support.invitations import invite, later, register, reply
from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tests.support.webhooks import require_described, require_kinds
from tidings.features.messages.state.events import STATUS
from tidings.features.webhooks.event_kinds import EventKind
from tidings.routes import EVENTS


def guest(last_four: str) -> str:
    return f"97250000{last_four}"


# The catalogue itself


def test_every_kind_has_a_name_of_its_own() -> None:
    assert len({kind.name for kind in EVENTS}) == len(EVENTS)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.name)
def test_an_example_is_as_described(kind: EventKind) -> None:
    assert type(kind.example) is kind.data
    require_described([kind.example_body()])


@pytest.mark.parametrize(
    "fault",
    [{"status": None}, {"status": "gone"}, {"to": 7}, {"strange": 1}, {"error": {"code": "x"}}],
    ids=named,
)
def test_what_is_not_as_described_is_noticed(fault: dict[str, Any]) -> None:
    body = STATUS.example_body()
    body["data"] |= fault
    with pytest.raises(AssertionError, match=r"message\.status"):
        require_described([body])


def test_openapi_has_them_too(service: TestService) -> None:
    document = service.http.get("/api/v1/openapi.json").json()
    assert list(document["webhooks"]) == [kind.name for kind in EVENTS]
    for kind in EVENTS:
        content = document["webhooks"][kind.name]["post"]["requestBody"]["content"]
        content = content["application/json"]
        whole = {"components": document["components"], **content["schema"]}
        Draft202012Validator(whole).validate(content["example"])
        assert content["example"]["data"] == kind.example_data()


# What is really sent


def test_of_messages(account: TestAccount) -> None:
    numbers = ["0000", "9003", "9010", "9012", "9013", "9015", "9020", "9021", "9022", "9024"]
    for number in numbers:
        account.send(
            clientMessageId=f"order-{number}", to=guest(number), templateName="plain",
            meta={"n": 1.5, "list": [1, {"a": None}]},
        )  # fmt: skip
    account.send(
        clientMessageId="order-late", to=guest("9001"), templateName="plain",
        scheduledFor=later(hours=2), deadline=later(hours=3),
    )  # fmt: skip
    account.advance(days=31)
    require_kinds(account, "message.status", "message.deferred", "guest.opted_out")
    statuses = {event["data"]["status"] for event in account.events("message.status")}
    assert statuses == {"sent", "delivered", "read", "failed", "expired"}


def test_of_batches(account: TestAccount) -> None:
    items = [
        {"clientMessageId": f"item-{n:04}", "to": f"97250123{n:04}", "templateName": "plain"}
        for n in range(40)
    ]
    answer = account.post("/messages/bulk", {"batchName": "All", "messages": items})
    assert answer.status_code in (200, 202), answer.text
    account.advance(minutes=5)
    require_kinds(account, "batch.completed", "message.status")


def test_of_numbers(account: TestAccount) -> None:
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"quality": "RED", "status": "RESTRICTED"})
    require_kinds(account, "sender.health")


def test_of_guests(account: TestAccount) -> None:
    register(account, defaults={"expiresAt": later(hours=6), "nudgeAfterMinutes": 30})
    for last in ("9101", "9102", "9103", "9104", "9105", "9106", "9107", "9110"):
        invite(account, f"invite-{last}", guest(last), meta={"seat": last})
    account.advance(hours=8)
    reply(account, text="hello?")
    reply(account, guest("9106"), text="start")
    account.advance(minutes=1)
    require_kinds(
        account, "guest.confirmed", "guest.declined", "guest.replied_invalid", "guest.unresolved",
        "guest.replied_late", "guest.message", "guest.opted_out", "guest.opted_in",
    )  # fmt: skip


def test_of_raw_accounts(service: TestService) -> None:
    account = service.account(replies="raw")
    reply(account, text="out of the blue")
    account.send(clientMessageId="order-0001", to=GUEST, templateName="invite",
                 templateParams=["Dana", "Sunday"], meta={"a": 1})  # fmt: skip
    reply(account, text="thanks")
    invite(account, "order-0002", guest("9107"), kind=None, eventId=None)
    account.advance(minutes=1)
    require_kinds(account, "message.received")


def test_of_forms(service: TestService) -> None:
    account = service.account(form_toml())
    sent(account, clientMessageId="visit-0001")
    account.advance(seconds=3)
    fill(account)
    account.advance(seconds=3)
    require_kinds(account, "feedback.submitted")
