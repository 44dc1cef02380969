"""All that the rules need to know about a batch of wanted messages, in a few set-based queries."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.charging.charge import Funding, load_funding
from tidings.features.events import lookup as events
from tidings.features.events.model import Event
from tidings.features.media import uses
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import Contact
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.templates.lookup import has_passcodes, load_templates
from tidings.features.templates.model import Template

from . import repeat_store
from .model import Message, Wanted
from .rules import takes_end_from_event

Original = tuple[datetime, Message]  # since when its clientMessageId counts as used


@dataclass(slots=True)
class Facts:
    accounts: dict[UUID, Account]
    originals: dict[tuple[UUID, str], Original]
    people: dict[contacts.Key, Contact]
    numbers: dict[UUID, list[Number]]
    templates: dict[UUID, dict[str, list[Template]]]  # by account, by name: language versions
    capacity: Capacity
    funding: Funding  # what the accounts can pay with
    public_url: str  # our links start with it
    events: dict[events.Key, Event]  # those that a wanted message names
    files: frozenset[uses.Key]  # of those that wanted messages carry, the ones that are there
    used_ids: frozenset[tuple[UUID, str]]  # clientMessageIds that had been used, however long ago
    # Who has been given a number since, still to be written: strangers, and people without one.
    strangers: list[contacts.Meeting] = field(default_factory=list)
    unnamed: list[contacts.Meeting] = field(default_factory=list)


async def load(ctx: Context, tx: Tx, wanted: Sequence[Wanted]) -> Facts:
    """In the order of locks: the account's numbers first, then everything that is only read."""
    account_ids = sorted({item.account_id for item in wanted})
    people = [(item.account_id, item.to) for item in wanted]
    accounts = await load_accounts(tx, account_ids, standing=True)
    numbers = await load_numbers(tx, account_ids)
    templates = await load_templates(tx, account_ids)
    with_passcodes = {key for key, named in templates.items() if has_passcodes(named)}
    paced = await capacity.load(tx, accounts, numbers, people, with_passcodes=with_passcodes)
    originals = await repeat_store.find_originals(
        tx, [(item.account_id, item.client_message_id) for item in wanted]
    )
    return Facts(
        accounts=accounts,
        numbers=numbers,
        templates=templates,
        capacity=paced,
        originals=originals,
        used_ids=frozenset(originals),
        people=await contacts.load(tx, people),
        funding=await load_funding(tx, accounts, people),
        files=await uses.lock_kept(
            tx, [(item.account_id, item.file.media_id) for item in wanted if item.file is not None]
        ),
        public_url=ctx.settings.public_url,
        events=await events.load_events(
            tx,
            [(item.account_id, item.event_id) for item in wanted if item.event_id is not None],
            for_share=any(
                takes_end_from_event(item) for item in wanted if item.event_id is not None
            ),
        ),
    )
