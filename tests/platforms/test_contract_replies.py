"""The contract suite: what guests send back, in the sandbox and through the live platform."""

import pytest

from tests.support.worlds import World
from tidings.platforms.sandbox.guest_messages import SAMPLES

INVITATION = {"templateName": "invite", "templateParams": ["Dana"], "kind": "invitation"}


def invite(world: World, last_four: str = "4567", **more: object) -> str:
    guest = world.person(last_four)
    answer = world.send(to=guest, **INVITATION, expiresAt=world.later(days=2), **more)
    assert answer["status"] == "sent", answer
    return guest


# Verbatim


def test_a_text_opens_the_window_and_is_published(world: World) -> None:
    guest = world.person()
    world.send(to=guest, templateName="plain", meta={"order": 7})
    world.advance(3)
    world.reply(guest, text='שלום 👋 "hi" / there')
    (received,) = world.events("message.received")
    assert received["text"] == 'שלום 👋 "hi" / there'
    assert received["repliedTo"] == "last_outbound" and received["meta"] == {"order": 7}
    assert received["lastOutbound"]["clientMessageId"] == "order-0001"


def test_a_quoted_message_is_named(world: World) -> None:
    guest = world.person()
    for _ in range(2):
        world.send(to=guest, templateName="plain")
    world.advance(3)
    world.reply(guest, text="This one", quoted="order-0001")
    (received,) = world.events("message.received")
    assert (received["repliedTo"], received["clientMessageId"]) == ("quoted_message", "order-0001")


@pytest.mark.parametrize("kind", ["image", "document"])
def test_a_file_comes_with_a_link_that_leads_to_it(world: World, kind: str) -> None:
    guest = world.person()
    world.send(to=guest, templateName="plain")
    world.reply(guest, media={"type": kind, "caption": "Look"})
    (received,) = world.events("message.received")
    assert (received["type"], received["text"]) == (kind, "Look")
    path = "/api/v1" + received["mediaUrl"].partition("/api/v1")[2]
    answer = world.service.http.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.content == SAMPLES[kind].data
    assert answer.headers["content-type"] == SAMPLES[kind].mimetype


def test_quick_replies_carry_their_payloads_back(world: World) -> None:
    guest = world.person()
    payloads = ["yes:42", "no:42"]
    world.send(to=guest, templateName="invite", templateParams=["Dana"], buttonPayloads=payloads)
    world.advance(3)
    world.reply(guest, button={"text": "No"})
    (received,) = world.events("message.received")
    assert (received["payload"], received["text"], received["type"]) == ("no:42", "No", "button")
    assert received["clientMessageId"] == "order-0001"


def test_a_button_without_a_payload_of_its_own_carries_the_clientmessageid(world: World) -> None:
    guest = world.person()
    world.send(to=guest, templateName="invite", templateParams=["Dana"])
    world.reply(guest, button={"text": "Yes"})
    (received,) = world.events("message.received")
    assert (received["payload"], received["text"]) == ("order-0001", "Yes")


# Being left alone


def test_who_says_stop_is_left_alone_until_they_say_start(world: World) -> None:
    guest = world.person()
    world.send(to=guest, templateName="plain")
    world.reply(guest, stop=True)
    assert len(world.events("guest.opted_out")) == 1
    refused = world.send(to=guest, templateName="plain")
    assert (refused["http"], refused["status"]) == (200, "failed")
    assert refused["error"]["code"] == "RECIPIENT_OPTED_OUT"
    assert world.post("/optouts/check", {"numbers": [guest]})["numbers"][0]["optedOut"] is True
    world.reply(guest, text="start")
    assert len(world.events("guest.opted_in")) == 1
    assert world.send(to=guest, templateName="plain")["status"] == "sent"


def test_an_opt_out_at_the_platform_is_heeded(world: World) -> None:
    guest = world.person("9012")
    world.send(to=guest, templateName="plain")
    world.advance(3)
    (left,) = world.events("guest.opted_out")
    assert left["source"] == "platform"
    assert world.send(to=guest, templateName="plain")["error"]["code"] == "RECIPIENT_OPTED_OUT"


# Answers to invitations


@pytest.mark.parametrize(
    ("last_four", "kind", "answer"),
    [("9101", "guest.confirmed", "yes"), ("9102", "guest.declined", "no")],
)
def test_a_pressed_button_is_an_answer(
    guest_world: World, last_four: str, kind: str, answer: str
) -> None:
    invite(guest_world, last_four)
    guest_world.advance(5)
    assert guest_world.events(kind) == []
    guest_world.advance(5)
    (event,) = guest_world.events(kind)
    assert (event["answer"], event["slotMatch"], event["matchConfidence"]) == (answer, "button", 1)
    invitation = guest_world.status()["invitation"]
    assert invitation["answer"] == answer


@pytest.mark.parametrize(("last_four", "kind"), [("9101", "button"), ("9102", "button")])
def test_the_same_press_verbatim(world: World, last_four: str, kind: str) -> None:
    world.send(to=world.person(last_four), templateName="invite", templateParams=["Dana"])
    world.advance(10)
    (received,) = world.events("message.received")
    assert (received["type"], received["repliedTo"]) == (kind, "button_payload")


def test_a_typed_answer_finds_its_invitation(guest_world: World) -> None:
    guest = invite(guest_world)
    guest_world.advance(3)
    guest_world.reply(guest, text="Yes, we will be 4!")
    (event,) = guest_world.events("guest.confirmed")
    assert (event["answer"], event["guests"], event["slotMatch"]) == ("yes", 4, "only_open")
    guest_world.reply(guest, text="Sorry, can't make it", quoted="order-0001")
    (event,) = guest_world.events("guest.declined")
    assert event["slotMatch"] == "quoted"


def test_stop_five_seconds_after_delivery(guest_world: World) -> None:
    guest = invite(guest_world, "9106")
    guest_world.advance(10)
    assert len(guest_world.events("guest.opted_out")) == 1
    refused = guest_world.send(to=guest, templateName="plain")
    assert refused["error"]["code"] == "RECIPIENT_OPTED_OUT"


def test_a_photo_five_seconds_after_delivery(guest_world: World) -> None:
    invite(guest_world, "9107")
    guest_world.advance(10)
    event = [data for data in guest_world.events() if data.get("type") == "image"]
    assert len(event) == 1 and event[0]["mediaUrl"]


def test_nobody_invited_anybody(guest_world: World) -> None:
    guest = guest_world.person()
    guest_world.send(to=guest, templateName="plain")
    guest_world.reply(guest, text="Who is this?")
    (event,) = guest_world.events("guest.message")
    assert (event["text"], event["slotMatch"]) == ("Who is this?", "none")
