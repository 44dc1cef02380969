"""Small changes of the SQL in string constants: predicates, boundaries, arithmetic, locks.

Every change keeps the statement valid and all of its parameters, or the database would refuse it
and any test at all would "notice". So a predicate is not removed but made true: `(… OR true)`.
"""

import ast
import re
from collections.abc import Iterator

Change = tuple[str, str, ast.AST]
Text = tuple[str, str, str]  # the kind, what it was and is, the new text

_IS_SQL = re.compile(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|ON CONFLICT|RETURNING|WHERE)\b")
_TOKEN = re.compile(r"'[^']*'|[()]|\bDISTINCT\s+FROM\b|\b[A-Za-z_]+\b|;", re.DOTALL)
_BEFORE = {"WHERE", "AND", "OR", "ON", "HAVING", "WHEN"}
_AFTER = _BEFORE | {
    "THEN", "ORDER", "GROUP", "LIMIT", "RETURNING", "FOR", "UNION", "SET", "LEFT", "JOIN", "CROSS",
    "FROM", "DO", ";", "FULL", "INNER",
}  # fmt: skip
_TUPLES = re.compile(r"\(([^()]+)\)\s*=\s*\(([^()]+)\)")
_BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_SWAPS = (
    ("comparison", re.compile(r"(?<=\s)(<=|>=|<|>)(?=\s)"), _BOUNDARIES),
    ("arithmetic", re.compile(r"(?<=\s)[+-](?=\s)"), {"+": "-", "-": "+"}),
    ("condition", re.compile(r"\bNOT (?!NULL|EXISTS \w)"), {"NOT ": ""}),
    ("condition", re.compile(r"\bIS NOT NULL\b"), {"IS NOT NULL": "IS NULL"}),
    ("condition", re.compile(r"\bIS NULL\b"), {"IS NULL": "IS NOT NULL"}),
    ("order", re.compile(r"\bDESC\b"), {"DESC": "ASC"}),
)  # fmt: skip
_REMOVED = (
    ("lock", re.compile(r"\bFOR (NO KEY )?UPDATE\b( OF \w+)?( SKIP LOCKED)?")),
    ("lock", re.compile(r"\bSKIP LOCKED\b")),
    ("conflict", re.compile(r"\bON CONFLICT( \([^)]*\))? DO NOTHING\b")),
)
_HOLE = re.compile("\0(\\d+)\0")  # what an f-string fills in
TENANT = re.compile(r"\baccount_id\b")


def changes(node: ast.AST) -> Iterator[Change]:
    text = _text(node)
    if text is None or not _IS_SQL.search(text):
        return
    for kind, change, new in text_changes(text):
        yield f"sql {kind}", _HOLE.sub("{}", change), ast.copy_location(_node(node, new), node)


def text_changes(text: str) -> Iterator[Text]:
    """The statement with one thing changed."""
    for start, end, is_or in _predicates(text):
        predicate = text[start:end]
        new = f"({predicate} {'AND false' if is_or else 'OR true'})"
        kind = "tenant" if TENANT.search(predicate) else "predicate"
        yield kind, f"{_flat(predicate)} -> {not is_or}", text[:start] + new + text[end:]
    yield from _tuple_changes(text)
    for kind, pattern, becomes in _SWAPS:
        for found in pattern.finditer(text):
            new = becomes[found[0]]
            change = f"{_around(text, found)} -> {new.strip() or '(nothing)'}"
            yield kind, change, text[: found.start()] + new + text[found.end() :]
    for kind, pattern in _REMOVED:
        for found in pattern.finditer(text):
            change = f"{_flat(found[0])} -> (nothing)"
            yield kind, change, text[: found.start()] + text[found.end() :]


def _predicates(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where each member of a condition starts and ends, and whether it follows an OR."""
    open_at: list[tuple[int, bool] | None] = [None]
    between = False
    for token in _TOKEN.finditer(text):
        word = token[0].upper() if token[0].isalpha() else token[0]
        if word == "(":
            open_at.append(None)
        elif word == "BETWEEN":
            between = True
        elif word == "AND" and between:
            between = False
        elif word == ")" or word in _AFTER:
            started = open_at[-1]
            if started is not None:
                yield from _trimmed(text, started[0], token.start(), started[1])
            open_at[-1] = (token.end(), word == "OR") if word in _BEFORE else None
            if word == ")" and len(open_at) > 1:
                open_at.pop()
    if open_at[0] is not None:
        yield from _trimmed(text, open_at[0][0], len(text), open_at[0][1])


def _trimmed(text: str, start: int, end: int, is_or: bool) -> Iterator[tuple[int, int, bool]]:
    part = text[start:end]
    inner = part.strip()
    if inner and not inner.startswith("CONFLICT"):
        begin = start + part.index(inner)
        yield begin, begin + len(inner), is_or


def _tuple_changes(text: str) -> Iterator[Text]:
    """One column less in `(a, b) = (c, d)`."""
    for found in _TUPLES.finditer(text):
        left, right = found[1].split(","), found[2].split(",")
        if len(left) != len(right):
            continue
        for number, column in enumerate(left):
            fewer = [side[:number] + side[number + 1 :] for side in (left, right)]
            new = f"({','.join(fewer[0])}) = ({','.join(fewer[1])})"
            kind = "tenant" if TENANT.search(column) else "predicate"
            change = f"{column.strip()} in {_flat(found[0])} -> (left out)"
            yield kind, change, text[: found.start()] + new + text[found.end() :]


def _text(node: ast.AST) -> str | None:
    """The constant text, with a numbered hole for each part that is filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = enumerate(node.values)
    return "".join(str(p.value) if isinstance(p, ast.Constant) else f"\0{n}\0" for n, p in parts)


def _node(node: ast.AST, text: str) -> ast.AST:
    if isinstance(node, ast.Constant):
        return ast.Constant(text)
    assert isinstance(node, ast.JoinedStr)
    pieces = _HOLE.split(text)
    values: list[ast.expr] = []
    for number, piece in enumerate(pieces):
        values.append(node.values[int(piece)] if number % 2 else ast.Constant(piece))
    return ast.JoinedStr(values)


def _around(text: str, found: re.Match[str]) -> str:
    before = text[: found.start()].split()[-1:]
    after = text[found.end() :].split()[:1]
    return _HOLE.sub("{}", " ".join([*before, found[0].strip(), *after]))


def _flat(text: str) -> str:
    return " ".join(text.split())
