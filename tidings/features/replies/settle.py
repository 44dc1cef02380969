"""A person settles what a guest meant: POST /events/{eventId}/guests/{to}/answer (contract2.md D).

The guest's invitations are locked as for a reply, so of a person and a guest who answer at the same
time the later one finds what the earlier one wrote, and the last answer counts. An account may
have the guest's words kept with the answer (kept_readings.py).
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.events import counting, guests, invitation_states, invitations
from tidings.features.events.lookup import require_event
from tidings.features.events.model import Guest, Invitation
from tidings.features.messages.read import lookup
from tidings.features.webhooks.publish import Event, publish

from . import events, kept_readings

KINDS = {"yes": events.BY_NAME["guest.confirmed"], "no": events.BY_NAME["guest.declined"]}


class Answer(msgspec.Struct, frozen=True):
    """What a person decides. `seen`: the time of the last reply that the person knew of; a newer
    one refuses the answer. Unset: whatever the guest wrote."""

    answer: Literal["yes", "no"]
    guests: int | None = None
    seen: datetime | msgspec.UnsetType | None = msgspec.UNSET


async def settle(tx: Tx, account_id: UUID, event_id: str, phone: str, given: Answer) -> Guest:
    """The guest with this answer. Settling the same again changes and publishes nothing."""
    await require_event(tx, account_id, event_id)
    account = (await load_accounts(tx, [account_id]))[account_id]
    found = await invitations.lock_of_event(tx, account_id, event_id, phone)
    if not found:
        raise guests.unknown_guest()
    _require_seen(found, given)
    newest, now = found[-1], account.now(tx.now)
    if invitation_states.settle(newest, given.answer, given.guests, now):
        invitation_states.share(newest, found)
        await invitations.save(tx, found)
        await counting.forget(tx, account_id, event_id)
        key = (account_id, newest.message_id)
        message = (await lookup.find_messages(tx, [key]))[key]
        data = events.settled_data(message, newest, _last_text(found), now)
        kind = KINDS[given.answer]
        await publish(tx, [Event(account, kind, now, data, message.id, event_id)])
        await kept_readings.keep(tx, account, newest, _last_reply(found))
    return await guests.load_guest(tx, account, event_id, phone)


def _require_seen(found: list[Invitation], given: Answer) -> None:
    if given.seen is not msgspec.UNSET and _last_reply(found).replied_at != given.seen:
        problem = "the guest has replied since; read the new reply, then settle it"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="seen")


def _last_text(found: list[Invitation]) -> str | None:
    return _last_reply(found).reply_text


def _last_reply(found: list[Invitation]) -> Invitation:
    """The invitation that was replied to last."""
    return max(found, key=lambda one: (one.replied_at is not None, one.replied_at, one.message_id))
