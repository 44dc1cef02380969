"""Markdown to HTML: CommonMark and tables, headings that can be linked to, code in colours.

Blocks of code that follow each other in different languages are one example in several languages:
the page shows them as tabs. Raw HTML in a page is shown as text, except a picture with its width.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from tidings.guide import highlight
from tidings.guide.json_layout import lay_out
from tidings.guide.links import Target

Resolve = Callable[[str], Target]

_NOT_IN_ID = re.compile(r"[^\w\- ]")
_HEADING = re.compile(r"(#{1,6}) +(.+?) *$")
_INLINE = re.compile(r"[`*]|\[([^\]]*)\]\([^)]*\)")
_PICTURE = re.compile(r'^<img src="([^"]+)" width="(\d+)" alt="([^"]*)">\s*$')
_TABBED = {"sh", "curl", "python", "py", "typescript", "ts", "javascript", "js", "go"}


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    html: str
    headings: tuple[Heading, ...]


def render(text: str, resolve: Resolve) -> Rendered:
    parser = _parser()
    tokens = parser.parse(text)
    headings = tuple(_name_headings(tokens))
    _set_links(tokens, resolve)
    _mark_tabs(tokens)
    _drop_empty_headers(tokens)
    return Rendered(parser.renderer.render(tokens, parser.options, {}), headings)


def headings_of(text: str) -> list[tuple[Heading, int]]:
    """The headings of a page and the lines they are in. It reads lines only: parsing all pages
    for the search would take a second."""
    found: list[tuple[int, str, int]] = []
    is_code = False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and (heading := _HEADING.match(line)):
            words = _INLINE.sub(lambda mark: mark[1] or "", heading[2])
            found.append((len(heading[1]), words, number))
    ids = _ids()
    return [(Heading(level, ids(words), words), number) for level, words, number in found]


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", renderer_cls=_Renderer).enable("table")
    made.options["html"] = True  # so that `html_block` sees it: it is escaped there
    return made


def _name_headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    ids = _ids()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = _plain(inline)
            id_ = ids(text)
            opening.attrSet("id", id_)
            yield Heading(int(opening.tag[1]), id_, text)


def _ids() -> Callable[[str], str]:
    """Ids of one page's headings as GitHub makes them, so that a link works there and here."""
    seen: Counter[str] = Counter()

    def id_of(text: str) -> str:
        id_ = _NOT_IN_ID.sub("", text.lower()).replace(" ", "-")
        seen[id_] += 1
        return id_ if seen[id_] == 1 else f"{id_}-{seen[id_] - 1}"

    return id_of


def _plain(inline: Token) -> str:
    return "".join(
        child.content for child in inline.children or () if child.type in ("text", "code_inline")
    )


def _set_links(tokens: Sequence[Token], resolve: Resolve) -> None:
    for token in tokens:
        if token.type == "html_block":
            token.meta["resolve"] = resolve
        for child in token.children or ():
            if child.type == "link_open":
                _set_link(child, resolve)
            elif child.type == "image":
                target = resolve(str(child.attrs["src"]))
                child.attrSet("src", target.address or "")
                child.attrSet("loading", "lazy")


def _set_link(link: Token, resolve: Resolve) -> None:
    target = resolve(str(link.attrs["href"]))
    if target.address is None:
        link.attrs = {"class": "only-source", "title": f"In the source: {target.text}"}
    else:
        link.attrSet("href", target.address)
        if "://" in target.address:
            link.attrSet("rel", "noreferrer")


def _mark_tabs(tokens: Sequence[Token]) -> None:
    """Gives the blocks of one example its first and last mark."""
    run: list[Token] = []
    for token in [*tokens, None]:
        language = token.info if token is not None and token.type == "fence" else ""
        if language in _TABBED and language not in [one.info for one in run] and token is not None:
            run.append(token)
            continue
        if len(run) > 1:
            run[0].meta["opens"] = run[-1].meta["closes"] = True
        run = [token] if token is not None and language in _TABBED else []


def _drop_empty_headers(tokens: Sequence[Token]) -> None:
    """A column without a title has no header cell: a screen reader would read an empty one out."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inline.content:
            opening.tag = closing.tag = "td"


class _Renderer(RendererHTML):
    """What our pages have in other elements than the library's."""

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        code = _code(token.content, token.info.strip() or highlight.guess(token.content))
        opening = '<div class="tabs">' if token.meta.get("opens") else ""
        closing = "</div>\n" if token.meta.get("closes") else ""
        return opening + code + closing

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        content = tokens[idx].content
        return _code(content, highlight.guess(content))

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return '<div class="table" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        opening, tag = tokens[idx - 2], tokens[idx].tag
        if tag == "h1":
            return "</h1>\n"
        id_ = opening.attrs["id"]
        return f' <a class="anchor" href="#{id_}" aria-label="Link here">#</a></{tag}>\n'

    def html_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        picture = _PICTURE.match(token.content)
        if picture is None:
            return f"<p>{escape(token.content)}</p>\n"
        address = token.meta["resolve"](picture[1]).address
        return (
            f'<p><img src="{address}" width="{picture[2]}" alt="{picture[3]}" loading="lazy"></p>\n'
        )

    def html_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return escape(tokens[idx].content)


def _code(content: str, language: str) -> str:
    name = highlight.name_of(language, content)
    caption = f"<figcaption>{name}</figcaption>" if name else ""
    if language == "json":
        content = lay_out(content)
    html = highlight.to_html(content, language)
    return (
        f'<figure class="code" data-language="{escape(name)}">{caption}'
        f'<pre tabindex="0"><code>{html}</code></pre></figure>\n'
    )
