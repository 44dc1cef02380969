"""The phone of a simulated guest, with the account's clock and its events beside it."""

from dataclasses import dataclass
from functools import partial

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.people.roles import Right
from tidings.features.sandbox.conversation import Phone, find_guests, load_phone
from tidings.features.senders.lookup import load_numbers
from tidings.features.webhooks.recent import SignedEvent, load_recent
from tidings.portal.page import Page
from tidings.portal.phone import chat
from tidings.portal.phone.number import require_guest
from tidings.portal.shown_events import is_about, shown_event
from tidings.portal.visit import Visit

FIRST_GUEST = "972501234567"
EVENTS_READ_MAX = 30
EVENTS_SHOWN_MAX = 15


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows."""

    guests: list[str]
    phone: Phone
    sender: str  # our name on the phone
    sender_number: str  # below it; empty where it is the name
    events: list[SignedEvent]


async def show(visit: Visit) -> Response:
    """`?number=` chooses the guest, `&form=` opens a form that was sent to them."""
    wanted = visit.query.get("number") or visit.form["number"]
    seen = await visit.transact(partial(_load, visit, wanted))
    shown = [shown_event(one) for one in seen.events if is_about(one, seen.phone.number)]
    return visit.page(
        "phone/phone.html",
        guest=wanted if "number" in visit.form.errors else seen.phone.number,
        guests=seen.guests,
        lines=chat.lines(seen.phone, visit.zone),
        phone=seen.phone,
        is_moving=chat.is_moving(seen.phone),
        open_form=chat.find_form(seen.phone, visit.query.get("form") or visit.form["form"]),
        sender=seen.sender,
        sender_number=seen.sender_number,
        events=shown[:EVENTS_SHOWN_MAX],
    )


async def _load(visit: Visit, wanted: str, tx: Tx) -> Seen:
    account = visit.chosen
    guests = await find_guests(tx, account.id)
    number = _guest(visit, wanted) or (guests[0] if guests else FIRST_GUEST)
    numbers = (await load_numbers(tx, [account.id]))[account.id]
    return Seen(
        guests,
        await load_phone(tx, account.id, number),
        numbers[0].name or numbers[0].number if numbers else account.name,
        f"+{numbers[0].number}" if numbers and numbers[0].name else "",
        await load_recent(tx, visit.ctx.sealer, account.id, number, EVENTS_READ_MAX),
    )


def _guest(visit: Visit, wanted: str) -> str | None:
    """The number that was asked for; one that cannot be a number is said to be wrong."""
    if not wanted:
        return None
    try:
        return require_guest(wanted)
    except ApiError as refusal:
        visit.refuse(refusal)
        return None


PAGES = [Page("/phone", get=show, needs=Right.SEND, sandbox_only=True)]
