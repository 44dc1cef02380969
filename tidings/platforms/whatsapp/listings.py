"""Reading what the platform has of us: the numbers and templates of a business account, in pages.

Whatever fails raises a GraphCallError: a list that was read in part is no list.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tidings import limits

from .client import Graph, GraphCallError, GraphErrorResponse
from .listings_numbers import FIELDS as NUMBER_FIELDS
from .listings_numbers import FIELDS_ALWAYS, ListedNumber, UnknownNumber, read_number
from .listings_templates import FIELDS as TEMPLATE_FIELDS
from .listings_templates import FIELDS_ALWAYS as TEMPLATE_FIELDS_ALWAYS
from .listings_templates import ListedTemplate, read_template

PAGE = "100"
UNKNOWN_PARAMETER = 100
OBJECT_MISSING = 33  # its subcode


async def list_numbers(graph: Graph, waba_id: str, token: str) -> list[ListedNumber]:
    """All numbers of a business account, ours or not."""
    found = await _list(graph, f"{waba_id}/phone_numbers", token, NUMBER_FIELDS, FIELDS_ALWAYS)
    return [number for number in map(read_number, found) if number is not None]


async def find_number(
    graph: Graph, phone_number_id: str, token: str
) -> ListedNumber | UnknownNumber | None:
    """One number by its id. None: the answer says nothing of it."""
    try:
        return read_number(await graph.get_json(phone_number_id, token, {"fields": NUMBER_FIELDS}))
    except GraphErrorResponse as refusal:
        if refusal.error.code == UNKNOWN_PARAMETER and refusal.error.subcode == OBJECT_MISSING:
            return UnknownNumber(refusal.error.details)
        if not _is_field_unknown(refusal):
            raise
    return read_number(await graph.get_json(phone_number_id, token, {"fields": FIELDS_ALWAYS}))


async def list_templates(graph: Graph, waba_id: str, token: str) -> list[ListedTemplate]:
    """Every language version of every template."""
    path = f"{waba_id}/message_templates"
    found = await _list(graph, path, token, TEMPLATE_FIELDS, TEMPLATE_FIELDS_ALWAYS)
    return [template for template in map(read_template, found) if template is not None]


async def _list(
    graph: Graph, path: str, token: str, fields: str, always: str
) -> list[dict[str, Any]]:
    """With all fields we know of, or else with those that it `always` had."""
    try:
        return await list_all(graph, path, token, fields)
    except GraphErrorResponse as refusal:
        if not _is_field_unknown(refusal):
            raise
    return await list_all(graph, path, token, always)


def _is_field_unknown(refusal: GraphErrorResponse) -> bool:
    """An older version of the platform's API does not have every field."""
    return refusal.error.code == UNKNOWN_PARAMETER and refusal.error.subcode != OBJECT_MISSING


async def list_all(
    graph: Graph, path: str, token: str, fields: str, filters: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Every page of a list, with these fields of each entry."""
    found: list[dict[str, Any]] = []
    params = {"fields": fields, "limit": PAGE, **(filters or {})}
    for _ in range(limits.PLATFORM_SYNC_PAGES_MAX):
        answer = await graph.get_json(path, token, params)
        data = answer.get("data")
        if not isinstance(data, list):
            raise GraphCallError("the list was answered without a list")
        found += [item for item in data if isinstance(item, dict)]
        after = _next_cursor(answer.get("paging"))
        if after is None or after == params.get("after"):
            return found
        params["after"] = after
    raise GraphCallError("the list does not end")


def _next_cursor(paging: object) -> str | None:
    """Where the next page begins. None: there is none."""
    following = paging.get("next") if isinstance(paging, dict) else None
    if not isinstance(following, str) or not isinstance(paging, dict):
        return None
    cursors = paging.get("cursors")
    after = cursors.get("after") if isinstance(cursors, dict) else None
    if isinstance(after, str) and after:
        return after
    return next(iter(parse_qs(urlsplit(following).query).get("after", [])), None)
