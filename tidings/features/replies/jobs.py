"""The jobs of this slice: texts to guests, and the times to look at an invitation again. Pure."""

from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob
from tidings.features.accounts.model import Account
from tidings.features.events.model import Event, Invitation
from tidings.features.events.moves import Prompt
from tidings.features.events.rules import nudge_after

POOL = "timers"
PROMPT = "invitation.prompt"
NUDGE = "invitation.nudge"
EXPIRE = "invitation.expire"


class Prompting(msgspec.Struct, frozen=True):
    """Which text goes, and from which of our numbers: that of the conversation."""

    prompt: Prompt
    number: str


def prompt(tx: Tx, account: Account, invitation: Invitation, which: Prompt, number: str) -> NewJob:
    payload = msgspec.json.encode(Prompting(which, number))
    return _job(account, PROMPT, invitation, tx.now, payload)


def read_prompting(job: Job) -> Prompting:
    return msgspec.json.decode(job.payload or "", type=Prompting)


def watch(
    account: Account, invitation: Invitation, event: Event | None, since: datetime
) -> list[NewJob]:
    """After the first reply that was not understood: a nudge, and the end."""
    end = invitation.expires_at
    found = [_job(account, EXPIRE, invitation, end - account.clock)]
    if event is not None and since + nudge_after(event) < end:
        due = since + nudge_after(event) - account.clock
        found.append(_job(account, NUDGE, invitation, due))
    return found


def _job(
    account: Account,
    kind: str,
    invitation: Invitation,
    due_at: datetime,
    payload: bytes | None = None,
) -> NewJob:
    return NewJob(
        account_id=account.id,
        pool=POOL,
        kind=kind,
        subject=invitation.message_id.hex,
        due_at=due_at,
        clock=account.clock,
        payload=payload,
    )


def key(job: Job) -> tuple[UUID, UUID]:
    """The invitation a job is about."""
    return (job.account_id, UUID(hex=job.subject))
