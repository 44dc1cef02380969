"""The contract suite: what is sent, in the sandbox and through the live platform, alike."""

import base64
from typing import Any

import pytest

from tests.support.worlds import NUMBER, PUBLIC_URL, World
from tidings.platforms.sandbox.guest_messages import SAMPLES

WHOLE_WAY = ["queued", "sending", "sent", "delivered", "read"]
RECEIVED = ["sent", "delivered", "read"]


def file(kind: str) -> str:
    return base64.b64encode(SAMPLES[kind].data).decode()


def talk(world: World) -> str:
    """Somebody who has just written to us."""
    guest = world.person()
    world.reply(guest, text="Hello there")
    return guest


def shown(world: World, guest: str) -> dict[str, Any]:
    """The last message of ours on the guest's phone."""
    return [message for message in world.phone(guest) if message["direction"] == "out"][-1]


# Templates


def test_a_template_goes_out_with_its_params_and_is_delivered_and_read(world: World) -> None:
    answer = world.send(
        to=world.person(), templateName="hello", templateParams=["Dana"], meta={"order": 7}
    )
    assert (answer["http"], answer["status"], answer["sentFrom"]) == (200, "sent", NUMBER)
    world.advance(1)
    assert world.received() == ["sent", "delivered"]
    world.advance(2)
    assert world.timeline() == WHOLE_WAY and world.received() == RECEIVED
    assert shown(world, world.person())["text"] == "Hello Dana"
    assert {event["messageId"] for event in world.events()} == {answer["messageId"]}


def test_header_body_and_footer_of_a_template(world: World) -> None:
    params = ["Noa", "one", "two"]
    world.send(to=world.person(), templateName="full", templateLang="he", templateParams=params)
    world.advance(3)
    message = shown(world, world.person())
    assert (message["title"], message["text"], message["footer"]) == (
        "For Noa",
        "one and two",
        "Bye",
    )
    assert world.timeline() == WHOLE_WAY


@pytest.mark.parametrize(("kind", "name"), [("image", "photo"), ("document", "menu")])
def test_a_template_with_a_file_in_its_header(world: World, kind: str, name: str) -> None:
    params = {"templateParams": ["Dana"]} if name == "photo" else {}
    answer = world.send(
        to=world.person(), templateName=name, mediaBase64=file(kind), type=kind, **params
    )
    assert answer["status"] == "sent", answer
    world.advance(3)
    assert world.timeline() == WHOLE_WAY
    assert shown(world, world.person())["media"]["mimetype"] == SAMPLES[kind].mimetype


@pytest.mark.parametrize(
    "body",
    [
        {"templateName": "nosuch"},
        {"templateName": "paused"},
        {"templateName": "hello"},
        {"templateName": "photo", "templateParams": ["Dana"]},
        {"templateName": "shop", "buttonUrl": "https://example.com/x"},
        {"message": "Hello"},
        {"mediaBase64": file("image"), "type": "image"},
    ],
    ids=["unknown", "paused", "no params", "no header", "not ours", "free text", "free media"],
)
def test_what_cannot_be_sent_is_refused_before_the_platform_hears_of_it(
    world: World, body: dict[str, Any]
) -> None:
    assert world.send(to=world.person(), **body)["http"] == 400
    assert world.phone(world.person()) == []


def test_a_url_button_carries_a_counted_link(world: World) -> None:
    address = "https://example.com/menu?for=dana"
    answer = world.send(to=world.person(), templateName="open", buttonUrl=address)
    assert answer["status"] == "sent", answer
    world.advance(3)
    url = shown(world, world.person())["buttons"][0]["url"]
    assert url.startswith(f"{PUBLIC_URL}/r/")
    followed = world.account.get(url.removeprefix(PUBLIC_URL), follow_redirects=False)
    assert (followed.status_code, followed.headers["location"]) == (302, address)
    link = world.account.get(f"/links/{url.rpartition('/')[2]}").json()["data"]
    assert link["clicks"] == 1


def test_a_url_button_elsewhere_takes_its_param(world: World) -> None:
    world.send(to=world.person(), templateName="shop", templateParams=["spring"])
    world.advance(3)
    (button,) = shown(world, world.person())["buttons"]
    assert button["url"] == "https://shop.example.com/spring"
    assert world.timeline() == WHOLE_WAY


# Inside the window, and outside it


def test_free_text_goes_inside_the_window(world: World) -> None:
    guest = talk(world)
    assert world.send(to=guest, message="Good to hear you")["status"] == "sent"
    world.advance(3)
    assert world.timeline() == WHOLE_WAY and world.received() == RECEIVED
    assert shown(world, guest)["text"] == "Good to hear you"


def test_the_window_closes_a_day_after_the_guests_last_word(world: World) -> None:
    guest = talk(world)
    world.advance(24 * 3600 - 60)
    assert world.send(to=guest, message="Still there?")["status"] == "sent"
    world.advance(120)
    assert world.send(to=guest, message="And now?")["code"] == "SERVICE_WINDOW_CLOSED"
    late = world.send(to=guest, message="And so?", templateName="plain")
    assert (late["status"], late["fallbackUsed"]) == ("sent", True)
    world.advance(3)
    assert shown(world, guest)["text"] == "Good morning"


@pytest.mark.parametrize("kind", ["image", "document"])
def test_a_file_goes_by_its_bytes(world: World, kind: str) -> None:
    guest = talk(world)
    answer = world.send(to=guest, message="For you", mediaBase64=file(kind), type=kind)
    assert answer["status"] == "sent", answer
    world.advance(3)
    message = shown(world, guest)
    assert (message["type"], message["text"]) == (kind, "For you")
    assert world.timeline() == WHOLE_WAY


@pytest.mark.parametrize("kind", ["image", "document"])
def test_a_file_goes_by_its_id_again_and_again(world: World, kind: str) -> None:
    guest = talk(world)
    body = {"mediaBase64": file(kind), "filename": SAMPLES[kind].filename}
    uploaded = world.post("/messages/upload", body)
    for _ in range(2):
        assert world.send(to=guest, mediaId=uploaded["mediaId"], type=kind)["status"] == "sent"
    world.advance(3)
    assert [m["type"] for m in world.phone(guest)] == ["text", kind, kind]
    assert world.received("order-0002") == RECEIVED


def test_reply_buttons_and_the_guests_press(world: World) -> None:
    guest = talk(world)
    buttons = [{"id": "pay-yes", "text": "Pay now"}, {"id": "pay-no", "text": "Later"}]
    answer = world.post(
        "/messages/rich",
        {
            "to": guest,
            "message": "Your bill",
            "buttons": buttons,
            "title": "May",
            "footer": "Thanks",
        },
    )
    assert answer["status"] == "sent", answer
    world.advance(3)
    world.reply(guest, button={"text": "Later"})
    pressed = world.events("message.received")[-1]
    assert (pressed["payload"], pressed["text"]) == ("pay-no", "Later")
    assert (pressed["repliedTo"], pressed["clientMessageId"]) == ("button_payload", "order-0001")


def test_a_rich_message_with_an_image_and_a_url_button(world: World) -> None:
    guest = talk(world)
    buttons = [{"text": "Open", "url": "https://example.com/bill"}]
    body = {"message": "Your bill", "buttons": buttons, "headerImage": file("image")}
    assert world.post("/messages/rich", {"to": guest, **body})["status"] == "sent"
    world.advance(3)
    message = shown(world, guest)
    assert message["buttons"][0]["url"] == "https://example.com/bill"
    assert message["media"]["mimetype"] == "image/jpeg"
    assert world.timeline() == WHOLE_WAY


# Passcodes


def test_a_passcode_arrives_and_is_nowhere_else(world: World) -> None:
    code = "HUSH-731905"
    answer = world.post("/messages/otp", {"to": world.person(), "code": code})
    assert answer["status"] == "sent", answer
    world.advance(3)
    assert world.timeline() == WHOLE_WAY and world.received() == RECEIVED
    received = [*world.account.events(), world.status(), world.phone(world.person()), answer]
    assert code not in str(received)
    tables = ["messages", "jobs", "webhooks", "idempotency_keys"]
    for table in tables:
        rows = world.service.sql(f"SELECT t::text AS row FROM {table} t")
        assert not [row for row in rows if code in row["row"]], table


def test_a_passcode_that_goes_with_an_opt_out(world: World) -> None:
    guest = talk(world)
    world.reply(guest, stop=True)
    assert world.post("/messages/otp", {"to": guest, "code": "123456"})["status"] == "sent"
    world.advance(3)
    assert world.received() == RECEIVED


# Many, and later


def test_a_batch_of_twenty(world: World) -> None:
    messages = [
        {"clientMessageId": f"bulk-{n:04}", "to": world.person(f"{n:04}"), "templateName": "hello",
         "templateParams": [f"Guest {n}"]}
        for n in range(1, 21)
    ]  # fmt: skip
    answer = world.post("/messages/bulk", {"batchName": "spring", "messages": messages})
    assert len(answer["accepted"]) == 20, answer
    world.advance(10)
    for n in range(1, 21):
        assert world.timeline(f"bulk-{n:04}")[-3:] == ["sent", "delivered", "read"]
        assert shown(world, world.person(f"{n:04}"))["text"] == f"Hello Guest {n}"
    (completed,) = world.events("batch.completed")
    assert (completed["total"], completed["sent"]) == (20, 20)


def test_a_scheduled_message_goes_when_its_time_has_come(world: World) -> None:
    answer = world.send(to=world.person(), templateName="plain", scheduledFor=world.later(hours=1))
    assert (answer["http"], answer["status"]) == (202, "scheduled")
    world.advance(3590)
    assert world.phone(world.person()) == []
    world.advance(20)
    assert world.status()["status"] == "read" and world.received() == RECEIVED


def test_a_deadline_that_passes_unsent(world: World) -> None:
    """The platform is down for a minute, and thirty seconds are all there are."""
    answer = world.send(
        to=world.person("9022"), templateName="plain", deadline=world.later(seconds=30)
    )
    assert answer["reason"] == "PLATFORM_UNAVAILABLE"
    world.advance(120)
    assert world.status()["status"] == "expired"
    assert world.received()[-1] == "expired"


def test_a_repeated_message_is_the_same_message(world: World) -> None:
    body = {"clientMessageId": "order-0001", "to": world.person(), "templateName": "plain"}
    assert [world.send(**body)["duplicate"] for _ in range(2)] == [False, True]
    world.advance(3)
    assert world.send(**body)["status"] == "read"
    assert len(world.phone(world.person())) == 1
