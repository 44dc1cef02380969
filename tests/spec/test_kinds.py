"""Section 6.2 of the specification, compared with the kinds that webhooks may have."""

from tests.spec.tables import table
from tidings.features.webhooks.kinds import KINDS

EVENTS = table("events")


def test_the_event_kinds_are_the_specifications() -> None:
    stated = [kind for row in EVENTS["event"] for kind in row["kinds"]]
    assert len(stated) == 15 == len(set(stated))
    assert frozenset(stated) == KINDS
