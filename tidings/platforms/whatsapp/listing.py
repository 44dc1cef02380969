"""Reading lists of the platform: every page, or a `GraphCallError`; never part of a list."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tidings import limits

from .call_errors import GraphCallError, GraphErrorResponse
from .client import Graph

PAGE_SIZE = "100"
INVALID_PARAMETER = 100  # Graph error code
OBJECT_MISSING = 33  # its subcode


async def list_all(
    graph: Graph, path: str, token: str, fields: str, filters: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """The entries of every page, with these fields."""
    found: list[dict[str, Any]] = []
    params = {"fields": fields, "limit": PAGE_SIZE, **(filters or {})}
    for _ in range(limits.PLATFORM_SYNC_PAGES_MAX):
        answer = await graph.get_json(path, token, params)
        data = answer.get("data")
        if not isinstance(data, list):
            raise GraphCallError("the response has no list")
        found += [item for item in data if isinstance(item, dict)]
        after = _next_cursor(answer.get("paging"))
        if after is None or after == params.get("after"):
            return found
        params["after"] = after
    raise GraphCallError("the list has too many pages")


async def list_known_fields(
    graph: Graph, path: str, token: str, fields: str, oldest_fields: str
) -> list[dict[str, Any]]:
    """With `fields`; with `oldest_fields` if the API version does not know all of them."""
    try:
        return await list_all(graph, path, token, fields)
    except GraphErrorResponse as refusal:
        if not is_field_unknown(refusal):
            raise
    return await list_all(graph, path, token, oldest_fields)


def is_field_unknown(refusal: GraphErrorResponse) -> bool:
    """Older versions of the Graph API reject a request that names a newer field."""
    return refusal.error.code == INVALID_PARAMETER and refusal.error.subcode != OBJECT_MISSING


def _next_cursor(paging: object) -> str | None:
    """The cursor of the next page; None on the last page."""
    next_url = paging.get("next") if isinstance(paging, dict) else None
    if not isinstance(next_url, str) or not isinstance(paging, dict):
        return None
    cursors = paging.get("cursors")
    after = cursors.get("after") if isinstance(cursors, dict) else None
    if isinstance(after, str) and after:
        return after
    return next(iter(parse_qs(urlsplit(next_url).query).get("after", [])), None)
