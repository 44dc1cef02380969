"""Request bodies, compared with golden ones that were written by hand after the fact sheet of the
Cloud API (sections 1.1 to 1.7), not by the code they check."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from tidings.platforms.content import (
    Button,
    Content,
    Form,
    Media,
    MediaRef,
    Passcode,
    Rich,
    Template,
    Text,
)
from tidings.platforms.port import Send, Sender
from tidings.platforms.whatsapp.payloads import find_media, request_body

GOLDEN = Path(__file__).parent / "golden"
MEDIA_ID = "4490709327384033"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

JPEG = MediaRef("med_1", "image/jpeg", "image.jpg")
TICKET = MediaRef("med_2", "application/pdf", "ticket.pdf")
MENU = MediaRef("med_3", "application/pdf", "menu.pdf")
YES, NO = Button("reply", "Yes", payload="yes"), Button("reply", "No", payload="no")
OPEN = Button("url", "Open", url="https://example.com/programme")


def template(name: str, language: str, **parts: object) -> Template:
    return Template(name, language, "as the guest reads it", **parts)


CONTENTS: dict[str, Content] = {
    "text": Text("See you at eight: https://example.com"),
    "template_plain": template("good_morning", "en_US", header="News", footer="Acme"),
    "template_header_text": template(
        "reminder", "he", header="Tonight: Gala", header_text="Gala", body=("Dana", "12.12")
    ),
    "template_named": template(
        "order_update",
        "en_US",
        header_text="Acme",
        body=("Dana", "SKBUP2"),
        names=("shop", "first_name", "order_number"),
    ),
    "template_header_image": template(
        "invite",
        "he",
        body=("Dana", "12.12"),
        media=JPEG,
        buttons=(
            Button("reply", "Yes", payload="cid-1:yes"),
            Button("reply", "No", payload="cid-1:no"),
        ),
    ),
    "template_header_document": template("your_ticket", "en", media=TICKET),
    "template_buttons": template(
        "all_buttons",
        "en",
        body=("Dana",),
        buttons=(
            YES,
            Button("url", "Home", url="https://example.com"),
            Button("phone", "Call", payload="972555000001"),
            Button("url", "Open", url="https://t.example.com/r/abc123", suffix="abc123"),
        ),
    ),
    "template_flow_button": template("survey", "en", buttons=(Button("flow", "Rate us"),)),
    "passcode": Passcode("otp", "he", "123456"),
    "reply_buttons": Rich("Will you come?", (YES, NO), title="Dinner", footer="Reply by Monday"),
    "reply_buttons_with_image": Rich("Will you come?", (YES,), title="Dinner", image=JPEG),
    "url_button": Rich("The programme is out.", (OPEN,)),
    "url_button_with_image": Rich("The programme is out.", (OPEN,), footer="Acme", image=JPEG),
    "form_in_conversation": Form(
        "visit", 3, "How was your visit?", "Rate us", "fbs_1", flow_id="1085321234567890"
    ),
    "form_by_template": Form(
        "visit", 3, "How was your visit?", "Rate us", "fbs_1", template="visit_v3", language="en"
    ),
    "image": Media("image", JPEG, caption="Your table"),
    "document": Media("document", MENU),
}


def send(content: Content) -> Send:
    return Send(
        send_id="018f0000000070008000000000000001.1",
        account="018f0000000070008000000000000000",
        sender=Sender("972555000001", "1055", "2077"),
        to="972501234567",
        content=content,
        client_message_id="order-0001",
        at=NOON,
    )


def body(content: Content) -> dict[str, object]:
    return request_body(send(content), MEDIA_ID if find_media(content) else "")


@pytest.mark.parametrize("name", CONTENTS)
def test_the_body_is_the_golden_one_written_by_hand_after_the_fact_sheet(name: str) -> None:
    assert body(CONTENTS[name]) == json.loads((GOLDEN / f"{name}.json").read_text())


def test_every_golden_body_and_every_kind_of_content_is_compared() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CONTENTS)
    assert {type(content) for content in CONTENTS.values()} == set(Content.__args__)


@pytest.mark.parametrize("name", CONTENTS)
def test_every_body_carries_our_id_and_is_json(name: str) -> None:
    made = body(CONTENTS[name])
    assert made["biz_opaque_callback_data"] == send(CONTENTS[name]).send_id
    assert len(str(made["biz_opaque_callback_data"])) <= 512  # as the platform documents
    assert msgspec.json.decode(msgspec.json.encode(made)) == made


@pytest.mark.parametrize("name", CONTENTS)
def test_no_body_says_anything_of_what_only_we_know(name: str) -> None:
    text = json.dumps(body(CONTENTS[name]))
    for ours in ("med_", "order-0001", "as the guest reads it", "972555000001"):
        assert ours not in text


def test_a_file_goes_by_the_platforms_id_never_by_a_link() -> None:
    for content in CONTENTS.values():
        text = json.dumps(body(content))
        assert '"link"' not in text
        assert (MEDIA_ID in text) == (find_media(content) is not None)


def test_names_without_a_header_are_those_of_the_body() -> None:
    made = body(template("hello", "en", body=("Dana",), names=("first_name",)))["template"]
    assert made["components"][0]["parameters"][0]["parameter_name"] == "first_name"


def test_an_authentication_template_sent_as_a_template_fills_its_copy_code_button() -> None:
    content = template("otp", "he", body=("123456",), buttons=(Button("copy_code", "Copy"),))
    assert body(content)["template"] == body(Passcode("otp", "he", "123456"))["template"]


def test_what_is_no_content_is_a_bug_and_says_so() -> None:
    @dataclass
    class Nothing:
        media: None = None

    with pytest.raises(AssertionError, match="Nothing is not message content"):
        request_body(send(Nothing()))
