"""What the learned reader looks at: numbered features of a reply, as the trainer sees it too. Pure.

Pieces of words carry what no table lists (endings, typing errors, dialects), words and their
neighbours carry idiom, the roles that the tables found make what is learnt of one language useful
in another, and the verdict of the rules tells where they are to be trusted. Each feature is a
number below BUCKETS by a checksum of it: two that share a number are rare and learnt together.
"""

from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

from ..tagged import Tagged
from ..tokens import Clause, Kind
from ..verdict import Verdict

BUCKETS = 1 << 20
HEAD_CHARS, TAIL_CHARS = 240, 160  # of a long reply its beginning and its end
CHARS_MIN, CHARS_MAX = 2, 5
WORDS_MAX, ROLES_MAX = 3, 4
LEVELS = 10  # of the rules' confidence

_KINDS = {
    Kind.NUMBER: "#",
    Kind.MOMENT: "@",
    Kind.RANGE: "#-#",
    Kind.OPAQUE: "@@",
}


def features_of(
    text: str, clauses: Sequence[Clause], pieces: Sequence[Tagged], verdict: Verdict
) -> frozenset[int]:
    """`text` is normalised; the rest is what the rules made of it."""
    found = {_number(each) for each in _of_chars(text)}
    found |= {_number(each) for each in _of_words(_words(clauses))}
    found |= {_number(each) for each in _of_roles(_roles(pieces))}
    found.add(_number(f"v:{verdict.yes}:{int(verdict.confidence * LEVELS)}"))
    return frozenset(found)


def features_of_words(words: Sequence[str]) -> list[int]:
    """Those of a few words by themselves."""
    features = {*_of_chars(" ".join(words)), *_of_words(words)}
    return [_number(each) for each in features]


def in_context(features: Iterable[int], context: str) -> list[int]:
    """The same features with the context in which the guest wrote them."""
    salt = crc32(context.encode())
    return [((each * 2654435761) ^ salt) % BUCKETS for each in features]


def _number(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


def _of_chars(text: str) -> Iterator[str]:
    for part in _shortened(f" {text} "):
        for start in range(len(part)):
            for size in range(CHARS_MIN, CHARS_MAX + 1):
                if start + size <= len(part):
                    yield part[start : start + size]


def _shortened(text: str) -> tuple[str, ...]:
    if len(text) <= HEAD_CHARS + TAIL_CHARS:
        return (text,)
    return text[:HEAD_CHARS], text[-TAIL_CHARS:]


def _words(clauses: Sequence[Clause]) -> list[str]:
    words = ["^"]
    for clause in clauses:
        words += [_KINDS.get(token.kind, token.text) for token in clause.tokens]
        words.append(clause.ends[:1] or "$")
    return words


def _of_words(words: Sequence[str]) -> Iterator[str]:
    for size in range(1, WORDS_MAX + 1):
        for start in range(len(words) - size + 1):
            yield "w:" + " ".join(words[start : start + size])


def _roles(pieces: Sequence[Tagged]) -> list[str]:
    roles = ["^"]
    for piece in pieces:
        roles += [item.role.value if item.role else "?" for item in piece.items]
        roles.append("ask" if piece.is_asked else "|")
    return roles


def _of_roles(roles: Sequence[str]) -> Iterator[str]:
    for size in range(1, ROLES_MAX + 1):
        for start in range(len(roles) - size + 1):
            yield "r:" + " ".join(roles[start : start + size])
