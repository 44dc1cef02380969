"""The statements of an SQL file, one by one.

A migration outside a transaction runs statement by statement, and the plan of an upgrade looks at
each. A semicolon inside a string, a quoted name, a comment or the body of a function ends nothing.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""
    (?P<comment> --[^\n]* )
  | (?P<block>   /\*.*?\*/ )
  | (?P<escaped> (?<!\w)[eE]'(?:[^'\\]|''|\\.)*' )
  | (?P<string>  '(?:[^']|'')*' )
  | (?P<name>    "(?:[^"]|"")*" )
  | (?P<body>    \$(?P<tag>[A-Za-z_]*)\$.*?\$(?P=tag)\$ )
  | (?P<end>     ; )
    """,
    re.VERBOSE | re.DOTALL,
)


def split(sql: str) -> list[str]:
    """Without comments and without their semicolons."""
    return [statement for text in _pieces(sql) if (statement := _without_comments(text).strip())]


def _pieces(sql: str) -> Iterator[str]:
    start = 0
    for token in _TOKEN.finditer(sql):
        if token.lastgroup == "end":
            yield sql[start : token.start()]
            start = token.end()
    yield sql[start:]


def _without_comments(text: str) -> str:
    comments = ("comment", "block")
    return _TOKEN.sub(lambda token: " " if token.lastgroup in comments else token[0], text)
