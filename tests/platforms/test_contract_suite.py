"""The contract suite: what is sent, in the sandbox and through the live platform, alike."""

import base64
from typing import Any

import pytest

from tests.support.worlds import NUMBER, PUBLIC_URL, World
from tidings.platforms.simulator import samples

WHOLE_WAY = ["queued", "sending", "sent", "delivered", "read"]
TOLD = ["sent", "delivered", "read"]


def file(kind: str) -> str:
    return base64.b64encode(samples.SAMPLES[kind].data).decode()


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
    assert world.told() == ["sent", "delivered"]
    world.advance(2)
    assert world.timeline() == WHOLE_WAY and world.told() == TOLD
    assert shown(world, world.person())["text"] == "Hello Dana"
    assert {event["messageId"] for event in world.events()} == {answer["messageId"]}


def test_header_body_and_footer_of_a_template(world: World) -> None:
    params = ["Noa", "one", "two"]
    world.send(to=world.person(), templateName="full", templateLang="he", templateParams=params)
    world.advance(3)
    message = shown(world, world.person())
    assert (message["title"], message["text"], message["footer"]) == ("For Noa", "one and two", "Bye")
    assert world.timeline() == WHOLE_WAY
