"""Every endpoint of the service, called with both clients."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from tests.support import passcodes
from tests.support.billing import invoice_toml
from tests.support.forms import ANSWERS, form_toml
from tests.support.media import png
from tests.support.partners import partner_of
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings import routes
from tidings_client import AsyncTidings, Tidings
from tidings_client.endpoint import Endpoint, Feed, Listing, Resource
from tidings_client.pages import AsyncPages, Pages

# Not for programs with a key: pages, redirects of guests, what the platform calls, the description.
FOR_OTHERS = {"/docs", "/r/{code}", "/platform/whatsapp/webhook", "/api/v1/openapi.json"}
PICTURE = png()
GUESTS = [f"97250123{n:04}" for n in range(1, 9)]


def shape(path: str) -> str:
    """An address without the names of its parameters."""
    return re.sub(r"{\w+}", "{}", path)


def declared() -> Iterator[tuple[type, str, Any]]:
    """Every method of the client."""
    kinds = [Resource]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        for name, it in vars(kind).items():
            if isinstance(it, Endpoint | Listing | Feed):
                yield kind, name, it


def served() -> set[tuple[str, str]]:
    return {
        (route.method, shape(route.path))
        for route in [*routes.API, *routes.EXTENSIONS]
        if route.path not in FOR_OTHERS and not route.path.startswith("/guide")
    }


def test_the_client_has_a_method_for_every_endpoint() -> None:
    assert {(it.method, shape(it.path)) for _, _, it in declared()} == served()


def test_every_method_says_what_it_does() -> None:
    bare = [f"{kind.__name__}.{name}" for kind, name, it in declared() if not it.__doc__]
    assert bare == []


def test_a_method_takes_what_its_endpoint_takes(service: TestService) -> None:
    document = service.http.get("/api/v1/openapi.json").json()
    operations = {
        (method.upper(), shape(path)): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    for kind, name, it in declared():
        expected = accepted(document, operations[it.method, shape(it.path)])
        expected -= {"limit", "cursor"} if name == "csv" else set()  # it has no pages
        taken = {wire(parameter) for parameter in it.signature.parameters}
        assert taken == expected, f"{kind.__name__}.{name}"


def accepted(document: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    """Parameters and fields of the body, by the names that the client has for them."""
    found = {one["name"] for one in operation["parameters"] if one["in"] != "header"}
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content:
        schema = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        found |= {field for field, it in schema.get("properties", {}).items() if "not" not in it}
    if operation["operationId"] == "postMessagesUpload":
        found = found - {"mediaBase64"} | {"file"}  # the client makes one of the other
    if operation["operationId"] == "getCharges":
        found -= {"format"}  # JSON, as a program reads it
    return {{"cid": "clientMessageId"}.get(name, name) for name in found}


def wire(parameter: str) -> str:
    first, *rest = parameter.rstrip("_").split("_")
    if parameter == "platform_message_id":
        return parameter
    return first + "".join(word.capitalize() for word in rest)


# Each once


class Finish:
    """What a call returned, the same for both clients."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()

    def __call__(self, result: Any) -> Any:
        if isinstance(result, Pages):
            return list(result)
        if isinstance(result, AsyncPages):
            return self._runner.run(collect(result))
        if isinstance(result, Awaitable):
            return self._runner.run(wait(result))
        return result

    def close(self) -> None:
        self._runner.close()


async def wait(result: Awaitable[Any]) -> Any:
    return await result


async def collect(pages: AsyncPages[Any]) -> list[Any]:
    return [item async for item in pages]


@pytest.fixture
def finish() -> Iterator[Finish]:
    made = Finish()
    yield made
    made.close()


Make = Callable[[TestAccount, list[tuple[str, str]]], Any]


def blocking(account: TestAccount, calls: list[tuple[str, str]]) -> Tidings:
    def note(request: httpx.Request) -> None:
        calls.append((request.method, request.url.path))

    http = httpx.Client(verify=NO_TLS, event_hooks={"request": [note]})
    return Tidings(account.key, account.service.url, http=http, max_retries=0)


def asynchronous(account: TestAccount, calls: list[tuple[str, str]]) -> AsyncTidings:
    async def note(request: httpx.Request) -> None:
        calls.append((request.method, request.url.path))

    http = httpx.AsyncClient(verify=NO_TLS, event_hooks={"request": [note]})
    return AsyncTidings(account.key, account.service.url, http=http, max_retries=0)


@pytest.mark.parametrize("make", [blocking, asynchronous])
def test_every_endpoint_answers(
    make: Make, service: TestService, receiver: Receiver, finish: Finish
) -> None:
    calls: list[tuple[str, str]] = []
    more = invoice_toml() + form_toml() + passcodes.ONE
    account = service.account(more, replies="guest", webhookUrl=receiver.url)
    client = make(account, calls)
    send(client, finish)
    invite(client, finish, receiver.url)
    ask_and_link(client, finish)
    reach_people(client, finish)
    look_around(client, finish)
    receiver.answer(500)
    follow_webhooks(client, finish)
    pay(client, finish)
    trade(make(partner_of(service), calls), finish)
    left = {
        (method, path)
        for method, path in served()
        if not any(
            method == called and re.fullmatch(path.replace("{}", "[^/]+"), asked)
            for called, asked in calls
        )
    }
    assert left == set()


def send(client: Any, finish: Finish) -> None:
    one = finish(
        client.messages.send_text(
            to=GUEST, template_name="hello", template_params=["Dana"], meta={"order_no": 7}
        )
    )
    assert one.status == "sent" and one.sent_at.tzinfo is not None and not one.duplicate
    status = finish(client.messages.get(one.client_message_id))
    assert status.to == GUEST and [step.status for step in status.timeline][-1] == "sent"
    assert status.meta == {"order_no": 7}, "verbatim"
    would = finish(client.messages.preview_text(to=GUEST, template_name="plain"))
    assert would.would_be == "sent" and would.cost.followup == 1
    code = finish(client.messages.send_otp(to=GUEST, code="482913", ttl_seconds=120))
    assert code.status == "sent"
    finish(client.sandbox.reply(from_=GUEST, text="hello"))
    buttons = [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]
    rich = finish(client.messages.send_rich(to=GUEST, message="Do you come?", buttons=buttons))
    assert rich.status == "sent"
    file = finish(client.messages.upload(PICTURE, mimetype="image/png", filename="us.png"))
    assert file.bytes == len(PICTURE)
    batch = finish(
        client.messages.send_bulk(
            messages=[{"to": to, "template_name": "plain"} for to in GUESTS], batch_name="all"
        )
    )
    assert len(batch.accepted) == len(GUESTS) and batch.accepted[0].client_message_id
    assert finish(client.batches.get(batch.batch_id)).total == len(GUESTS)
    assert [it.batch_id for it in finish(client.batches.list())] == [batch.batch_id]
    assert finish(client.batches.cancel(batch.batch_id)).batch_id == batch.batch_id
    listed = finish(client.messages.list(to=GUEST, limit=1))
    assert [it.client_message_id for it in listed][-1] == one.client_message_id


def invite(client: Any, finish: Finish, callback_url: str) -> None:
    day = datetime.now(UTC) + timedelta(days=30)
    texts = {"invalid_reply": "Yes or no?", "nudge": "Do you come?", "expired": "It is over."}
    made = finish(
        client.events.create(
            event_id="gala",
            event_date=day,
            callback_url=callback_url,
            texts=texts,
            defaults={"nudge_after_minutes": 60, "sent_from": None},
        )
    )
    assert made.texts.invalid_reply == "Yes or no?" and not made.duplicate
    assert abs(made.event_date - day) < timedelta(milliseconds=1)
    finish(
        client.messages.send_text(
            to=GUEST, template_name="invite", template_params=["Dana", "May"], kind="invitation",
            event_id="gala",
        )
    )  # fmt: skip
    finish(client.sandbox.reply(from_=GUEST, button={"text": "Yes"}))
    (guest,) = finish(client.events.guests("gala", state="confirmed"))
    assert guest.to == GUEST and guest.answer == "yes"
    settled = finish(client.events.answer("gala", GUEST, answer="yes", guests=3))
    assert settled.guests == 3
    assert finish(client.events.get("gala")).replies.headcount == 3
    assert [it.event_id for it in finish(client.events.list())] == ["gala"]
    shown = finish(client.sandbox.phone(GUEST)).messages
    assert {it.direction for it in shown} == {"in", "out"}


def ask_and_link(client: Any, finish: Finish) -> None:
    asked = finish(client.feedback.send(form_id="visit", to=GUEST))
    assert asked.form_id == "visit"
    finish(client.sandbox.reply(from_=GUEST, form={"answers": ANSWERS}))
    results = finish(client.forms.results("visit"))
    assert results.answered == 1 and results.questions[0].average == 5
    assert [it.form_id for it in finish(client.forms.list())] == ["visit"]
    link = finish(client.links.create(url="https://example.com/menu", event_id="gala"))
    assert finish(client.links.get(link.code)).clicks == 0
    assert [it.code for it in finish(client.links.list(event_id="gala"))] == [link.code]


def reach_people(client: Any, finish: Finish) -> None:
    checked = finish(client.numbers.check([GUEST, "972509999999"])).numbers
    assert [it.number for it in checked] == [GUEST, "972509999999"]
    finish(client.sandbox.reply(from_="972501239999", stop=True))
    assert finish(client.optouts.check(["972501239999"])).numbers[0].opted_out
    assert [it.number for it in finish(client.optouts.list())] == ["972501239999"]
    assert finish(client.optouts.delete("972501239999")).removed


def look_around(client: Any, finish: Finish) -> None:
    assert finish(client.health()).service == "tidings"
    assert finish(client.readiness()).numbers[0].number == NUMBER
    assert finish(client.limits()).numbers[0].per_second == 80
    assert finish(client.sender_health()).ready_for_sending
    assert "hello" in {it.name for it in finish(client.templates.list(limit=1))}
    changed = finish(client.sandbox.set_sender(NUMBER, quality="YELLOW"))
    assert changed.quality_rating == "YELLOW"
    before = finish(client.sandbox.clock()).offset_seconds
    after = finish(client.sandbox.advance_clock(timedelta(minutes=1)))
    assert after.offset_seconds == before + 60


def follow_webhooks(client: Any, finish: Finish) -> None:
    finish(client.sandbox.reply(from_=GUEST, media={"type": "image", "caption": "us"}))
    finish(client.sandbox.trigger("message.status"))
    finish(client.sandbox.advance_clock(4 * 3600))
    failed = finish(client.webhooks.failed(limit=200))
    assert len(failed[0].attempts) == 6
    assert finish(client.webhooks.retry(failed[0].webhook_id)).status == "queued"
    since = datetime(2020, 1, 1, tzinfo=UTC)
    assert finish(client.webhooks.retry_since(since)).since == since
    entries = finish(client.webhooks.events(limit=2))
    events = [client.webhooks.parse(entry.payload) for entry in entries]
    assert {event.type for event in events} >= {"message.status", "guest.confirmed"}
    (url,) = {it.data.media_url for it in events if getattr(it.data, "media_url", None)}
    assert len(finish(client.media.inbound(url))) > 100
    headers = {"X-Signature": "sha256=00", "X-Timestamp": "1799740800"}
    doctor = finish(client.webhooks.check_signature(headers=headers, body="{}"))
    assert not doctor.valid and doctor.findings[0].code == "bad_digits"


def pay(client: Any, finish: Finish) -> None:
    assert finish(client.balance()).billing_mode == "OFF"
    assert finish(client.usage(group_by="month")).group_by == "month"
    assert isinstance(finish(client.charges.list()), list)
    assert finish(client.charges.csv()).startswith(b"clientMessageId,")
    (invoice,) = finish(client.invoices.list())
    assert finish(client.invoices.get(invoice.number)).lines[0].description
    assert finish(client.invoices.pdf(invoice.number)).startswith(b"%PDF-")
    assert finish(client.sandbox.pay_invoice(invoice.number)).status == "PAID"


def trade(partner: Any, finish: Finish) -> None:
    assert finish(partner.partner.top_up(messages=100)).messages == 100
    told = finish(partner.partner.report_transfer(amount=Decimal("2.50"), reference="bank-1"))
    assert told.amount == "2.50"
    assert finish(partner.partner.account()).capacity.total == 100
    kinds = [entry.kind for entry in finish(partner.partner.ledger(limit=1))]
    assert kinds == ["TRANSFER_REPORTED", "TOPUP"]
