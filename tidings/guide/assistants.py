"""The documentation for language models: /llms.txt lists every page, /llms-full.txt holds them."""

from collections.abc import Iterator

from tidings.guide import contents, library, links

_ABOUT = """\
# Tidings

> A business messaging gateway: one JSON HTTP API over an official messaging platform (WhatsApp
> Cloud API), with a sandbox that needs no phone, signed webhooks, guests' answers understood, and
> books that balance.

Every page below is Markdown. The API is described at {site}/api/v1/openapi.json (OpenAPI 3.1). Its
base address is {site}/api/v1; the key goes into the header x-api-key.
Everything in one file: {site}/llms-full.txt
"""


def index(site: str) -> str:
    """As llmstxt.org describes it."""
    lines = [_ABOUT.format(site=site)]
    for part in contents.parts():
        lines.append(f"## {'Optional' if part.is_background else part.title}\n")
        for entry in part.entries:
            for address in (entry.address, *library.children(entry.address)):
                lines.append(_line(address, site))
        lines.append("")
    return "\n".join(lines)


def everything(site: str) -> str:
    """All pages but those on how it was built."""
    return "\n\n".join(_texts(site))


def _line(address: str, site: str) -> str:
    page = library.find(address)
    assert page is not None, address
    path = library.markdown_address(links.page_address(address))
    return f"- [{page.title.replace('`', '')}]({site}{path})"


def _texts(site: str) -> Iterator[str]:
    yield _ABOUT.format(site=site)
    for page in library.every_page():
        part = contents.part_of(page.address)
        if part is not None and not part.is_background:
            text = library.as_markdown(page, site)
            yield f"---\nSource: {site}{links.page_address(page.address)}\n\n{text}"
