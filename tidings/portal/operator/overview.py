"""The operator's overview: what waits for a person, the accounts, and the pause of all sending."""

from collections.abc import Sized
from dataclasses import dataclass

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.engine.queue.dead_letters import load_dead
from tidings.errors import ApiError
from tidings.features.accounts.pause import Pause, find_pause
from tidings.features.accounts.search import count_accounts
from tidings.features.billing.invoices.lookup import load_all_unpaid
from tidings.features.callbacks.dead_letters import count as count_callbacks
from tidings.features.feedback.forms.lookup import load_submitted
from tidings.features.operation.sending import pause_sending, resume_sending
from tidings.features.partner.lookup import load_pending_transfers
from tidings.features.people.roles import Right
from tidings.features.senders.lookup import load_faulty_numbers
from tidings.portal.page import Page
from tidings.portal.visit import Visit

COUNTED_MAX = 99  # of what waits; more are shown as 99+


@dataclass(frozen=True, slots=True)
class Seen:
    """`waiting`: how much there is of each, up to one more than COUNTED_MAX."""

    accounts: dict[str, int]
    waiting: dict[str, int]
    pause: Pause | None


async def show(visit: Visit) -> Response:
    seen = await visit.transact(_load)
    return visit.page("operator/overview.html", seen=seen, most=COUNTED_MAX)


async def _load(tx: Tx) -> Seen:
    most = COUNTED_MAX + 1
    found: dict[str, Sized] = {
        "transfers": await load_pending_transfers(tx, most),
        "forms": await load_submitted(tx, most),
        "invoices": [one for _, one in await load_all_unpaid(tx, most) if one.due_at <= tx.now],
        "jobs": await load_dead(tx, size=most),
        "numbers": await load_faulty_numbers(tx, most),
    }
    parked = sum(one.count for one in await count_callbacks(tx))
    waiting = {name: len(some) for name, some in found.items()} | {"callbacks": parked}
    return Seen(await count_accounts(tx), waiting, await find_pause(tx))


async def act(visit: Visit) -> Response:
    """Pause or resume all sending."""
    is_pause = visit.form["act"] == "pause"
    reason = visit.form["reason"]
    if not visit.is_confirmed:
        return _ask(visit, is_pause=is_pause)
    verb = pause_sending if is_pause else resume_sending
    try:
        await visit.transact(lambda tx: verb(tx, visit.actor, reason))
    except ApiError as refusal:
        visit.refuse(refusal)
        return await show(visit)
    _ = visit.gettext
    done = _("All sending is paused.") if is_pause else _("Sending goes on.")
    return visit.redirect("/operator", notice=done)


def _ask(visit: Visit, *, is_pause: bool) -> Response:
    _ = visit.gettext
    if is_pause:
        title = _("Pause all sending?")
        text = _("Nothing is sent for any account until it is resumed. What waits is held.")
    else:
        title = _("Resume sending?")
        text = _("What was held is sent within seconds, to everyone it waits for.")
    return visit.confirm(title, text, back="/operator")


PAGES = [Page("/operator", get=show, post=act, needs=Right.OPERATE)]
