"""Numbers: how the platform rates them, what they may still send, and what has changed."""

from dataclasses import dataclass
from functools import partial

from markupsafe import Markup
from starlette.responses import Response

from tidings import times
from tidings.engine.db.tx import Tx
from tidings.features.senders.lookup import load_history
from tidings.features.senders.model import Number, NumberChange
from tidings.features.senders.report import load_capacities, load_current
from tidings.features.senders.responses import Capacities
from tidings.portal import charts
from tidings.portal.page import Page
from tidings.portal.visit import Visit

CHANGES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Shown:
    """A number with its use and its history."""

    number: Number
    meter: Markup | None  # None: no limit
    history: list[NumberChange]


async def show(visit: Visit) -> Response:
    numbers, capacities, histories = await visit.transact(partial(_load, visit))
    used = {one.number: (one.used, one.daily_limit) for one in capacities.numbers}
    own = capacities.account
    resets = capacities.resets_at
    return visit.page(
        "numbers/numbers.html",
        shown=[
            Shown(
                number,
                _meter(visit, visit.gettext("New people in 24 hours"), *used[number.number]),
                histories[number.number],
            )
            for number in numbers
        ],
        account_meter=_meter(
            visit, visit.gettext("All messages in 24 hours"), own.used, own.daily_limit
        ),
        resets_at=None if resets is None else times.require(resets, "resetsAt"),
    )


async def _load(
    visit: Visit, tx: Tx
) -> tuple[list[Number], Capacities, dict[str, list[NumberChange]]]:
    account, numbers = await load_current(tx, visit.chosen)
    histories = {
        one.number: await load_history(tx, account.id, one.number, CHANGES_SHOWN) for one in numbers
    }
    return numbers, await load_capacities(tx, account), histories


def _meter(visit: Visit, title: str, used: int | None, limit: int | None) -> Markup | None:
    if limit is None:
        return None
    words = charts.words(visit.gettext, visit.language)
    return charts.meter(title, used or 0, limit, words)


PAGES = [Page("/numbers", get=show)]
