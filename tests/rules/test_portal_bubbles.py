"""Messages, templates and forms as bubbles on a phone."""

from datetime import UTC, datetime

import pytest

from tidings.features.feedback.model import Form as FeedbackForm
from tidings.features.messages.model import Message, Status
from tidings.features.templates.model import Template, TemplateButton
from tidings.ids import new_id
from tidings.platforms.content import Button, MediaRef, Passcode, Question, Rich, Text
from tidings.platforms.sandbox.phone import DOTS
from tidings.portal import bubbles

AT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


def message(status: Status) -> Message:
    return Message(
        new_id(), new_id(), "order-1", "notification", "972501234567", status, AT, AT, sent_at=AT
    )


@pytest.mark.parametrize(
    ("status", "tick"),
    [
        (Status.QUEUED, ""),
        (Status.SENT, "sent"),
        (Status.DELIVERED, "delivered"),
        (Status.READ, "read"),
        (Status.FAILED, "failed"),
        (Status.EXPIRED, "failed"),
    ],
)
def test_a_message_shows_how_far_it_came(status: Status, tick: str) -> None:
    shown = bubbles.of_message(message(status), Text("*Hello*"))
    assert (shown.tick, shown.body, shown.is_ours) == (tick, "<strong>Hello</strong>", True)


def test_a_passcode_is_shown_as_dots() -> None:
    shown = bubbles.of_message(message(Status.SENT), Passcode("code", "en", code="123456"))
    assert DOTS in shown.body
    assert "123456" not in repr(shown)


def test_a_rich_message_shows_its_picture_and_buttons() -> None:
    content = Rich(
        "Come!",
        (Button("reply", "Yes", "yes-1"),),
        footer="RSVP",
        image=MediaRef("med_1", "image/png"),
    )
    shown = bubbles.of_message(message(Status.READ), content)
    assert (shown.has_picture, shown.picture) == (True, "/portal/media/med_1")
    assert [(one.text, one.payload) for one in shown.buttons] == [("Yes", "yes-1")]
    assert shown.footer == "RSVP"


def test_a_template_is_shown_with_sample_values_and_its_missing_ones_by_number() -> None:
    template = Template(
        "invite",
        "en",
        "UTILITY",
        "PENDING",
        header="IMAGE",
        body="Hi {{1}}, join us on {{2}}?",
        buttons=(TemplateButton("QUICK_REPLY", "Yes"),),
    )
    shown = bubbles.of_template(template, ["Dana", "Sunday", "too many"])
    assert shown.body == "Hi Dana, join us on Sunday?"
    assert shown.has_picture and not shown.picture
    assert bubbles.of_template(template, ["Dana"]).body == "Hi Dana, join us on {{2}}?"


def test_a_form_is_shown_with_the_button_that_opens_it() -> None:
    form = FeedbackForm("Your stay", (Question("q1", "rating", "How was it?"),), language="he")
    shown = bubbles.of_form(form)
    assert (shown.body, [one.text for one in shown.buttons]) == ("Your stay", ["למשוב"])
