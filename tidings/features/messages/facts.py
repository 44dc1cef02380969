"""All that the rules need to know about a batch of wanted messages, in a few set-based queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import Contact
from tidings.features.senders import capacity
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.templates import lookup as templates
from tidings.features.templates.model import Template

from . import store
from .model import Kind, Message, Wanted

Original = tuple[datetime, Message]  # since when its clientMessageId counts as used


@dataclass(slots=True)
class Facts:
    accounts: dict[UUID, Account]
    originals: dict[tuple[UUID, str], Original]
    people: dict[contacts.Key, Contact]
    numbers: dict[UUID, list[Number]]
    templates: dict[tuple[UUID, str], list[Template]]
    passcode_templates: dict[UUID, list[Template]]
    capacity: Capacity
    public_url: str  # our links start with it


async def load(ctx: Context, tx: Tx, wanted: Sequence[Wanted]) -> Facts:
    """In the order of locks: the account's numbers first, then everything that is only read."""
    account_ids = sorted({item.account_id for item in wanted})
    people = [(item.account_id, item.to) for item in wanted]
    accounts = await load_accounts(tx, account_ids)
    numbers = await load_numbers(tx, account_ids)
    return Facts(
        accounts=accounts,
        capacity=await capacity.load(
            tx,
            accounts,
            numbers,
            people,
            with_passcodes=await templates.find_with_passcodes(tx, account_ids),
        ),
        originals=await store.find_originals(
            tx, [(item.account_id, item.client_message_id) for item in wanted]
        ),
        people=await contacts.load(tx, people),
        numbers=numbers,
        templates=await _load_templates(tx, accounts, wanted),
        passcode_templates=await _load_passcode_templates(tx, wanted),
        public_url=ctx.settings.public_url,
    )


async def _load_templates(
    tx: Tx, accounts: dict[UUID, Account], wanted: Sequence[Wanted]
) -> dict[tuple[UUID, str], list[Template]]:
    named = set()
    for item in wanted:
        if item.template is not None and item.kind is not Kind.PASSCODE:
            name = item.template.name or accounts[item.account_id].default_template
            if name:
                named.add((item.account_id, name))
    return await templates.load(tx, sorted(named)) if named else {}


async def _load_passcode_templates(tx: Tx, wanted: Sequence[Wanted]) -> dict[UUID, list[Template]]:
    asking = sorted({item.account_id for item in wanted if item.kind is Kind.PASSCODE})
    return {account_id: await templates.load_all(tx, account_id) for account_id in asking}
