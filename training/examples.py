"""The labelled replies and turns of conversations that the learned reader is trained on.

Authors held out, and the half held out of the older files, are never loaded here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from tests.support import authors, replies
from tidings.features.replies.reading.headcount import propose_first
from tidings.features.replies.reading.heard import Heard
from tidings.features.replies.reading.learned.weights import HERE

from .hearing import heard

OLDER = "older"  # the author of the older files
TURN = "turn"  # of a conversation


@dataclass(frozen=True)
class Example:
    text: str
    author: str
    context: str  # invitation, confirm, after-yes, after-no
    answer: str | None  # what is known of the guest after it
    kind: str  # the protocol's category of a reply, or TURN

    @property
    def heard(self) -> Heard:
        return heard(self.text)

    def teaches(self, head: str) -> bool:
        """After a yes, what leaves it standing is no second yes; likewise after a no."""
        return self.context != f"after-{head}"


def load() -> list[Example]:
    return list(_load())


def _load() -> Iterator[Example]:
    for language in authors.LANGUAGES:
        for author in authors.TUNING:
            for reply in authors.replies(language, [author]):
                yield Example(reply.text, author, HERE, reply.answer, reply.category)
            for conversation in authors.conversations(language, [author]):
                yield from _turns(conversation, author)
    older = [one for name in replies.FILES for one in replies.load_tuning(name)]
    for each in [*older, *replies.load_later()]:
        yield Example(each.text, OLDER, HERE, each.answer, OLDER)


def _turns(conversation: authors.Conversation, author: str) -> Iterator[Example]:
    before: str | None = None
    for turn in conversation.turns:
        context = HERE if before is None else f"after-{before}"
        if before is None and turn.asked == "confirm":
            context = "confirm"
        yield Example(turn.text, author, context, turn.answer, TURN)
        before = turn.answer


CHECKED_EVERY = 50


def checksum(examples: Sequence[Example]) -> str:
    """Of what is trained on: every label, and the features and the head counts proposed of some of
    the texts."""
    found = crc32(b"")
    for index, each in enumerate(examples):
        label = f"{each.text}\t{each.context}\t{each.answer}"
        found = crc32(label.encode(), found)
        if index % CHECKED_EVERY == 0:
            found = crc32(repr(sorted(each.heard.features)).encode(), found)
            proposed = [sorted(one) for one in propose_first(each.heard).values()]
            found = crc32(repr(proposed).encode(), found)
    return f"{found:08x}"
