"""Send a sandbox account an example of an event: POST /sandbox/v1/webhooks, `tidings trigger`.

It goes the way of every event: signed, tried again, in the feed. Nobody is behind it, which `meta`
says where there is one.
"""

from uuid import UUID

import msgspec

from tidings import times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.messages import Reply, Request
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.wording import quote

from . import responses
from .catalogue import CATALOGUE
from .examples import EXAMPLE_TIME, EXAMPLES
from .publish import Event, publish


class TriggerBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /sandbox/v1/webhooks"""

    type: str


async def post_trigger(ctx: Context, request: Request) -> Reply:
    """Be sent an example of an event."""
    kind = require_kind(request.body.type)
    webhook_id = await ctx.db.transact(lambda tx: trigger(tx, request.account.id, kind))
    return Reply(responses.Triggered(webhook_id, kind))


def require_kind(kind: str) -> str:
    if kind not in EXAMPLES:
        kinds = ", ".join(known.name for known in CATALOGUE)
        problem = f"type must be one of {kinds}, got {quote(kind)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="type")
    return kind


async def trigger(tx: Tx, account_id: UUID, kind: str) -> str:
    account = (await load_accounts(tx, [account_id]))[account_id]
    assert account.is_sandbox, "a live account is told only what has happened"
    now = account.now(tx.now)
    example = msgspec.json.encode(EXAMPLES[kind])
    data = msgspec.Raw(example.replace(EXAMPLE_TIME.encode(), times.to_wire(now).encode()))
    [webhook_id] = await publish(tx, [Event(account, kind, now, data)])
    return webhook_id
