"""A client that is not ours drives the Graph simulator, and hears its callbacks."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pywa import WhatsApp, errors, types
from pywa.types.templates import BodyText, HeaderImage, QuickReplyButton, TemplateLanguage

from tests.simulator.test_flows import flow
from tests.simulator.test_messages import GUEST, PNG
from tests.support.receiver import ReceivedRequest, Receiver
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import ACCESS_TOKEN


class ToSimulator(httpx.HTTPTransport):
    """The client knows only the platform's own address; this leads from there to ours."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = httpx.URL(url)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        there = {"scheme": "http", "host": self._url.host, "port": self._url.port}
        request.url = request.url.copy_with(**there)
        return super().handle_request(request)


@pytest.fixture
def simulator(receiver: Receiver) -> Iterator[RunningSimulator]:
    with RunningSimulator(callback_url=receiver.url) as running:
        yield running


@pytest.fixture
def client(simulator: RunningSimulator) -> Iterator[WhatsApp]:
    with httpx.Client(transport=ToSimulator(simulator.url), timeout=60) as session:
        yield WhatsApp(
            phone_id=simulator.number.id,
            token=ACCESS_TOKEN,
            session=session,
            waba_id=simulator.waba_id,
            app_id="500000000000001",
            app_secret=simulator.simulator.app_secret,
            verify_token=simulator.simulator.verify_token,
        )


def hear(client: WhatsApp, request: ReceivedRequest) -> None:
    """As the client's own web server would, signature first."""
    assert client.webhook_update_validator(request.body, request["X-Hub-Signature-256"]) is None
    assert client.webhook_update_handler(request.body) == ("ok", 200)


def test_a_text_inside_the_window(client: WhatsApp, simulator: RunningSimulator) -> None:
    simulator.reply(GUEST, "hello")
    simulator.advance(1)
    sent = client.send_message(GUEST, "Good morning", tracker="ours.1")
    assert sent.id.startswith("wamid.")
    simulator.advance(3)
    shown = simulator.phone(GUEST)[-1]
    assert (shown["text"], shown["clientMessageId"]) == ("Good morning", "ours.1")


def test_a_template_with_its_parameters(client: WhatsApp, simulator: RunningSimulator) -> None:
    params = [
        BodyText.params("Dana", "Friday"),
        QuickReplyButton.params(callback_data="yes-1", index=0),
    ]
    client.send_template(GUEST, "invite", TemplateLanguage.ENGLISH, params)
    assert simulator.phone(GUEST)[-1]["text"] == "Hi Dana, join us on Friday!"
    simulator.reply(GUEST, button={"text": "Yes"})
    simulator.advance(1)
    assert simulator.phone(GUEST)[-1]["buttons"][0]["payload"] == "yes-1"


def test_media_up_sent_looked_up_and_down(client: WhatsApp, simulator: RunningSimulator) -> None:
    simulator.reply(GUEST, "hello")
    simulator.advance(1)
    media = client.upload_media(PNG, mime_type="image/png", filename="a.png")
    client.send_image(GUEST, media, caption="Look")
    shown = simulator.phone(GUEST)[-1]
    assert (shown["media"]["mediaId"], shown["text"]) == (media.id, "Look")
    params = [HeaderImage.params(image=media.id), BodyText.params("Dana")]
    client.send_template(GUEST, "photo", TemplateLanguage.ENGLISH, params)
    url = client.get_media_url(media.id)
    assert (url.mime_type, url.file_size) == ("image/png", len(PNG))
    assert client.get_media_bytes(url.url) == PNG
    assert client.delete_media(media.id).success
    with pytest.raises(errors.WhatsAppError):
        client.get_media_url(media.id)


def test_buttons_and_their_press(
    client: WhatsApp, simulator: RunningSimulator, receiver: Receiver
) -> None:
    simulator.reply(GUEST, "hello")
    simulator.advance(1)
    pressed: list[types.CallbackButton[Any]] = []
    client.on_callback_button()(lambda _, button: pressed.append(button))
    buttons = [types.Button("Yes", "yes-1"), types.Button("No", "no-1")]
    sent = client.send_message(GUEST, "Coming?", header="Party", footer="Bye", buttons=buttons)
    simulator.advance(3)
    simulator.reply(GUEST, button={"text": "No"})
    simulator.advance(1)
    hear(client, receiver.requests[-1])
    (button,) = pressed
    assert (button.data, button.title) == ("no-1", "No")
    assert button.reply_to_message is not None and button.reply_to_message.id == sent.id


def test_templates_listed_and_made(client: WhatsApp, simulator: RunningSimulator) -> None:
    listed = {template.name: template for template in client.get_templates()}
    assert {"hello", "invite", "photo", "code"} <= set(listed)
    assert str(listed["invite"].status) == "APPROVED"
    made = client.create_template(
        types.templates.Template(
            name="fresh",
            language=TemplateLanguage.ENGLISH,
            category=types.templates.TemplateCategory.UTILITY,
            components=[BodyText("Hi {{guest}}, welcome!", guest="Dana")],
        )
    )
    simulator.advance(5)
    assert client.get_template(made.id).status.value == "APPROVED"
    client.send_template(GUEST, "fresh", TemplateLanguage.ENGLISH, [BodyText.params(guest="Dana")])
    assert simulator.phone(GUEST)[-1]["text"] == "Hi Dana, welcome!"


def test_numbers(client: WhatsApp, simulator: RunningSimulator) -> None:
    number = client.get_business_phone_number()
    assert number.id == simulator.number.id
    assert (str(number.quality_rating), str(number.status)) == ("GREEN", "CONNECTED")
    assert [each.id for each in client.get_business_phone_numbers()] == [simulator.number.id]


def test_flows(client: WhatsApp) -> None:
    made = client.create_flow("visit", categories=[types.FlowCategory.SURVEY])
    assert client.update_flow_json(made.id, flow())
    assert client.publish_flow(made.id)
    assert str(client.get_flow(made.id).status) == "PUBLISHED"
    assert [each.name for each in client.get_flows()] == ["visit"]


def test_signed_callbacks_are_read(
    client: WhatsApp, simulator: RunningSimulator, receiver: Receiver
) -> None:
    seen: list[Any] = []
    client.on_message()(lambda _, message: seen.append(message.text))
    client.on_message_status()(lambda _, status: seen.append((status.status.value, status.tracker)))
    client.on_template_status_update()(lambda _, update: seen.append(update.new_status.value))
    params = [BodyText.params("Dana")]
    client.send_template(GUEST, "hello", TemplateLanguage.ENGLISH, params, tracker="ours.1")
    simulator.advance(2)
    simulator.reply(GUEST, "מגיעים 🎉")
    simulator.control("POST", "/templates/hello", {"status": "PAUSED"})
    simulator.advance(1)
    for request in receiver.requests:
        hear(client, request)
    statuses = [("sent", "ours.1"), ("delivered", "ours.1"), ("read", "ours.1")]
    assert seen == [*statuses, "מגיעים 🎉", "PAUSED"]
    forged = receiver.requests[0].body.replace(b"sent", b"read")
    assert client.webhook_update_validator(forged, receiver.requests[0]["X-Hub-Signature-256"])


def test_failures_have_the_clients_names(client: WhatsApp, simulator: RunningSimulator) -> None:
    with pytest.raises(errors.TemplateNotExists):
        client.send_template(GUEST, "missing", TemplateLanguage.ENGLISH, [])
    with pytest.raises(errors.TemplateParamCountMismatch):
        client.send_template(GUEST, "hello", TemplateLanguage.ENGLISH, [])
    with pytest.raises(errors.RateLimitHit):
        client.send_template(
            "972501239020", "hello", TemplateLanguage.ENGLISH, [BodyText.params("D")]
        )
    simulator.fault(answer="error", code=190)
    with pytest.raises(errors.ExpiredAccessToken):
        client.get_business_phone_number()
    with pytest.raises(errors.InvalidParameter):
        client.send_message(GUEST, "a", buttons=[types.Button("t" * 21, "id")])
