"""Send a sandbox account an example of an event: POST /sandbox/v1/webhooks, `tidings trigger`.

It is delivered like every event: signed, retried and in the feed. It belongs to no message; if the
kind has `meta`, that marks it as an example.
"""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from tidings import times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.endpoint import Auth, Endpoint, Request, Response
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.wording import quote

from . import examples, responses
from .event_kinds import EXAMPLE_TIME, EventKind
from .publish import Event, publish


class TriggerBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /sandbox/v1/webhooks"""

    type: str


@Endpoint(
    auth=Auth.SANDBOX,
    body=TriggerBody,
    data=responses.Triggered,
    tag="Sandbox",
    example=examples.POST_TRIGGER,
)
async def post_trigger(ctx: Context, request: Request) -> Response:
    """Trigger an event.

    An example of the event is posted to your webhook URL, signed as a real one.
    """
    kind = require_kind(ctx.event_kinds, request.body.type)
    webhook_id = await ctx.db.transact(lambda tx: trigger(tx, request.account.id, kind))
    return Response(responses.Triggered(webhook_id, kind.name))


def require_kind(kinds: Mapping[str, EventKind], name: str) -> EventKind:
    if name not in kinds:
        problem = f"type must be one of {', '.join(kinds)}, got {quote(name)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="type")
    return kinds[name]


async def trigger(tx: Tx, account_id: UUID, kind: EventKind) -> str:
    account = (await load_accounts(tx, [account_id]))[account_id]
    assert account.is_sandbox, "a live account gets no examples"
    now = account.now(tx.now)
    example = msgspec.json.encode(kind.example)
    data = msgspec.Raw(example.replace(EXAMPLE_TIME.encode(), times.to_wire(now).encode()))
    [webhook_id] = await publish(tx, [Event(account, kind, now, data)])
    return webhook_id
