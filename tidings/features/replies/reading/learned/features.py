"""What the learned reader looks at: numbered features of a reply, as the trainer sees it too. Pure.

Pieces of words carry what no table lists (endings, typing errors, dialects), words and their
neighbours carry idiom, the roles that the tables found make what is learnt of one language useful
in another, as do the meanings of words that no table needs to list for the rules, and the verdict
of the rules tells where they are to be trusted. Each feature is a
number below BUCKETS by a checksum of it: two that share a number are rare and learnt together.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from zlib import crc32

from ..tagged import Tagged
from ..tokens import Clause, Kind
from ..verdict import Verdict
from .meanings import UNKNOWN, Meaning
from .meanings import load as load_meanings

BUCKETS = 1 << 21
HEAD_CHARS, TAIL_CHARS = 240, 160  # of a long reply its beginning and its end
CHARS_MIN, CHARS_MAX = 2, 5
WORDS_MAX, ROLES_MAX = 3, 4
LEVELS = 10  # of the rules' confidence
WITHIN = 4  # meanings, that belong together
ODD = "surrogatepass"  # half a character is a feature like any other

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
    found |= _of_row("w:", _words(clauses), WORDS_MAX)
    found |= _of_row("r:", _roles(pieces), ROLES_MAX)
    found |= _of_meanings(load_meanings().of_pieces(pieces))
    found.add(_number(f"v:{verdict.yes}:{int(verdict.confidence * LEVELS)}"))
    return frozenset(found)


def features_of_words(words: Sequence[str]) -> set[int]:
    """Those of a few words by themselves."""
    return _of_chars(" ".join(words)) | _of_row("w:", words, WORDS_MAX)


def in_context(features: Iterable[int], context: str) -> list[int]:
    """The same features with the context in which the guest wrote them."""
    salt = crc32(context.encode())
    return [((each * 2654435761) ^ salt) % BUCKETS for each in features]


def _number(feature: str) -> int:
    return crc32(feature.encode(errors=ODD)) % BUCKETS


def _of_chars(text: str) -> set[int]:
    """A reply has some hundred of them: cut from its bytes, where each character begins."""
    found: set[int] = set()
    for part in _shortened(f" {text} "):
        content = part.encode(errors=ODD)
        begins = [at for at, byte in enumerate(content) if byte & 0xC0 != 0x80]
        begins.append(len(content))
        for size in range(CHARS_MIN, CHARS_MAX + 1):
            found |= {
                crc32(content[start:end]) % BUCKETS
                for start, end in zip(begins, begins[size:], strict=False)
            }
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
    found = {_mixed(one, _ONE) for each in row for one in each}
    for each, after in pairwise([_START, *row]):
        found |= {_mixed(one << 8 | other, _NEXT) for one in each for other in after}
    known = [_START, *(each for each in row if each is not UNKNOWN)]
    for at, each in enumerate(known):
        for apart, after in enumerate(known[at + 1 : at + 1 + WITHIN]):
            salt = _LATER if apart else _NEXT_KNOWN
            found |= {_mixed(one << 8 | other, salt) for one in each for other in after}
    for first, second, third in zip(known, known[1:], known[2:], strict=False):
        found |= {
            _mixed((one << 8 | two) << 8 | three, _THREE)
            for one in first[:2]
            for two in second[:2]
            for three in third[:2]
        }
    return found


def _mixed(number: int, salt: int) -> int:
    return (number * 2654435761 >> 13 ^ salt) % BUCKETS


def _of_row(kind: str, row: Sequence[str], longest: int) -> set[int]:
    """Each and its neighbours."""
    return {
        crc32(f"{kind}{' '.join(row[start : start + size])}".encode(errors=ODD)) % BUCKETS
        for size in range(1, longest + 1)
        for start in range(len(row) - size + 1)
    }
