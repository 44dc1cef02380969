"""One message: what the guest saw, what became of it and why, its events and its charge."""

from dataclasses import dataclass
from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings import ids
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.billing.model import ChargeRecord
from tidings.features.billing.subscriptions.lookup import load_charges
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup, responses
from tidings.features.people.roles import Right
from tidings.features.webhooks.of_message import DeliveredEvent, load_events
from tidings.platforms.content import Content
from tidings.portal import bubbles
from tidings.portal.messages import story
from tidings.portal.messages.words import CHARGES, HINTS, KINDS, OUTCOMES, REASONS
from tidings.portal.page import Page
from tidings.portal.visit import Visit


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows."""

    message: Message
    content: Content
    status: responses.MessageStatus
    events: list[DeliveredEvent]
    charge: ChargeRecord | None


async def show(visit: Visit) -> Response:
    seen = await visit.transact(partial(_load, visit, visit.params["cid"]))
    message = seen.message
    batch = None if message.batch_id is None else ids.batch_ref(message.batch_id)
    return visit.page(
        "messages/message.html",
        seen=seen,
        message=message,
        batch=batch,
        bubble_shown=bubbles.of_message(message, seen.content),
        steps=story.steps(message),
        attempts=story.attempts(message),
        events=[story.shown(event) for event in seen.events],
        price=story.price(seen.charge),
        again=story.again(message, seen.events, visit.now),
        KINDS=KINDS,
        REASONS=REASONS,
        HINTS=HINTS,
        OUTCOMES=OUTCOMES,
        CHARGES=CHARGES,
    )


async def _load(visit: Visit, cid: str, tx: Tx) -> Seen:
    account = visit.chosen
    found = await lookup.find_shown(tx, account.id, cid)
    if found is None:
        raise ApiError(Code.NOT_FOUND)
    message, content = found
    invitation = await lookup.find_invitation(tx, message)
    may_see_money = visit.may(Right.MONEY_READ)
    return Seen(
        message,
        content,
        responses.status(message, invitation, account.now(tx.now)),
        await load_events(tx, account.id, message.id),
        await _find_charge(tx, message) if may_see_money else None,
    )


async def _find_charge(tx: Tx, message: Message) -> ChargeRecord | None:
    within = (message.id, UUID(int=message.id.int + 1))
    charges = await load_charges(
        tx, message.account_id, since=None, until=None, within=within, size=1
    )
    return charges[0] if charges else None


PAGES = [Page("/messages/{cid}", get=show)]
