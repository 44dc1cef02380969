"""Which invitation a reply is about, and what it says, as pure rules (contract.md, "Replies")."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.names import named
from tidings.features.events.model import Invitation
from tidings.features.messages.model import Message, MessageKind, Status
from tidings.features.replies import rules
from tidings.features.replies.model import About, Candidate, How, Slot
from tidings.features.replies.reading.reader import PRECISION, UNKNOWN, Previous, Reading
from tidings.platforms.port import InboundMessage

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
ACCOUNT = UUID(int=1)


def message(place: int, kind: str = "invitation", **fields: Any) -> Message:
    usual = {
        "client_message_id": f"invite-{place:04}", "status": Status.DELIVERED,
        "sent_at": NOON + place * HOUR, "event_id": "wedding",
    }  # fmt: skip
    return Message(
        account_id=ACCOUNT, id=UUID(int=place), kind=kind, recipient="972501234567",
        created_at=NOON, times_out_at=NOON, **usual | fields,
    )  # fmt: skip


def candidate(place: int, *, ends: int = 10, answer: str | None = None, **fields: Any) -> Candidate:
    """The invitation that was sent at hour `place`, and ends at hour `ends`."""
    sent = message(place, **fields)
    invitation = Invitation(
        ACCOUNT, sent.id, sent.recipient, NOON + ends * HOUR, sent.event_id, answer=answer
    )
    return Candidate(invitation, sent)


def chosen(
    candidates: list[Candidate], about: About | None = None, at: datetime = NOON + 5 * HOUR
) -> tuple[int | None, Slot]:
    found, slot = rules.choose(candidates, about, at)
    return (None if found is None else found.message.id.int), slot


WORDS: list[tuple[list[Candidate], tuple[int | None, Slot]]] = [
    ([], (None, Slot.NONE)),
    ([candidate(1)], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2)], (2, Slot.LATEST_OPEN)),
    ([candidate(2), candidate(1)], (2, Slot.LATEST_OPEN)),
    # an event that the guest has answered asks nothing any more, whichever invitation it was
    ([candidate(1), candidate(2, answer="yes", event_id="party")], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2, answer="yes")], (2, Slot.LATEST_OPEN)),
    ([candidate(1, answer="yes"), candidate(2)], (2, Slot.LATEST_OPEN)),
    ([candidate(1, answer="yes", ends=3), candidate(2)], (2, Slot.ONLY_OPEN)),
    (
        [candidate(1, event_id="party"), candidate(2, answer="yes"), candidate(3)],
        (1, Slot.ONLY_OPEN),
    ),
    # without an event each is one of its own
    ([candidate(1, answer="yes", event_id=None), candidate(2, event_id=None)], (2, Slot.ONLY_OPEN)),
    ([candidate(1, event_id=None), candidate(2, answer="yes", event_id=None)], (1, Slot.ONLY_OPEN)),
    # a changed mind: the newest answered by sending time, if it has not ended
    ([candidate(1, answer="no"), candidate(2, answer="yes")], (2, Slot.LATEST_OPEN)),
    ([candidate(2, answer="no"), candidate(1, answer="yes")], (2, Slot.LATEST_OPEN)),
    (
        [candidate(1, answer="no", event_id="party"), candidate(2, answer="yes", ends=4)],
        (1, Slot.ONLY_OPEN),
    ),
    ([candidate(1, answer="no")], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2, ends=4)], (1, Slot.ONLY_OPEN)),
    ([candidate(1, ends=3), candidate(2, ends=4)], (2, Slot.LATEST_OPEN)),
    ([candidate(1, ends=5)], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2, status=Status.SCHEDULED)], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2, status=Status.QUEUED)], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2, status=Status.FAILED)], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(2, status=Status.CANCELLED)], (1, Slot.ONLY_OPEN)),
    ([candidate(1, status=Status.EXPIRED)], (None, Slot.NONE)),
    ([candidate(1, status=Status.SENDING, sent_at=None)], (1, Slot.ONLY_OPEN)),
    ([candidate(1), candidate(6)], (1, Slot.ONLY_OPEN)),  # sent after the guest wrote
    ([candidate(1), candidate(5, sent_at=NOON + 5 * HOUR + SECOND)], (5, Slot.LATEST_OPEN)),
]


@pytest.mark.parametrize("case", WORDS, ids=named)
def test_words_alone(case: tuple[list[Candidate], tuple[int | None, Slot]]) -> None:
    candidates, expected = case
    assert chosen(candidates) == expected


@pytest.mark.parametrize(("how", "slot"), [(How.BUTTON, Slot.BUTTON), (How.QUOTED, Slot.QUOTED)])
@pytest.mark.parametrize("status", [Status.DELIVERED, Status.FAILED, Status.SENDING])
def test_what_is_pressed_or_quoted_is_meant(how: How, slot: Slot, status: Status) -> None:
    meant = candidate(1, ends=2, answer="yes", status=status)
    assert chosen([meant, candidate(2)], About(meant.message, how)) == (1, slot)


def test_a_text_of_ours_stands_for_its_invitation() -> None:
    first, second = candidate(1), candidate(2)
    ours = message(
        9, MessageKind.PROMPT, client_message_id=rules.prompt_id(first.message.id, "nudge")
    )
    assert chosen([first, second], About(ours, How.QUOTED)) == (1, Slot.QUOTED)
    forged = message(
        9, MessageKind.NOTIFICATION, client_message_id=ours.client_message_id, event_id=None
    )
    assert chosen([first, second], About(forged, How.QUOTED)) == (None, Slot.NONE)


@pytest.mark.parametrize("how", How)
def test_another_message_is_about_the_invitations_of_its_event_or_none(how: How) -> None:
    wedding, party = candidate(1), candidate(2, event_id="party")
    reminder = message(9, MessageKind.NOTIFICATION)
    assert chosen([wedding, party], About(reminder, how)) == (1, Slot.ONLY_OPEN)
    stray = message(9, MessageKind.NOTIFICATION, event_id=None)
    assert chosen([wedding, party, candidate(3, event_id=None)], About(stray, how)) == (
        None, Slot.NONE,
    )  # fmt: skip


# What it says


def inbound(text: str | None, payload: str | None = None, type_: str = "text") -> InboundMessage:
    return InboundMessage("wamid.1", "9725", "9725", NOON, type_, b"{}", text=text, payload=payload)


def understood(spoken: rules.Spoken, previous: Previous = UNKNOWN) -> Reading:
    return rules.understand(spoken, previous, "invitation", PRECISION)


YES, NO = Reading("yes", None, 1.0, leaning="yes"), Reading("no", None, 1.0, leaning="no")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (inbound("Yes", "invite-0001"), YES),
        (inbound("No", "invite-0001"), NO),
        (inbound("I shall see", "confirm_yes"), YES),
        (inbound("No", "confirm_yes"), YES),  # the payload comes first
        (inbound("Yes", "decline"), NO),
        (inbound("No", "yes_or_no"), NO),
        (inbound("Perhaps", "invite-0001"), rules.SILENT),
        (inbound(None, "no"), NO),
        (inbound(None), rules.SILENT),
        (inbound(""), rules.SILENT),
    ],
    ids=named,
)
def test_buttons_and_silence(item: InboundMessage, expected: Reading) -> None:
    assert understood(rules.hear_reply(item)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("No", NO), ("Yes", YES), ("Hm", rules.SILENT)],
    ids=named,
)
def test_the_default_payload_which_all_buttons_share_says_nothing(
    text: str, expected: Reading
) -> None:
    pressed = message(1, client_message_id="invite yes 0001")
    item = inbound(text, pressed.client_message_id)
    assert understood(rules.hear_reply(item, About(pressed, How.BUTTON))) == expected
    assert understood(rules.hear_reply(item)).answer == "yes", "where it is nobody's id"


def test_a_number_alone_counts_where_a_yes_stands() -> None:
    alone, refused = rules.hear_reply(inbound("4")), rules.hear_reply(inbound("no"))
    assert understood(alone, Previous("yes", 2)) == Reading("yes", 4, 0.95, 2, "yes")
    for answer in (None, "no"):
        reading = understood(alone, Previous(answer))
        assert (reading.answer, reading.guests) == (None, 4)
    assert understood(refused, Previous("yes", 2)).answer == "no"


@pytest.mark.parametrize(
    ("kind", "speaks"),
    [("text", True), ("button", True), ("interactive", True), ("image", True), ("audio", True),
     ("reaction", False), ("edit", False), ("system", False), ("location", False), ("x", False)],
)  # fmt: skip
def test_what_can_be_an_answer(kind: str, speaks: bool) -> None:
    assert rules.speaks(inbound("yes", type_=kind)) is speaks
