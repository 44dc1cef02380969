"""The formatting of a WhatsApp message as HTML: *bold*, _italic_, ~strike~, ```mono```. Pure.

Every piece of text is escaped before a tag of ours is put around it.
"""

import re
from collections.abc import Callable
from functools import partial

from markupsafe import Markup, escape

_MONO = re.compile(r"```(.+?)```", re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_ADDRESS = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)\]]")
# A sign counts at the border of a word, and where no space follows it inside.
_STYLES = tuple(
    (re.compile(rf"(?<![\w{sign}]){sign}(?=[^\s{sign}])([^\n{sign}]*[^\s{sign}]){sign}(?!\w)"), tag)
    for sign, tag in ((re.escape("*"), "strong"), ("_", "em"), ("~", "s"))
)


def formatted(text: str) -> Markup:
    """The text as the phone shows it."""
    return _split(text, _MONO, "code", _inline)


def _inline(text: str) -> Markup:
    return _split(text, _CODE, "code", _linked)


def _linked(text: str) -> Markup:
    """Addresses look like links; nothing inside them is styled."""
    made, at = Markup(), 0
    for found in _ADDRESS.finditer(text):
        made += _styled(text[at : found.start()])
        made += Markup('<span class="bubble-address">%s</span>') % found[0]
        at = found.end()
    return made + _styled(text[at:])


def _styled(text: str) -> Markup:
    styled = str(escape(text))
    for pattern, tag in _STYLES:
        styled = pattern.sub(partial(_wrap, tag), styled)
    return Markup(styled)  # noqa: S704 - escaped above; only our own tags were added


def _wrap(tag: str, found: re.Match[str]) -> str:
    """Styles nest; where two overlap, the second pair of signs stays text."""
    inner = found[1]
    nests = all(inner.count(f"<{one}>") == inner.count(f"</{one}>") for _, one in _STYLES)
    return f"<{tag}>{inner}</{tag}>" if nests else found[0]


def _split(
    text: str, pattern: re.Pattern[str], tag: str, between: Callable[[str], Markup]
) -> Markup:
    made, at = Markup(), 0
    for found in pattern.finditer(text):
        made += between(text[at : found.start()])
        made += Markup(f"<{tag}>%s</{tag}>") % found[1]  # noqa: S704 - a tag of ours
        at = found.end()
    return made + between(text[at:])
