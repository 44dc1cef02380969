"""The sandbox platform in process, its planned callbacks as JSON, its phones and their owners."""

import hashlib
import json
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.platforms.test_behaviour import (
    CONTENTS,
    FORM,
    INVITATION,
    QUESTIONS,
    RICH,
    require_platform_shape,
    send,
)
from tidings.errors import ApiError, Code
from tidings.platforms.content import Content, Form, Media, MediaRef, Passcode, Rich, Template, Text
from tidings.platforms.port import Accepted, Platform
from tidings.platforms.sandbox.behaviour import MAGIC, simulate_send
from tidings.platforms.sandbox.guest_messages import SAMPLES, Envelope, platform_id
from tidings.platforms.sandbox.phone import show_inbound, show_outbound
from tidings.platforms.sandbox.platform import Sandbox, decode_callbacks, encode_callbacks
from tidings.platforms.sandbox.replies import Attachment, ButtonPress, GuestReply, write_reply

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
GUEST = Envelope(platform_id("reply-1"), "972501234567", "972555000001", NOON)
ASKED = Form("visit", 3, "Your visit", "Rate us", token="tok-1", questions=QUESTIONS)


async def test_answers_come_in_the_order_of_the_sends() -> None:
    sandbox: Platform = Sandbox()
    sends = [send("4567"), send("9013"), send("9024")]
    assert await sandbox.send(sends) == [simulate_send(each) for each in sends]


@pytest.mark.parametrize("last_four", ["4567", "9001", "9002", "9101"])
async def test_no_prompt_status_repeats_what_the_answer_said(last_four: str) -> None:
    (result,) = await Sandbox().send([send(last_four)])
    assert isinstance(result.outcome, Accepted)
    assert all(planned.after > timedelta(0) for planned in result.callbacks)


@given(
    st.sampled_from([*sorted(MAGIC), "4567"]),
    st.sampled_from([*CONTENTS, ASKED]),
    st.none() | st.integers(0, 10**9).map(lambda ms: NOON + timedelta(milliseconds=ms)),
)
def test_planned_callbacks_survive_the_job_queue(
    last_four: str, content: Content, expires_at: datetime | None
) -> None:
    planned = simulate_send(send(last_four, content, expires_at=expires_at)).callbacks
    assert decode_callbacks(encode_callbacks(planned)) == list(planned)


def test_the_plan_says_in_milliseconds_what_comes_when() -> None:
    plan = json.loads(encode_callbacks(simulate_send(send("9101")).callbacks))
    assert [entry["after_ms"] for entry in plan] == [1000, 2000, 6000]
    assert decode_callbacks("[]") == [] and encode_callbacks([]) == "[]"


# What the phone shows.


def shown(content: Content) -> dict[str, Any]:
    return show_outbound(content, at=NOON, message_id="wamid.x", client_message_id="cid-1")


def test_a_text_on_the_phone() -> None:
    assert shown(Text("hello")) == {
        "direction": "out",
        "at": "2026-01-01T12:00:00.000Z",
        "messageId": "wamid.x",
        "clientMessageId": "cid-1",
        "type": "text",
        "text": "hello",
        "title": None,
        "footer": None,
        "media": None,
        "buttons": [],
        "form": None,
    }


def test_a_template_on_the_phone() -> None:
    picture = MediaRef("med_1", "image/png")
    content = Template("invite", "en", "Hi", header="Party", media=picture, footer="Bye")
    view = shown(content)
    assert (view["type"], view["text"], view["title"]) == ("template", "Hi", "Party")
    assert (view["footer"], view["media"]["mediaId"]) == ("Bye", "med_1")
    assert shown(INVITATION)["buttons"][:2] == [
        {"type": "url", "text": "Map", "payload": None, "url": "https://x.test"},
        {"type": "reply", "text": "Coming", "payload": "cid-1:yes", "url": None},
    ]


def test_a_document_on_the_phone() -> None:
    content = Media("document", MediaRef("med_1", "application/pdf", "menu.pdf"), "The menu")
    view = shown(content)
    assert (view["type"], view["text"]) == ("document", "The menu")
    assert view["media"] == {
        "mediaId": "med_1",
        "mimetype": "application/pdf",
        "filename": "menu.pdf",
    }


def test_a_rich_message_on_the_phone() -> None:
    view = shown(Rich("Coming?", RICH.buttons, title="Party", footer="Bye"))
    assert (view["type"], view["text"]) == ("rich", "Coming?")
    assert (view["title"], view["footer"]) == ("Party", "Bye")


@given(st.text("0123456789", min_size=1, max_size=15))
def test_a_passcode_shows_as_dots_even_if_its_code_were_there(code: str) -> None:
    view = shown(Passcode("code", "en", code=code))
    assert view["text"].startswith("••••••")
    assert not any(character.isdigit() for character in view["text"])
    assert view["buttons"][0]["type"] == "copyCode"


def test_a_form_on_the_phone() -> None:
    view = shown(ASKED)
    assert (view["type"], view["text"]) == ("form", "Your visit")
    assert view["buttons"][0] == {"type": "flow", "text": "Rate us", "payload": None, "url": None}
    assert (view["form"]["formId"], view["form"]["version"]) == ("visit", 3)
    assert [question["id"] for question in view["form"]["questions"]] == ["q1", "q2", "q3", "q4"]


# What its owner does.


def test_a_typed_reply_may_quote() -> None:
    quoting = Envelope(GUEST.platform_id, GUEST.from_, GUEST.to, NOON, quoted="wamid.x")
    inbound = write_reply(GuestReply(text="מגיעים 🎉"), quoting)
    assert (inbound.type, inbound.text, inbound.quoted) == ("text", "מגיעים 🎉", "wamid.x")
    require_platform_shape(inbound)
    view = show_inbound(inbound.raw, at=NOON)
    assert (view["direction"], view["type"], view["text"]) == ("in", "text", "מגיעים 🎉")
    assert (view["messageId"], view["clientMessageId"]) == (GUEST.platform_id, None)


@pytest.mark.parametrize("content", [INVITATION, RICH])
@pytest.mark.parametrize("asked", [ButtonPress(text="Sorry"), ButtonPress(payload="cid-1:no")])
def test_a_button_is_found_by_text_or_payload(content: Content, asked: ButtonPress) -> None:
    inbound = write_reply(GuestReply(button=asked), GUEST, content)
    require_platform_shape(inbound)
    assert (inbound.text, inbound.payload) == ("Sorry", "cid-1:no")
    pressed = {"type": "reply", "text": "Sorry", "payload": "cid-1:no", "url": None}
    assert show_inbound(inbound.raw, at=NOON)["buttons"] == [pressed]


@pytest.mark.parametrize(
    ("kind", "mimetype"), [("image", "image/jpeg"), ("document", "application/pdf")]
)
def test_a_file_with_a_caption(kind: str, mimetype: str) -> None:
    inbound = write_reply(GuestReply(media=Attachment(kind, "for you")), GUEST)
    require_platform_shape(inbound)
    assert (inbound.type, inbound.text, inbound.media_type) == (kind, "for you", mimetype)
    digest = b64encode(hashlib.sha256(SAMPLES[kind].data).digest()).decode()
    assert json.loads(inbound.raw)[kind]["sha256"] == digest
    view = show_inbound(inbound.raw, at=NOON)
    assert (view["text"], view["media"]["mediaId"]) == ("for you", inbound.media_id)


def test_a_form_filled_in_by_hand() -> None:
    answers = {"q1": 4, "q2": "b", "q3": ["a", "c"], "q4": "fine"}
    inbound = write_reply(GuestReply(answers=answers), GUEST, ASKED)
    require_platform_shape(inbound)
    as_text = {"q1": "4", "q2": "b", "q3": ["a", "c"], "q4": "fine"}
    assert json.loads(inbound.form or "") == {**as_text, "flow_token": "tok-1"}
    assert show_inbound(inbound.raw, at=NOON)["form"] == {"answers": as_text}


def test_a_form_whose_questions_are_unknown_takes_any_answer() -> None:
    inbound = write_reply(GuestReply(answers={"rating": "2"}), GUEST, FORM)
    assert json.loads(inbound.form or "")["rating"] == "2"


def test_stop() -> None:
    assert write_reply(GuestReply(stop=True), GUEST).text == "STOP"


@pytest.mark.parametrize(
    ("reply", "content", "field"),
    [
        (GuestReply(), None, None),
        (GuestReply(text="a", stop=True), None, None),
        (GuestReply(button=ButtonPress()), RICH, "button"),
        (GuestReply(button=ButtonPress(text="Maybe")), RICH, "button"),
        (GuestReply(button=ButtonPress(text="Sorry", payload="cid-1:yes")), RICH, "button"),
        (GuestReply(button=ButtonPress(text="Map")), INVITATION, "button"),
        (GuestReply(button=ButtonPress(text="Yes")), Text("hi"), "button"),
        (GuestReply(button=ButtonPress(text="Yes")), None, "button"),
        (GuestReply(media=Attachment("video")), None, "media.type"),
        (GuestReply(answers={}), None, "form"),
        (GuestReply(answers={"q9": 1}), ASKED, "form.answers.q9"),
        (GuestReply(answers={"q1": 6}), ASKED, "form.answers.q1"),
        (GuestReply(answers={"q1": True}), ASKED, "form.answers.q1"),
        (GuestReply(answers={"q2": ["a"]}), ASKED, "form.answers.q2"),
        (GuestReply(answers={"q3": "a"}), ASKED, "form.answers.q3"),
        (GuestReply(answers={"q3": [["a"]]}), ASKED, "form.answers.q3"),
        (GuestReply(answers={"q4": 5}), ASKED, "form.answers.q4"),
    ],
)
def test_what_no_phone_could_send_is_refused(
    reply: GuestReply, content: Content | None, field: str | None
) -> None:
    with pytest.raises(ApiError) as refusal:
        write_reply(reply, GUEST, content)
    assert (refusal.value.code, refusal.value.field) == (Code.VALIDATION_ERROR, field)


def test_the_phone_shows_types_it_does_not_know_by_name() -> None:
    raw = {"from": "1", "id": "wamid.r", "timestamp": "1", "type": "reaction"}
    view = show_inbound(json.dumps({**raw, "reaction": {"emoji": "👍"}}), at=NOON)
    assert (view["type"], view["text"], view["media"]) == ("reaction", None, None)
    assert show_inbound(json.dumps({**raw, "type": "unsupported"}), at=NOON)["text"] is None
