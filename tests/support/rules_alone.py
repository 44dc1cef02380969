"""A reply read by the rules alone, without what was learned beside them."""

from tidings.features.replies.reading.heard import hear
from tidings.features.replies.reading.judgement import Answer
from tidings.features.replies.reading.reader import Reading
from tidings.features.replies.reading.verdict import SURE_ENOUGH


def by_rules(text: str) -> Reading:
    heard = hear(text)
    verdict, guests = heard.verdict, heard.count.guests or None
    leaning: Answer | None = None if verdict.yes is None else "yes" if verdict.yes else "no"
    if leaning is None or verdict.confidence < SURE_ENOUGH:
        return Reading(None, None, verdict.confidence, leaning=leaning)
    guests = guests if leaning == "yes" else None
    return Reading(leaning, guests, verdict.confidence, leaning=leaning)


def head_count(text: str) -> int | None:
    """How many guests a reply means if it is a yes, whether or not its words say that it is."""
    return hear(text).count.guests or None
