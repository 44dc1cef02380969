"""What the reader outside is asked, what it says, and what becomes of that. Pure."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta


class Opinion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The one form of answer that counts; anything else is no opinion."""

    answer: Literal["yes", "no", "unclear"]
    guests: Annotated[int, Meta(ge=1, le=99)] | None
    confidence: Annotated[float, Meta(ge=0, le=1)]


class Asked(msgspec.Struct, frozen=True):
    """The payload of a job: which reply it is about. Its words stay with the invitation, where they
    are erased with the guest's other data."""

    reply_id: str  # the platform's
    at: datetime  # when the guest wrote it, by the account's clock
    since: datetime  # real time: from then on the guest waits


class Outcome(StrEnum):
    """What became of a reply that might be asked about; also the label of the metric."""

    ASKED = "asked"  # counted with one of the next three
    USED = "used"
    UNUSED = "unused"  # unclear, unsure, or overtaken by the guest or a person
    FAILED = "failed"  # no answer in time, or not in the form that was asked for
    BUDGET = "budget"
    BREAKER = "breaker"
    LATE = "late"  # it waited for its turn too long
    WITHDRAWN = "withdrawn"  # answered, erased or switched off before it was asked
