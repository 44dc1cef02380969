"""A guest has told the platform, not us: no more marketing, or again (6.2 guest.opted_out).

The platform's button is about marketing alone; we take it as what it asks for, no more messages,
passcodes aside. Told once, with `source` `platform`.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.recipients import contacts
from tidings.features.recipients.events import OPTED_IN, OPTED_OUT, PreferenceData
from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.whatsapp.callbacks import MarketingPreference

SOURCE = "platform"

Wish = tuple[UUID, str]  # account, person


async def heed(tx: Tx, wishes: Sequence[tuple[UUID, MarketingPreference]]) -> None:
    """Of several wishes of one person the latest counts."""
    latest: dict[Wish, MarketingPreference] = {}
    for account_id, wish in sorted(wishes, key=lambda item: item[1].at):
        latest[account_id, wish.person] = wish
    stop = [(*key, min(wish.at, tx.now), SOURCE) for key, wish in latest.items() if not wish.wanted]
    resume = [key for key, wish in latest.items() if wish.wanted]
    await _tell(tx, OPTED_OUT, await contacts.opt_out(tx, stop))
    await _tell(tx, OPTED_IN, await contacts.opt_in(tx, resume))


async def _tell(tx: Tx, kind: EventKind, people: set[Wish]) -> None:
    if not people:
        return
    accounts = await load_accounts(tx, {account_id for account_id, _ in people})
    await publish(
        tx, [_event(accounts[one], kind, person, tx.now) for one, person in sorted(people)]
    )


def _event(account: Account, kind: EventKind, person: str, real_now: datetime) -> Event:
    at = account.now(real_now)
    return Event(account, kind, at, PreferenceData(from_=person, source="platform"))
