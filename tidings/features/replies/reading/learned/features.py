"""What the learned reader looks at: numbered features of a reply, as the trainer sees it too. Pure.

Pieces of words carry what no table lists (endings, typing errors, dialects), words and their
neighbours carry idiom, the roles that the tables found make what is learnt of one language useful
in another, as do the meanings of words that no table needs to list for the rules, and the verdict
of the rules tells where they are to be trusted. Each feature is a
number below BUCKETS (`numbered`).
"""

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from zlib import crc32

from ..tagged import Tagged
from ..tokens import Clause, Kind
from ..verdict import Verdict
from .meanings import UNKNOWN, Meaning
from .meanings import load as load_meanings
from .numbered import BITS, number_of, runs, runs_of_words

BUCKETS = 1 << 21
HEAD_CHARS, TAIL_CHARS = 240, 160  # of a long reply its beginning and its end
CHARS_MIN, CHARS_MAX = 2, 5
WORDS_MAX, ROLES_MAX = 3, 4
LEVELS = 10  # of the rules' confidence
WITHIN = 4  # meanings, that belong together

_MASK = BUCKETS - 1
_DROPPED = BITS - BUCKETS.bit_length() + 1
_WORDS, _ROLES = map(number_of, ("words", "roles"))
_START: Meaning = (0,)
_ONE, _NEXT, _NEXT_KNOWN, _LATER, _THREE = (crc32(b"meanings" + bytes([at])) for at in range(5))

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
    found = _of_chars(text)
    found |= _of_row(_WORDS, _words(clauses), WORDS_MAX)
    found |= _of_row(_ROLES, _roles(pieces), ROLES_MAX)
    found |= _of_meanings(load_meanings().of_pieces(pieces))
    found.add(number_of(f"v:{verdict.yes}:{int(verdict.confidence * LEVELS)}") & _MASK)
    return frozenset(found)


def features_of_words(words: Sequence[str]) -> set[int]:
    """Those of a few words by themselves."""
    return _of_chars(" ".join(words)) | _of_row(_WORDS, words, WORDS_MAX)


def in_context(features: Iterable[int], context: str) -> list[int]:
    """The same features with the context in which the guest wrote them."""
    salt = crc32(context.encode())
    return [((each * 2654435761) ^ salt) & _MASK for each in features]


def _of_chars(text: str) -> set[int]:
    """A reply has some hundred of them."""
    found: set[int] = set()
    for part in _shortened(f" {text} "):
        sizes = runs(list(map(ord, part)), CHARS_MAX)
        for run in islice(sizes, CHARS_MIN - 1, None):
            found.update([each >> _DROPPED for each in run])
    return found


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


def _roles(pieces: Sequence[Tagged]) -> list[str]:
    roles = ["^"]
    for piece in pieces:
        roles += [item.role.value if item.role else "?" for item in piece.items]
        roles.append("ask" if piece.is_asked else "|")
    return roles


def _of_meanings(row: Sequence[Meaning]) -> set[int]:
    """Each, its neighbours, and what follows within a few of those known."""
    known = [_START, *(each for each in row if each is not UNKNOWN)]
    later = [
        one << 8 | other
        for apart in range(2, WITHIN + 1)
        for each, after in zip(known, known[apart:], strict=False)
        for one in each
        for other in after
    ]
    three = [
        (one << 8 | two) << 8 | last
        for first, second, third in zip(known, known[1:], known[2:], strict=False)
        for one in first[:2]
        for two in second[:2]
        for last in third[:2]
    ]
    found = _mixed([one for each in row for one in each], _ONE)
    found |= _mixed(_pairs([_START, *row]), _NEXT) | _mixed(_pairs(known), _NEXT_KNOWN)
    return found | _mixed(later, _LATER) | _mixed(three, _THREE)


def _pairs(row: Sequence[Meaning]) -> list[int]:
    return [one << 8 | other for each, after in pairwise(row) for one in each for other in after]


def _mixed(numbers: Sequence[int], salt: int) -> set[int]:
    return {(each * 2654435761 >> 13 ^ salt) & _MASK for each in numbers}


def _of_row(kind: int, row: Sequence[str], longest: int) -> set[int]:
    """Each and its neighbours."""
    return {each >> _DROPPED for run in runs_of_words(row, longest, kind) for each in run}
