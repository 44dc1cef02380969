"""Why a reply was read as it was: the guest's words that were the evidence. Pure.

    reasons("sorry, can't make it")    ("can't make it",)
    reasons("yes! we'll be 4")         ("yes", "we'll be 4")

Nothing is recorded while a reply is read. The shortest words that by themselves say what the whole
reply says are looked for afterwards, by the same rules or the same weights, when a page shows the
reply.
"""

from collections.abc import Sequence

from .evidence import Placed, Span, find_answer, find_number, place
from .heard import hear
from .learned.weights import load
from .learned.words import find_words
from .normalise import normalise
from .reader import read_heard
from .tokens import Clause
from .typed import Typed

REASONS_MAX = 3


def reasons(text: str) -> tuple[str, ...]:
    """At most REASONS_MAX phrases for the likelier answer, the last for the number of guests."""
    heard = hear(text)
    leaning = read_heard(heard).leaning
    if leaning is None:
        return ()
    words = [token.text for clause in heard.parts for token in clause.tokens]
    if heard.verdict.yes is (leaning == "yes"):
        spans = _choose(place(heard.parts), yes=leaning == "yes")
    else:
        spans = _learned(heard.parts, yes=leaning == "yes")
    spans = spans or [Span(0, len(words))]
    return _phrases(Typed(text), [words[span.start : span.end] for span in spans])


def _learned(parts: Sequence[Clause], *, yes: bool) -> list[Span]:
    """Where the rules do not lean this way: the words whose weights do."""
    found = find_words(parts, load(), yes=yes)
    return [] if found is None else [Span(*found)]


def _choose(placed: list[Placed], *, yes: bool) -> list[Span]:
    """In the order of the reply; words that overlap are one reason."""
    answer = find_answer(placed, yes=yes)
    number = find_number(placed) if yes or not answer else None
    if number is None:
        return sorted(answer[:REASONS_MAX])
    apart = [span for span in answer if not span.overlaps(number)]
    over = [span for span in answer if span.overlaps(number)]
    return [*sorted(apart[: REASONS_MAX - 1]), number.over(over)]


def _phrases(typed: Typed, chosen: list[list[str]]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for words in chosen:
        phrase = typed.find(words)
        if phrase:
            found.setdefault(normalise(phrase), phrase)
    return tuple(found.values())
