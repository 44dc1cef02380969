"""Send an event's text to a guest: invalidReply, nudge, expired (4.10).

To the platform and the guest it is a message like any other, but it is not the customer's: not
charged, not published in events, sent from the number of the conversation, only while its window is
open. If it cannot be sent (opted out, window closed, number removed), it is dropped.
"""

from datetime import datetime

import structlog

from tidings import limits
from tidings.context import Context
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.events import invitations
from tidings.features.events.invitation_states import Prompt, State, state_at
from tidings.features.events.lookup import load_events
from tidings.features.events.model import Invitation, Texts
from tidings.features.messages.accept.accept import Accepted, accept
from tidings.features.messages.accept.decide import OptedOut
from tidings.features.messages.model import MessageKind, MessageRequest
from tidings.features.messages.send.dispatch import Claimed, dispatch_all
from tidings.platforms.content import Text

from . import rules, timers

log = structlog.get_logger()


async def run(ctx: Context, jobs: list[Job]) -> None:
    """The handler of `invitation.prompt`: accepted in the transaction that ends the job."""
    claimed = await ctx.db.transact(lambda tx: _accept(ctx, tx, jobs))
    if claimed:
        await dispatch_all(ctx, claimed)


async def _accept(ctx: Context, tx: Tx, jobs: list[Job]) -> list[Claimed]:
    requests = await _requests(tx, jobs)
    results = (await accept(ctx, tx, requests)).results if requests else []
    await queue.complete(tx, jobs)
    for request, one in zip(requests, results, strict=True):
        if isinstance(one, ApiError | OptedOut):
            reason = one.code.name if isinstance(one, ApiError) else "OPTED_OUT"
            log.info("prompt.dropped", account=request.account_id, reason=reason)
        elif isinstance(one, Exception):
            raise one
    accepted = [one for one in results if isinstance(one, Accepted)]
    return [one.claimed for one in accepted if one.claimed is not None]


async def _requests(tx: Tx, jobs: list[Job]) -> list[MessageRequest]:
    accounts = await load_accounts(tx, {job.account_id for job in jobs})
    found = await invitations.find_all(tx, [timers.invitation_key(job) for job in jobs])
    events = await load_events(
        tx, [(one.account_id, one.event_id) for one in found.values() if one.event_id]
    )
    requests = []
    for job in jobs:
        invitation = found[timers.invitation_key(job)]
        event = events[invitation.account_id, invitation.event_id or ""]
        now = accounts[job.account_id].now(tx.now)
        requests += _message(job, invitation, event.settings.texts, now)
    return requests


def _message(job: Job, invitation: Invitation, texts: Texts, now: datetime) -> list[MessageRequest]:
    prompting = timers.read_payload(job)
    state = state_at(invitation.answer, invitation.expires_at, now)
    if prompting.prompt is Prompt.NUDGE and state is not State.OPEN:
        return []  # answered while the nudge was on its way
    body = {
        Prompt.INVALID_REPLY: texts.invalid_reply,
        Prompt.NUDGE: texts.nudge,
        Prompt.EXPIRED: texts.expired,
    }[prompting.prompt]
    return [
        MessageRequest(
            account_id=job.account_id,
            client_message_id=rules.prompt_id(invitation.message_id, prompting.prompt.value),
            to=invitation.phone,
            kind=MessageKind.PROMPT,
            free=Text(body),
            sent_from=prompting.number,
            from_policy="strict",
            deadline=now + limits.CONVERSATION_WINDOW,
        )
    ]
