"""Everything that deciding about a batch of requests needs, loaded in a few set-based queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.billing.charging.charge import Funding, load_funding
from tidings.features.events import lookup as events
from tidings.features.events.model import Event
from tidings.features.media import references as uses
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import Contact
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.templates.lookup import has_passcodes, load_templates
from tidings.features.templates.model import Template

from ..model import Message, MessageRequest
from . import idempotency_store
from .rules import takes_end_from_event

Original = tuple[datetime, Message]  # when its clientMessageId was used


@dataclass(slots=True)
class AcceptanceInputs:
    """`decide_and_reserve` updates originals, people, capacity and funding with each message."""

    accounts: dict[UUID, Account]
    originals: dict[tuple[UUID, str], Original]
    people: dict[contacts.Key, Contact]
    numbers: dict[UUID, list[Number]]
    templates: dict[UUID, dict[str, list[Template]]]  # by account, by name: language versions
    capacity: Capacity
    funding: Funding  # what the accounts can pay with
    public_url: str  # our links start with it
    events: dict[events.Key, Event]  # those that a request names
    files: frozenset[uses.Key]  # of the files that requests carry, those that exist
    used_ids: frozenset[tuple[UUID, str]]  # clientMessageIds used before, at any time


async def load_inputs(ctx: Context, tx: Tx, requests: Sequence[MessageRequest]) -> AcceptanceInputs:
    """In the order of locks: the numbers of the accounts first, then what is only read."""
    account_ids = sorted({one.account_id for one in requests})
    people = [(one.account_id, one.to) for one in requests]
    accounts = await load_accounts(tx, account_ids, for_share=True)
    numbers = await load_numbers(tx, account_ids)
    templates = await load_templates(tx, account_ids)
    with_passcodes = {key for key, named in templates.items() if has_passcodes(named)}
    loaded = await capacity.load(tx, accounts, numbers, people, with_passcodes=with_passcodes)
    originals = await idempotency_store.find_originals(
        tx, [(one.account_id, one.client_message_id) for one in requests]
    )
    return AcceptanceInputs(
        accounts=accounts,
        numbers=numbers,
        templates=templates,
        capacity=loaded,
        originals=originals,
        used_ids=frozenset(originals),
        people=await contacts.load(tx, people),
        funding=await load_funding(tx, accounts, people),
        files=await uses.lock_existing(
            tx,
            [(one.account_id, one.file.media_id) for one in requests if one.file is not None],
        ),
        public_url=ctx.settings.public_url,
        events=await events.load_events(
            tx,
            [(one.account_id, one.event_id) for one in requests if one.event_id is not None],
            for_share=any(
                takes_end_from_event(one) for one in requests if one.event_id is not None
            ),
        ),
    )
