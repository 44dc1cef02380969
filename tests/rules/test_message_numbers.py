"""A guest keeps its number within one batch as from one request to the next."""

from datetime import UTC, datetime
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tests.support.accounts import OURS, account
from tidings.features.billing.charging.charge import Funding
from tidings.features.messages.accept.decide import Decision, decide_and_reserve
from tidings.features.messages.accept.inputs import AcceptanceInputs
from tidings.features.messages.model import MessageRequest, TemplateRequest
from tidings.features.recipients.contacts import Contact, Key
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.model import Number
from tidings.features.senders.rate_limiter import RateLimiter
from tidings.features.templates.model import Template

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
NUMBERS = ("972555000001", "972555000002", "972555000003")
GUESTS = ("972501234567", "972507654321")
PLAIN = Template("plain", "en", "UTILITY", "APPROVED", body="Good morning")


class Asked(NamedTuple):
    """One message; the wish is a number and how much it is insisted upon."""

    guest: str
    wish: tuple[str | None, str | None] = (None, None)

    @property
    def can_send_now(self) -> bool:
        """Of a wish."""
        return self.wish[0] is None or self.wish[1] == "auto"


def number(digits: str, place: int, status: str) -> Number:
    return Number(
        number=digits, position=place, display_name="", phone_number_id=None, waba_id=None,
        portfolio_id=None, access_token=None, per_second=10, daily_limit=None, status=status,
        quality="GREEN",
    )  # fmt: skip


def inputs(people: dict[Key, Contact], down: frozenset[str] = frozenset()) -> AcceptanceInputs:
    numbers = [
        number(digits, place, "RESTRICTED" if digits in down else "CONNECTED")
        for place, digits in enumerate(NUMBERS)
    ]
    return AcceptanceInputs(
        accounts={OURS: account()},
        originals={},
        people=people,
        numbers={OURS: numbers},
        templates={OURS: {"plain": [PLAIN]}},
        capacity=Capacity({(OURS, digits): RateLimiter(10) for digits in NUMBERS}, {}, {}, {}),
        funding=Funding(),
        public_url="",
        events={},
        files=frozenset(),
        used_ids=frozenset(),
        clocks={},
    )


def decide_all(asked: list[Asked], known: AcceptanceInputs) -> list[Decision]:
    found = []
    for place, (guest, (sent_from, policy)) in enumerate(asked):
        request = MessageRequest(
            OURS, f"order-{place:04}", guest, template=TemplateRequest("plain"),
            sent_from=sent_from, from_policy=policy,
        )  # fmt: skip
        decision = decide_and_reserve(request, known, NOON)
        assert isinstance(decision, Decision)
        found.append(decision)
    return found


def numbers_of(asked: list[Asked], known: AcceptanceInputs) -> list[str | None]:
    """The number that each of them is sent from, or waits for."""
    return [decision.message.number for decision in decide_all(asked, known)]


def singly(asked: list[Asked], known: AcceptanceInputs) -> list[str | None]:
    """The same, each in a transaction of its own: only what was written is known to the next."""
    found: list[str | None] = []
    people: dict[Key, Contact] = {}
    for one in asked:
        known.people = {key: Contact(person.number) for key, person in people.items()}
        known.originals = {}
        (decision,) = decide_all([one], known)
        found.append(decision.message.number)
        if decision.reserved.contact is not None:
            owner, phone, number = decision.reserved.contact
            people[owner, phone] = Contact(number)
    return found


ASKED = st.builds(
    Asked,
    st.sampled_from(GUESTS),
    st.one_of(
        st.just((None, None)),
        st.tuples(st.sampled_from(NUMBERS), st.sampled_from((None, "prefer", "strict", "auto"))),
    ),
)


@given(asked=st.lists(ASKED, max_size=12), down=st.frozensets(st.sampled_from(NUMBERS)))
def test_together_they_go_as_they_would_one_after_another(
    asked: list[Asked], down: frozenset[str]
) -> None:
    assert numbers_of(asked, inputs({}, down)) == singly(asked, inputs({}, down))


@given(asked=st.lists(ASKED, max_size=12), down=st.frozensets(st.sampled_from(NUMBERS)))
def test_without_a_wish_a_guest_stays_with_its_first_number_while_that_can_send(
    asked: list[Asked], down: frozenset[str]
) -> None:
    first: dict[str, str | None] = {}
    for one, found in zip(asked, numbers_of(asked, inputs({}, down)), strict=True):
        kept = first.setdefault(one.guest, found)
        assert found == kept or not one.can_send_now or kept in down


@given(asked=st.lists(ASKED, max_size=12))
def test_a_new_guests_number_is_written_once_and_is_its_first(asked: list[Asked]) -> None:
    known = inputs({(OURS, GUESTS[0]): Contact()})
    first: dict[str, str | None] = {}
    decisions = decide_all(asked, known)
    for one, decision in zip(asked, decisions, strict=True):
        first.setdefault(one.guest, decision.message.number)
    reserved = [one.reserved for one in decisions if one.reserved.contact is not None]
    written = [(one.contact, one.is_new_contact) for one in reserved if one.contact is not None]
    assert {phone: given for (_, phone, given), _ in written} == first
    assert len(written) == len(first)
    known_without_number = {phone for (_, phone, _), is_new in written if not is_new}
    assert known_without_number <= {GUESTS[0]}


def test_new_guests_are_spread_over_the_numbers() -> None:
    guests = [Asked(guest) for guest in GUESTS]
    assert numbers_of(guests * 2, inputs({})) == [*NUMBERS[:2]] * 2
