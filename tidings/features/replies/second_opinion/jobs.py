"""The job that asks for a second opinion, after the transaction of the reply."""

import msgspec

from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob, Pool
from tidings.features.events.model import Invitation

from ..model import GuestReply
from .model import Asked

KIND = "reply.second_opinion"
# Of its own: a slow server must not hold up timers, and four at once cost nobody a connection.
POOL = Pool("opinions", slots=4, group=1)


def ask_about(tx: Tx, reply: GuestReply, invitation: Invitation) -> NewJob:
    account, item = reply.account, reply.item
    asked = Asked(reply_id=item.platform_id, at=item.at, since=tx.now)
    return NewJob(
        account_id=account.id,
        pool=POOL.name,
        kind=KIND,
        subject=invitation.message_id.hex,
        due_at=tx.now,
        clock=account.clock,
        payload=msgspec.json.encode(asked),
    )


def read_payload(job: Job) -> Asked:
    return msgspec.json.decode(job.payload or "", type=Asked)
