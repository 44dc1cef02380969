"""Which number an accepted message is sent from: conversations, passcodes, an event's default."""

from typing import Any

import pytest

from tests.rules.test_acceptance import (
    FIRST,
    GUEST,
    HELLO,
    HOUR,
    NOON,
    OUT,
    PLAIN,
    accept,
    known,
    refusal,
    wanted,
)
from tests.rules.test_message_numbers import NUMBERS, inputs
from tests.support.accounts import OURS
from tidings.features.events.model import Defaults, Event, Settings, Texts
from tidings.features.events.rules import invitation_end
from tidings.features.messages.accept.decide import Decision
from tidings.features.messages.model import MessageKind, TemplateRequest
from tidings.features.recipients.contacts import Contact
from tidings.features.templates import model as templates
from tidings.platforms.content import Passcode, Text

OTP = templates.Template("code", "en", "AUTHENTICATION", "APPROVED", body="{{1}} is your code.")


def test_free_text_alone_goes_from_the_number_in_conversation() -> None:
    found = known(Contact(FIRST, last_inbound={NUMBERS[2]: NOON - HOUR}))
    decision = accept(wanted(free=HELLO, template=None), found)
    assert decision.message.number == NUMBERS[2]


@pytest.mark.parametrize(
    ("template", "fallback", "goes"),
    [(PLAIN, None, True), (None, HELLO, True), (PLAIN, HELLO, True), (None, None, False)],
)
def test_only_free_text_alone_waits_for_the_number_in_conversation(
    template: TemplateRequest | None, fallback: Text | None, goes: bool
) -> None:
    """Where a template or a form's own stands by, another number sends that."""
    person = Contact(None, last_inbound={NUMBERS[2]: NOON - HOUR})
    found = inputs({(OURS, GUEST): person}, frozenset({NUMBERS[2]}))
    decision = accept(wanted(free=HELLO, template=template, fallback=fallback), found)
    assert (decision.number is not None) is goes
    assert (decision.message.number != NUMBERS[2]) is goes


def test_who_is_in_conversation_with_another_number_hears_from_that_one() -> None:
    found = known(Contact(FIRST, last_inbound={NUMBERS[2]: NOON - HOUR}))
    assert accept(wanted(), found).message.number == NUMBERS[2]


# Passcodes


def test_a_passcode_goes_to_who_has_opted_out_and_never_waits_as_text() -> None:
    found = known(Contact(FIRST, **OUT), otp_template="code")
    found.templates[OURS]["code"] = [OTP]
    decision = accept(wanted(kind=MessageKind.PASSCODE, template=None), found)
    assert decision.content == Passcode("code", "en")
    assert (decision.message.error, decision.message.fallback_used) == (None, False)


def test_a_passcode_waits_for_no_number_in_particular() -> None:
    person = Contact(None, last_inbound={NUMBERS[2]: NOON - HOUR})
    found = inputs({(OURS, GUEST): person}, frozenset({NUMBERS[2]}))
    found.templates[OURS]["code"] = [OTP]
    assert accept(wanted(kind=MessageKind.PASSCODE, template=None), found).number is not None


# Events


def invited(number: str | None, person: Contact | None = None, **fields: Any) -> Decision:
    """A message of an event whose default `sentFrom` is this number."""
    found = known(person)
    defaults = Defaults(sent_from=number)
    settings = Settings(NOON + 9 * HOUR, "https://example.com/", Texts("?", "?", "?"), defaults)
    found.events = {(OURS, "wedding"): Event(OURS, "wedding", settings, NOON, NOON)}
    return accept(wanted(event_id="wedding", **fields), found)


def test_an_event_names_the_number_of_its_messages() -> None:
    assert invited(NUMBERS[1]).message.requested_number == NUMBERS[1]
    assert invited(None).message.requested_number is None


@pytest.mark.parametrize(
    ("number", "person"),
    [
        ("972555999999", None),  # no number of the account any more
        (NUMBERS[1], Contact(NUMBERS[2])),  # the guest has a chat with another one
    ],
)
def test_a_number_that_is_gone_or_has_no_chat_is_not_asked_for(
    number: str, person: Contact | None
) -> None:
    assert invited(number, person).message.requested_number is None


def test_what_the_message_asks_for_comes_first() -> None:
    assert invited(NUMBERS[1], sent_from=NUMBERS[2]).message.requested_number == NUMBERS[2]


def test_an_invitation_needs_an_event_that_has_not_begun() -> None:
    found = known()
    settings = Settings(NOON, "https://example.com/", Texts("?", "?", "?"), Defaults())
    found.events = {(OURS, "wedding"): Event(OURS, "wedding", settings, NOON, NOON)}
    asked = wanted(event_id="wedding", kind=MessageKind.INVITATION)
    assert refusal(asked, found, invitation_end(found.events[OURS, "wedding"])).field == "eventId"
