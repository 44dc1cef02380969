"""Code in colours: Pygments, with classes that the stylesheet knows. Pure."""

import re
from functools import cache
from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

# What a block is called above it, by the language that its fence names.
_NAMES = {
    "bash": "Shell",
    "curl": "curl",
    "go": "Go",
    "http": "HTTP",
    "javascript": "JavaScript",
    "js": "JavaScript",
    "json": "JSON",
    "py": "Python",
    "python": "Python",
    "sh": "Shell",
    "sql": "SQL",
    "toml": "TOML",
    "ts": "TypeScript",
    "typescript": "TypeScript",
    "yaml": "YAML",
}
_COMMAND = re.compile(r"^\s*(curl|make|tidings|pip|docker|export|cd|git|npm|openssl|printf) ", re.M)


def guess(code: str) -> str:
    """The language of a block that names none."""
    if code.lstrip().startswith(("{", "[{")):
        return "json"
    return "sh" if _COMMAND.search(code) else "text"


def name_of(language: str, code: str) -> str:
    """What stands above a block."""
    if language == "sh" and code.startswith("curl "):
        return "curl"
    return _NAMES.get(language, "")


def to_html(code: str, language: str) -> str:
    lexer = _lexer("bash" if language in ("sh", "curl") else language)
    if lexer is None:
        return escape(code)
    return str(highlight(code, lexer, _formatter()))


@cache
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


@cache
def _formatter() -> HtmlFormatter:
    return HtmlFormatter(nowrap=True, classprefix="c-")
