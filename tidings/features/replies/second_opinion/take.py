"""What a second opinion does to an invitation: the same as the guest's own plain words would.

It counts only if the reply it is about is still the guest's last word and nobody has settled the
answer (compare and set, under the locks of a reply). Otherwise, where the guest was not understood
by anybody, the question is asked back that has waited for the opinion.
"""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.events import counting, invitation_states, invitations
from tidings.features.events.model import Invitation
from tidings.features.messages.read import lookup
from tidings.features.webhooks.publish import Event, publish

from .. import events, store, timers
from ..reading.reader import Reading
from . import jobs, rules
from .model import Asked


async def conclude(tx: Tx, job: Job, reading: Reading | None) -> bool:
    """Whether the opinion was used; None: there is none."""
    asked, key = jobs.read_payload(job), timers.invitation_key(job)
    account = (await load_accounts(tx, [job.account_id]))[job.account_id]
    found = await _lock(tx, key)
    if rules.is_overtaken(found, asked):
        return False
    invitation = next((one for one in found if one.message_id == key[1]), None)
    if invitation is None:
        return False
    if reading is not None and await _counts(tx, invitation, asked):
        await _answer(tx, account, invitation, found, reading, asked)
        return True
    await _ask_back(tx, account, invitation)
    return False


async def _counts(tx: Tx, invitation: Invitation, asked: Asked) -> bool:
    """Also not after a reaction or an opt-out: no replies, but words since."""
    if not rules.is_about(invitation, asked):
        return False
    guest = (invitation.account_id, invitation.phone)
    return not await store.has_written_since(tx, *guest, asked.at)


async def _lock(tx: Tx, key: tuple[UUID, UUID]) -> list[Invitation]:
    """The guest's invitations to the event of the one that the job names."""
    named = (await invitations.find_all(tx, [key])).get(key)
    if named is None:
        return []
    if named.event_id is None:
        return list((await invitations.lock(tx, [key])).values())
    return await invitations.lock_of_event(tx, named.account_id, named.event_id, named.phone)


async def _ask_back(tx: Tx, account: Account, invitation: Invitation) -> None:
    text = invitation_states.ask_back(invitation, account.now(tx.now))
    if text is not None and invitation.unclear is not None:
        number = invitation.unclear.number
        await invitations.save(tx, [invitation])
        await queue.enqueue(tx, [timers.prompt(tx, account, invitation, text, number)])


async def _answer(
    tx: Tx,
    account: Account,
    invitation: Invitation,
    found: Sequence[Invitation],
    reading: Reading,
    asked: Asked,
) -> None:
    now = account.now(tx.now)
    verdict = invitation_states.replied(invitation, reading.answer, reading.guests, asked.at, now)
    invitation.confidence = reading.confidence
    invitation_states.share(invitation, found)
    await invitations.save(tx, found)
    if invitation.event_id is not None:
        await counting.forget(tx, account.id, invitation.event_id)
    key = (account.id, invitation.message_id)
    message = (await lookup.find_messages(tx, [key]))[key]
    data = events.second_opinion_data(message, invitation)
    kind = events.BY_NAME[verdict.event]
    event = Event(account, kind, now, data, message.id, invitation.event_id)
    await publish(tx, [event])
