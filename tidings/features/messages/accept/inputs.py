"""Everything that deciding about a batch of requests needs, looked up together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tidings.context import Context
from tidings.engine.db.errors import Conflict
from tidings.engine.db.reads import Read
from tidings.engine.db.tx import Tx
from tidings.features.accounts.clocks import require_clocks
from tidings.features.accounts.lookup import (
    are_present,
    assume_accounts,
    load_accounts,
    read_present,
)
from tidings.features.accounts.model import Account
from tidings.features.billing.charging.charge import Funding, FundingReads, begin_funding
from tidings.features.billing.subscriptions import lookup as subscriptions
from tidings.features.billing.subscriptions.lookup import load_subscriptions
from tidings.features.events import lookup as events
from tidings.features.events.model import Event
from tidings.features.media import references as uses
from tidings.features.recipients import contacts
from tidings.features.recipients.contacts import Contact
from tidings.features.senders import capacity_reads
from tidings.features.senders import lookup as senders
from tidings.features.senders.capacity import Capacity
from tidings.features.senders.capacity_reads import CapacityReads
from tidings.features.senders.contention import ContendedNumbers
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number
from tidings.features.templates import lookup as templates_lookup
from tidings.features.templates.lookup import has_passcodes, load_templates
from tidings.features.templates.model import Template

from ..model import Message, MessageRequest
from .idempotency_store import UsedAt, load_originals, read_used
from .rules import takes_end_from_event

CACHED = (senders.KIND, templates_lookup.KIND, subscriptions.KIND)  # before the look-up is sent
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
    clocks: dict[UUID, timedelta]  # of sandbox accounts, to be compared by the write

    async def save_reservations(self, tx: Tx) -> None:
        """First of all writes, in the order of locks: accounts, numbers."""
        if self.clocks:
            require_clocks(tx, self.clocks)
        await self.capacity.save(tx)


async def load_inputs(
    ctx: Context, tx: Tx, requests: Sequence[MessageRequest], *, locking: bool
) -> AcceptanceInputs:
    """One query where nothing is locked and the accounts are cached.

    `locking`: locks all numbers first, for a batch that is not written in one statement. Otherwise
    only numbers that other transactions write at the same time are locked.
    """
    account_ids = sorted({one.account_id for one in requests})
    holds_clocks = await _lock(tx, account_ids, locking=locking)
    found = await _look_up(tx, account_ids, requests)
    if found is None:
        await load_accounts(tx, account_ids)
        found = await _look_up(tx, account_ids, requests)
    if found is None:
        raise Conflict("an account changes at the same time")
    originals = await load_originals(tx, found.used.result)
    events_of = [one for one in requests if one.event_id is not None]
    return AcceptanceInputs(
        accounts=found.accounts,
        numbers=found.numbers,
        templates=found.templates,
        capacity=found.capacity.capacity(),
        originals=originals,
        used_ids=frozenset(originals),
        people=found.people.result,
        funding=found.funding.funding(),
        files=await uses.lock_existing(
            tx,
            [(one.account_id, one.file.media_id) for one in requests if one.file is not None],
        ),
        public_url=ctx.settings.public_url,
        events=await events.load_events(
            tx,
            [(one.account_id, one.event_id) for one in events_of if one.event_id is not None],
            for_share=any(map(takes_end_from_event, events_of)),
        ),
        clocks={}
        if holds_clocks
        else {key: one.clock for key, one in found.accounts.items() if one.is_sandbox},
    )


async def _lock(tx: Tx, account_ids: Sequence[UUID], *, locking: bool) -> bool:
    """In the order of locks: accounts, numbers. Whether the clocks of the accounts are locked."""
    contended = tx.of_process(ContendedNumbers).take(account_ids)
    if not locking and not contended:
        return False
    await load_accounts(tx, account_ids, for_share=True)
    if locking:
        own = await load_numbers(tx, account_ids)
        contended = [(key, one.number) for key, numbers in own.items() for one in numbers]
    await capacity_reads.lock_numbers(tx, contended)
    return True


@dataclass(frozen=True, slots=True)
class _LookedUp:
    accounts: dict[UUID, Account]
    numbers: dict[UUID, list[Number]]
    templates: dict[UUID, dict[str, list[Template]]]
    capacity: CapacityReads
    funding: FundingReads
    used: Read[UsedAt]
    people: Read[dict[contacts.Key, Contact]]


async def _look_up(
    tx: Tx, account_ids: Sequence[UUID], requests: Sequence[MessageRequest]
) -> _LookedUp | None:
    """None: what this process has cached of the accounts, which says what to look up, is outdated;
    it is dropped."""
    accounts = assume_accounts(tx, account_ids, CACHED) or await load_accounts(tx, account_ids)
    numbers = await load_numbers(tx, account_ids)
    templates = await load_templates(tx, account_ids)
    with_passcodes = {key for key, named in templates.items() if has_passcodes(named)}
    await load_subscriptions(tx, account_ids)  # also of accounts that need none: for `CACHED`
    people = [(one.account_id, one.to) for one in requests]
    found = _LookedUp(
        accounts,
        numbers,
        templates,
        capacity_reads.begin(tx, accounts, numbers, people, with_passcodes=with_passcodes),
        await begin_funding(tx, accounts, people),
        read_used([(one.account_id, one.client_message_id) for one in requests]),
        contacts.read_contacts(people),
    )
    present = read_present(account_ids)
    await tx.read(present, found.used, found.people, *found.capacity.all, *found.funding.all)
    return found if are_present(tx, accounts, present.result) else None
