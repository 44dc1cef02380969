"""The list of messages: searched and filtered by its address, and exported as CSV."""

from functools import partial
from urllib.parse import quote, urlencode
from uuid import UUID

from starlette.responses import Response

from tidings.engine.http import pagination
from tidings.errors import ApiError
from tidings.features.messages.model import Status
from tidings.features.messages.read import export, search
from tidings.features.messages.read.listing import Listed
from tidings.portal.download import csv_file
from tidings.portal.messages.wanted import NAMES, read_wanted
from tidings.portal.messages.words import KINDS, REASONS
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.states import WORDS
from tidings.portal.visit import Visit

PAGE_SIZE = 50


async def show(visit: Visit) -> Response:
    visit.form.fill({name: visit.query.get(name, "") for name in NAMES})
    found, sorting = Listed([], None), read_by_time("/messages", visit.query)
    try:
        wanted, before = read_wanted(visit), _before(visit)
        found = await visit.transact(
            partial(
                search.load_page,
                account=visit.chosen,
                wanted=wanted.filter,
                text=wanted.text,
                before=before,
                size=PAGE_SIZE,
                order=sorting.order,
            )
        )
    except ApiError as refusal:
        visit.refuse(refusal)
    cursor = None if found.before is None else pagination.encode_cursor(found.before)
    used = {name: visit.query[name] for name in NAMES if visit.query.get(name)}
    return visit.page(
        "messages/messages.html",
        None,
        messages=found.messages,
        addresses=[address(message.client_message_id) for message in found.messages],
        paging=paging("/messages", visit.query, cursor, sorting.order),
        sorting=sorting,
        is_filtered=bool(used),
        is_first="cursor" not in visit.query,
        export="/portal/messages.csv" + (f"?{urlencode(used)}" if used else ""),
        **_choices(visit),
    )


def _choices(visit: Visit) -> dict[str, object]:
    _ = visit.gettext
    every = ("", _("All"))
    return {
        "statuses": [every, *((one.value, _(WORDS[one.value])) for one in Status)],
        "kinds": [every, *((kind.value, _(word)) for kind, word in KINDS.items())],
        "KINDS": KINDS,
        "REASONS": REASONS,
    }


def address(client_message_id: str) -> str:
    """A message's page; an id may have a slash in it."""
    return f"/portal/messages/{quote(client_message_id, safe='')}"


async def download(visit: Visit) -> Response:
    """What is filtered, without pages."""
    wanted = read_wanted(visit)
    rows = export.csv_bytes(visit.ctx.db, visit.chosen, wanted.filter, wanted.text)
    return csv_file("messages", rows)


def _before(visit: Visit) -> UUID | None:
    cursor = visit.query.get("cursor")
    return pagination.decode_cursor(cursor, UUID) if cursor else None


PAGES = [Page("/messages", get=show), Page("/messages.csv", get=download)]
