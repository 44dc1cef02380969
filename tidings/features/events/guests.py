"""The guests of an event, newest invitation first, with where each of them stands."""

from uuid import UUID

import msgspec

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from . import guest_store
from .model import Guest, GuestState


class GuestPage(msgspec.Struct, frozen=True):
    guests: list[Guest]
    following: UUID | None  # where the next page begins; None: there is none


async def load_page(
    tx: Tx,
    account: Account,
    event_id: str,
    *,
    state: GuestState | None = None,
    before: UUID | None = None,
    size: int,
) -> GuestPage:
    """At most `size` guests. A filtered page ends early where it has examined GUESTS_EXAMINED_MAX;
    `following` leads on."""
    now, found, examined = account.now(tx.now), list[Guest](), 0
    asked = size + 1  # enough where there is no filter, or an index knows its guests
    while True:
        seen = await guest_store.find_page(
            tx, account.id, event_id, now, state=state, before=before, size=asked
        )
        found += [guest for guest in seen if state in (None, guest.state)]
        examined += len(seen)
        if len(found) > size:
            return GuestPage(found[:size], found[size - 1].position)
        if len(seen) < asked:
            return GuestPage(found, None)
        before = seen[-1].position
        if examined >= limits.GUESTS_EXAMINED_MAX:
            return GuestPage(found, before)
        asked = min(2 * asked, limits.GUESTS_EXAMINED_MAX - examined)


async def load_guest(tx: Tx, account: Account, event_id: str, phone: str) -> Guest:
    guest = await guest_store.find(tx, account.id, event_id, phone, account.now(tx.now))
    if guest is None:
        raise unknown_guest()
    return guest


def unknown_guest() -> ApiError:
    problem = (
        "no invitation of this event went to this number; GET /events/{eventId}/guests lists them"
    )
    return ApiError(Code.NOT_FOUND, problem, field="to")
