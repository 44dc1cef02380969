"""How many guests a reply speaks of. Pure.

A number counts guests only where the words around it say so: "we'll be 4", "2 adults and 1 child",
"me and my wife", "+1", or beside the answer itself ("yes, 3"). Times, dates, telephone and house
numbers never do; nor do "4 or 5".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from . import lexicon as look_up
from .lexicon import Lexicon
from .table import Part, Role
from .tagged import Tagged
from .tokens import Kind, Token

GUESTS_MAX = 99


class Ground(IntEnum):
    """Why a number is taken for the guests; the greater one wins."""

    NONE = 0
    ALONE = 1  # a number and nothing else
    BESIDE = 2  # next to the answer: yes, 3
    PARTY = 3  # both of us
    ADDED = 4  # me and my wife, 2 adults and 1 child
    TOTAL = 5  # we will be 4


@dataclass(frozen=True, slots=True)
class Count:
    guests: int | None
    ground: Ground


NOBODY = Count(None, Ground.NONE)
