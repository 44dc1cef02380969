"""An event has one answer a guest, the last one (contract2.md, section B): any order of replies."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tidings.features.events import invitation_states
from tidings.features.events.invitation_states import ReplyEvent
from tidings.features.events.model import Invitation
from tidings.features.messages.model import Message, Status
from tidings.features.replies import rules
from tidings.features.replies.model import About, Candidate, How, Slot

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ACCOUNT = UUID(int=1)
GUEST = "972501234567"
EVENTS = ("wedding", "party", None)


def candidate(place: int, event_id: str | None, sent: int, ends: int) -> Candidate:
    message = Message(
        account_id=ACCOUNT, id=UUID(int=place), client_message_id=f"invite-{place:04}",
        kind="invitation", recipient=GUEST, status=Status.DELIVERED, created_at=NOON,
        times_out_at=NOON, sent_at=NOON + sent * MINUTE, event_id=event_id,
    )  # fmt: skip
    end = NOON + ends * MINUTE
    return Candidate(Invitation(ACCOUNT, message.id, GUEST, end, event_id), message)


@dataclass
class Guest:
    """What one guest was invited to, and has answered, by the event."""

    candidates: list[Candidate]
    answers: dict[object, tuple[datetime, str]] = field(default_factory=dict)

    def event_of(self, one: Candidate) -> object:
        return one.invitation.event_id or one.message.id

    def write(self, answer: str, at: datetime, pressed: int | None) -> None:
        about = None
        if pressed is not None:
            meant = self.candidates[pressed % len(self.candidates)]
            about = About(meant.message, How.BUTTON)
        expected = self._expected(at) if about is None else meant
        found, slot = rules.choose(self.candidates, about, at)
        assert found is expected
        if found is None:
            return
        assert (slot is Slot.BUTTON) == (about is not None)
        verdict = invitation_states.replied(found.invitation, answer, None, at, at)
        if verdict.event in (ReplyEvent.CONFIRMED, ReplyEvent.DECLINED):
            invitation_states.share(found.invitation, [each.invitation for each in self.candidates])
            self.answers[self.event_of(found)] = (at, answer)

    def _expected(self, at: datetime) -> Candidate | None:
        """The contract, word for word."""

        def newest(among: list[Candidate]) -> Candidate | None:
            return max(among, key=lambda one: (one.message.sent_at, one.message.id), default=None)

        sent = [one for one in self.candidates if self._sent_at(one) <= at]
        open_ = [one for one in sent if at < one.invitation.expires_at]
        unanswered = [one for one in open_ if self.event_of(one) not in self.answers]
        return newest(unanswered) or newest(open_) or newest(sent)

    def _sent_at(self, one: Candidate) -> datetime:
        assert one.message.sent_at is not None
        return one.message.sent_at


# Sent at whole tens of minutes and answered in between, so that clocks that differ by a little
# (limits.CLOCK_SKEW_MAX) make no difference here.
invited = st.lists(
    st.tuples(st.sampled_from(EVENTS), st.integers(0, 12), st.integers(1, 30)),
    min_size=1,
    max_size=6,
)
replies = st.lists(
    st.tuples(st.sampled_from(["yes", "no"]), st.integers(0, 30), st.none() | st.integers(0, 5)),
    max_size=10,
)


@given(invited, replies)
def test_an_event_has_the_guests_last_answer_on_all_its_invitations(
    invited: list[tuple[str | None, int, int]], replies: list[tuple[str, int, int | None]]
) -> None:
    guest = Guest(
        [
            candidate(place, event_id, sent * 10, ends * 10)
            for place, (event_id, sent, ends) in enumerate(invited, start=1)
        ]
    )
    for answer, minute, pressed in sorted(replies, key=lambda reply: reply[1]):
        guest.write(answer, NOON + (minute * 10 + 5) * MINUTE, pressed)
    for one in guest.candidates:
        given_at, answer = guest.answers.get(guest.event_of(one), (None, None))
        assert (one.invitation.answered_at, one.invitation.answer) == (given_at, answer)


def test_other_guests_and_other_events_keep_their_own_answer() -> None:
    mine = candidate(1, "wedding", 0, 60).invitation
    invitation_states.replied(mine, "yes", 4, NOON, NOON)
    mine.confidence = 0.75
    same = candidate(2, "wedding", 0, 60).invitation
    same.late = True
    others = [candidate(3, "party", 0, 60).invitation, candidate(4, None, 0, 60).invitation]
    friend = candidate(5, "wedding", 0, 60).invitation
    friend.phone = "972501234568"
    assert invitation_states.share(mine, [mine, same, *others, friend]) == [same]
    assert (same.answer, same.guests, same.answered_at) == ("yes", 4, NOON)
    assert (same.confidence, same.late) == (0.75, False)
    assert [one.answer for one in (*others, friend)] == [None] * 3


def test_without_an_event_nothing_is_shared() -> None:
    mine, other = (candidate(place, None, 0, 60).invitation for place in (1, 2))
    invitation_states.replied(mine, "yes", None, NOON, NOON)
    assert invitation_states.share(mine, [mine, other]) == []


def test_a_late_reply_counts_until_the_next_answer() -> None:
    one = candidate(1, "wedding", 0, 60).invitation
    late = NOON + 61 * MINUTE
    invitation_states.replied(one, "yes", None, late, late)
    assert one.late
    invitation_states.replied(one, "no", None, NOON, late)  # written in time, heard late
    assert (one.answer, one.late) == ("no", False)


def test_a_guest_who_changes_the_party_too_late_hears_so() -> None:
    one = candidate(1, "wedding", 0, 60).invitation
    invitation_states.replied(one, "yes", 2, NOON, NOON)
    late = NOON + 61 * MINUTE
    assert invitation_states.replied(one, "yes", 2, late, late).text is None, "it stands anyway"
    assert (
        invitation_states.replied(one, "yes", 3, late, late).text
        is invitation_states.Prompt.EXPIRED
    )
    assert one.guests == 2
