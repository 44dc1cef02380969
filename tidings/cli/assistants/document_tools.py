"""The documentation for assistants: search, and every page as a tool's answer and as a resource.

The pages are those of /guide, from this installation's own files: no service is asked. What makes
them is imported with the first question: an assistant waits for the start, and may ask none.
"""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.resources import FunctionResource
from pydantic import Field

from tidings.guide import contents, links

if TYPE_CHECKING:
    from tidings.guide.search import Result

PREFIX = "tidings://guide/"
MARKDOWN = "text/markdown"
RESULTS_MAX = 10
_FIRST = "index"  # in addresses: the first page, whose own is empty


class DocumentTools:
    """`site` is where links in pages lead: the service that is called."""

    def __init__(self, site: str) -> None:
        self._site = site.rstrip("/")

    async def search_docs(
        self,
        query: Annotated[
            str, Field(description="A few words, such as: webhook signature", min_length=1)
        ],
    ) -> dict[str, Any]:
        """Search the documentation of Tidings: guides, concepts, every error code and event,
        commands and settings. read_docs shows a page that was found."""
        return {"results": [_shown(found) for found in find_sections(query)]}

    async def read_docs(
        self,
        page: Annotated[
            str,
            Field(description="As search_docs shows it, such as webhooks or errors/INVALID_PHONE."),
        ],
    ) -> str:
        """One page of the documentation as Markdown."""
        text = self._find(page)
        if text is None:
            raise ToolError(f"There is no page {page}. search_docs finds pages.")
        return text

    def add_pages(self, server: MCPServer) -> None:
        """Guides are listed; pages on how it was built, errors and events are only read."""
        for part in contents.parts():
            for entry in part.entries if not part.is_background else ():
                server.add_resource(
                    FunctionResource(
                        uri=PREFIX + (entry.address or _FIRST),
                        name=entry.address or _FIRST,
                        title=entry.title,
                        description=f"{part.title}: {entry.title}",
                        mime_type=MARKDOWN,
                        fn=partial(self._find, entry.address),
                    )
                )
        server.resource(
            f"{PREFIX}{{+page}}",
            name="page",
            title="A page of the documentation",
            description="Such as webhooks, errors/INVALID_PHONE or events/message.status.",
            mime_type=MARKDOWN,
        )(self._read_resource)

    def _read_resource(self, page: str) -> str:
        text = self._find(page)
        if text is None:
            raise ResourceNotFoundError(f"There is no page {page}.")
        return text

    def _find(self, page: str) -> str | None:
        """Addresses are taken as they are shown anywhere: with /guide, an anchor, or .md."""
        from tidings.guide import library

        address = page.removeprefix(PREFIX).removeprefix(links.PREFIX).partition("#")[0]
        address = address.strip("/").removesuffix(".md")
        found = library.find("" if address == _FIRST else address)
        return None if found is None else library.as_markdown(found, self._site)


def find_sections(query: str) -> "list[Result]":
    from tidings.guide.search import search

    return search(query)[:RESULTS_MAX]


def _shown(found: "Result") -> dict[str, str]:
    section = found.section
    return {
        "page": section.url.removeprefix(links.PREFIX).strip("/") or _FIRST,
        "title": f"{section.page}: {section.heading}" if section.heading else section.page,
        "excerpt": found.excerpt,
    }
