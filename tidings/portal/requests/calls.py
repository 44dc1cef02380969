"""Requests: every API call of the last week, without secrets, texts and people's numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings.engine.db.log_pages import LogCursor, LogPage
from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.keys import load_keys
from tidings.features.requests import lookup
from tidings.features.requests.lookup import Filter
from tidings.features.requests.model import LoggedCall, parse_request_id
from tidings.portal.page import Page
from tidings.portal.paging import between
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

STATUSES = ("2xx", "4xx", "5xx")
PREFIX_SHOWN_CHARS = 18  # of a key without a name
FILTERS = ("status", "path", "key", "id")


@dataclass(frozen=True, slots=True)
class Seen:
    """What the list shows. `names`: what a key is called, by how it begins."""

    found: LogPage[LoggedCall]
    names: dict[str, str]


async def show(visit: Visit) -> Response:
    sorting = read_by_time("/requests", visit.query)
    seen = await visit.transact(partial(_load, visit, sorting.order))
    visit.form.fill({name: visit.query.get(name, "") for name in FILTERS})
    names = {call.key: _short(call.key) for call in seen.found.entries} | seen.names
    return visit.page(
        "requests/calls.html",
        calls=seen.found.entries,
        names=names,
        statuses=[(one, one) for one in _statuses(visit.query.get("status", ""))],
        keys=_keys(visit.query.get("key", ""), names),
        is_filtered=bool(_filters(visit.query)),
        days=visit.ctx.settings.request_log_days,
        paging=between("/requests", _filters(visit.query), seen.found, sorting.order),
        sorting=sorting,
    )


async def show_call(visit: Visit) -> Response:
    request_id = parse_request_id(visit.params["requestId"])
    if request_id is None:
        raise ApiError(Code.NOT_FOUND)
    call, names = await visit.transact(partial(_load_call, visit, request_id))
    return visit.page("requests/call.html", call=call, key=names.get(call.key) or _short(call.key))


async def _load(visit: Visit, order: Order, tx: Tx) -> Seen:
    account_id, query = visit.chosen.id, visit.query
    wanted = query.get("id", "").strip()
    if wanted:
        request_id = parse_request_id(wanted)
        found = request_id and await lookup.find_call(tx, account_id, request_id)
        return Seen(LogPage([found] if found else [], None, None), await _names(visit, tx))
    chosen = Filter(
        status=query.get("status", "").strip(),
        path=query.get("path", "").strip(),
        key=query.get("key", ""),
    )
    before, after = (parse_request_id(query.get(edge, "")) for edge in ("before", "after"))
    page = await lookup.load_page(tx, account_id, chosen, LogCursor(before, after, order))
    return Seen(page, await _names(visit, tx))


async def _load_call(visit: Visit, request_id: UUID, tx: Tx) -> tuple[LoggedCall, dict[str, str]]:
    call = await lookup.find_call(tx, visit.chosen.id, request_id)
    if call is None:
        raise ApiError(Code.NOT_FOUND)
    return call, await _names(visit, tx)


async def _names(visit: Visit, tx: Tx) -> dict[str, str]:
    keys = await load_keys(tx, visit.chosen)
    return {key.prefix: key.name or _short(key.prefix) for key in keys}


def _short(prefix: str) -> str:
    return f"{prefix[:PREFIX_SHOWN_CHARS]}…"


def _statuses(chosen: str) -> list[str]:
    """Classes, and the one that the address asks for."""
    return [*STATUSES, *([chosen] if chosen and chosen not in STATUSES else [])]


def _keys(chosen: str, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """To choose from: keys that are valid, or seen here, or asked for."""
    asked = [(chosen, _short(chosen))] if chosen and chosen not in names else []
    return [*names.items(), *asked]


def _filters(query: Mapping[str, str]) -> dict[str, str]:
    return {name: query[name] for name in FILTERS if query.get(name)}


PAGES = [Page("/requests", get=show), Page("/requests/{requestId}", get=show_call)]
