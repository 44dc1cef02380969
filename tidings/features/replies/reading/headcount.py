"""How many come: the number that the rules count beside all others, by what was learned. Pure."""

from dataclasses import dataclass

from .changes import Change, find_change
from .counts import Ground
from .heard import Heard
from .learned.parties import Guests, Known, Proposed, propose
from .learned.seen import MOST
from .learned.weights import load
from .party import find_party

LIKELY = 0.5  # a number less likely than this is not said


@dataclass(frozen=True, slots=True)
class ChangeByRules:
    """`is_plain`: the whole reply says nothing else."""

    guests: Guests
    is_plain: bool = False


def count_guests(heard: Heard) -> Guests:
    """Of a guest who says yes."""
    guests = heard.count.guests or None
    if heard.small or heard.alone or heard.count.is_doubtful or (guests or 0) > MOST:
        return guests
    chosen, probability = load().choose(propose_first(heard), "guests")
    return chosen if probability >= LIKELY else None


def count_again(heard: Heard, before: Guests, by_rules: ChangeByRules | None) -> Guests:
    """Of a guest who said yes for so many before, and has not taken it back."""
    if heard.small or (by_rules is not None and (by_rules.guests or 0) > MOST):
        return before if by_rules is None else by_rules.guests
    chosen, probability = load().choose(propose_again(heard, before, by_rules), "change")
    return before if probability < LIKELY or heard.seen.denies(chosen) else chosen


def propose_first(heard: Heard) -> Proposed:
    return propose(heard.seen, heard.count)


def propose_again(heard: Heard, before: Guests, by_rules: ChangeByRules | None) -> Proposed:
    now = before if by_rules is None else by_rules.guests
    return propose(heard.seen, heard.count, Known(before, now, by_rules is not None))


def change_by_rules(heard: Heard, before: Guests) -> ChangeByRules | None:
    party = find_party(heard.parts)
    if party is None and heard.count.ground is Ground.ALONE:
        party = heard.count.guests or None
    if party is not None:
        return ChangeByRules(party, is_plain=True)
    found: Change | None = find_change(heard.parts, before)
    return None if found is None else ChangeByRules(found.guests)
