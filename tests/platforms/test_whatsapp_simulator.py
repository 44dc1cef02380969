"""The live adapter and the Graph simulator were written apart from each other, after the same fact
sheet: what one writes, the other must take."""

import asyncio
from datetime import UTC, datetime

import pytest

from tests.platforms.test_whatsapp_payloads import CONTENTS, MEDIA_ID
from tests.support.adapter import FakeFiles
from tests.support.simulator import RunningSimulator
from tidings.clock import SystemClock
from tidings.platforms.content import Content, MediaRef
from tidings.platforms.port import (
    Accepted,
    DispatchOutcome,
    FailureKind,
    Rejected,
    Send,
    Sender,
    UnknownOutcome,
)
from tidings.platforms.sandbox.guest_messages import SAMPLES
from tidings.platforms.whatsapp.adapter import WhatsApp
from tidings.platforms.whatsapp.client import Graph
from tidings.platforms.whatsapp.payloads import find_media
from tidings.secrets import Secret
from tidings_simulator.plan import (
    ACCESS_TOKEN,
    DEFAULT,
    ButtonSpec,
    Plan,
    TemplateSpec,
)

GUEST = "972501234567"
TEMPLATES = [
    TemplateSpec(name="good_morning", language="en_US", body="Good morning"),
    TemplateSpec(
        name="reminder", language="he", header="TEXT", header_text="{{1}}", body="{{1}} on {{2}}!"
    ),
    TemplateSpec(
        name="order_update",
        language="en_US",
        parameter_format="NAMED",
        components=[
            {"type": "HEADER", "format": "TEXT", "text": "{{shop}}"},
            {"type": "BODY", "text": "Hi {{first_name}}, {{order_number}} is on its way."},
        ],
    ),
    TemplateSpec(
        name="invite",
        language="he",
        header="IMAGE",
        body="Hi {{1}}, join us on {{2}}!",
        buttons=[ButtonSpec(type="QUICK_REPLY", text=text) for text in ("Yes", "No")],
    ),
    TemplateSpec(name="your_ticket", header="DOCUMENT", body="See you there."),
    TemplateSpec(
        name="all_buttons",
        body="For {{1}}.",
        buttons=[
            ButtonSpec(type="QUICK_REPLY", text="Yes"),
            ButtonSpec(type="URL", text="Home", url="https://example.com"),
            ButtonSpec(type="PHONE_NUMBER", text="Call", phone="972555000001"),
            ButtonSpec(type="URL", text="Open", url="https://t.example.com/r/{{1}}"),
        ],
    ),
    TemplateSpec(name="otp", language="he", category="AUTHENTICATION"),
]
FLOWS = {"template_flow_button", "form_in_conversation", "form_by_template"}  # need a flow there


@pytest.fixture(scope="module")
def simulator() -> object:
    plan = Plan(numbers=DEFAULT.numbers, templates=TEMPLATES)
    with RunningSimulator(plan=plan, callback_url="", windows_open=True) as running:
        yield running


class Photos(FakeFiles):
    """Files that are what they are said to be."""

    async def read(self, account: str, media: str) -> bytes:
        return SAMPLES["image" if media == "med_1" else "document"].data


def hand_over(
    simulator: RunningSimulator, content: Content, to: str = GUEST, token: str = ACCESS_TOKEN
) -> DispatchOutcome:
    number = simulator.number
    send = Send(
        send_id="018f0000000070008000000000000001.1",
        account="acc",
        sender=Sender(number.number, number.id, number.waba.id, Secret(token)),
        to=to,
        content=content,
        client_message_id="order-0001",
        at=datetime.now(UTC),
    )

    async def run() -> DispatchOutcome:
        graph = Graph(simulator.url, "v25.0")
        try:
            results = await WhatsApp(graph, Photos(), SystemClock()).send([send])
        finally:
            await graph.close()
        return results[0].outcome

    return asyncio.run(run())


@pytest.mark.parametrize("name", sorted(set(CONTENTS) - FLOWS))
def test_every_message_that_the_adapter_writes_is_taken(
    simulator: RunningSimulator, name: str
) -> None:
    answer = hand_over(simulator, CONTENTS[name])
    assert isinstance(answer, Accepted), answer


@pytest.mark.parametrize(
    ("last_four", "kind"),
    [
        ("9013", FailureKind.REFUSED),
        ("9014", FailureKind.REFUSED),
        ("9020", FailureKind.NUMBER_LIMIT),
        ("9021", FailureKind.NUMBER_LIMIT),
        ("9022", FailureKind.UNAVAILABLE),
        ("9030", FailureKind.ACCOUNT_FAULT),
    ],
)
def test_its_magic_recipients_are_the_ports_answers(
    simulator: RunningSimulator, last_four: str, kind: FailureKind
) -> None:
    answer = hand_over(simulator, CONTENTS["text"], f"97250000{last_four}")
    assert isinstance(answer, Rejected) and answer.failure.kind is kind


def test_its_silence_is_no_answer(simulator: RunningSimulator) -> None:
    assert hand_over(simulator, CONTENTS["text"], "972500009024") == UnknownOutcome()


def test_a_token_that_it_does_not_know_is_the_accounts_fault(simulator: RunningSimulator) -> None:
    answer = hand_over(simulator, CONTENTS["text"], token="somebody-elses")
    assert isinstance(answer, Rejected)
    assert answer.failure.kind is FailureKind.ACCOUNT_FAULT


async def test_an_id_of_a_file_that_it_does_not_know_is_refused(
    simulator: RunningSimulator,
) -> None:
    class Forgotten(Photos):
        async def find_upload(self, account: str, media: str, phone_number_id: str) -> str | None:
            return MEDIA_ID

    content = CONTENTS["image"]
    assert isinstance(find_media(content), MediaRef)

    graph = Graph(simulator.url, "v25.0")
    number = simulator.number
    sender = Sender(number.number, number.id, number.waba.id, Secret(ACCESS_TOKEN))
    send = Send("x.1", "acc", sender, GUEST, content, "order-0001", datetime.now(UTC))
    try:
        answer = (await WhatsApp(graph, Forgotten(), SystemClock()).send([send]))[0].outcome
    finally:
        await graph.close()
    assert isinstance(answer, Rejected), answer
    assert answer.failure.kind is FailureKind.REFUSED
