"""Which language a reply is written in, as far as its words tell. Pure."""

from collections import Counter

from .normalise import normalise
from .tagged import tag
from .tokens import clauses


def guess_language(text: str) -> str | None:
    """The language that most of its words were read in; None: it has no words."""
    parts = clauses(normalise(text))
    seen: Counter[str] = Counter()
    for piece in tag(parts):
        for item in piece.items:
            words = [at for at in range(item.start, item.end) if piece.tokens[at].is_word]
            seen.update(piece.spoken[at].table.language for at in words)
    return seen.most_common(1)[0][0] if seen else None
