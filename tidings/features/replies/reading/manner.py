"""Where a reply says how somebody comes: late, alone, before eight. Pure.

A negation of the manner is no refusal: we won't be late, I can't come alone.
"""

from collections.abc import Sequence

from .subject import VERBS
from .table import Role
from .tagged import Item


def is_how(item: Item) -> bool:
    """Whether it is a word of manner, as it was typed."""
    return item.role is Role.HOW and not item.guessed


def how_next(rest: Sequence[Item], item: Item) -> Item | None:
    """The manner that follows a verb, after verbs of coming and after what cannot be done."""
    rest = [one for one in rest if one.role not in VERBS and one.role is not Role.LIGHT]
    if item.role is Role.CAN and rest and rest[0].role in (None, Role.PLAIN):
        rest = rest[1:]
    return rest[0] if rest and is_how(rest[0]) else None


def how_before(items: Sequence[Item], negation: Item) -> Item | None:
    """The manner right before a negation: alone I won't come."""
    ahead = [one for one in items if one.start < negation.start and one.role is not Role.LIGHT]
    return ahead[-1] if ahead and is_how(ahead[-1]) else None
