"""Record in the audit log what assistants do through the API (`X-Assistant`).

The entry is written before the request is carried out: a crash in between leaves an entry too many,
never one too few. The request's id leads to its result in the log of API calls.
"""

from msgspec import UNSET

from tidings.context import Context
from tidings.engine.http import assistant, idempotency_key
from tidings.engine.http.endpoint import Request, Route
from tidings.engine.http.idempotency_key import HEADER as KEY_HEADER
from tidings.features.accounts.keys import prefix_of
from tidings.features.audit.record import Actor, Entry, record
from tidings.limits import CLIENT_MESSAGE_ID_CHARS, LOOKUP_ID_CHARS_MAX

ACTION = "api.called"
_PREFIX = "/api/v1"
_SHOWN = ("batchId", "eventId", "webhookId")  # of the path; people's numbers are not recorded


async def record_act(ctx: Context, route: Route, request: Request) -> None:
    if not assistant.is_act(route, request):
        return
    entry = Entry(
        actor=Actor("assistant", assistant.name_of(request), request.address),
        action=ACTION,
        subject=f"{route.method} {route.path.removeprefix(_PREFIX)}",
        account_id=request.account.id,
        details=_details(route, request),
    )
    await ctx.db.transact(lambda tx: record(tx, entry))


def _details(route: Route, request: Request) -> dict[str, str]:
    found = {"requestId": request.id, "key": prefix_of(request.headers[b"x-api-key"].decode())}
    for name in _SHOWN:
        if name in request.params:
            found[name] = request.params[name][:LOOKUP_ID_CHARS_MAX]
    client_message_id = _client_message_id(route, request)
    if client_message_id is not None and not route.is_secret:  # a passcode may be in it
        found["clientMessageId"] = client_message_id
    return found


def _client_message_id(route: Route, request: Request) -> str | None:
    given = getattr(request.body, "client_message_id", UNSET)
    if given is UNSET and route.keyed_body is not None and KEY_HEADER in request.headers:
        return idempotency_key.read(request.headers)[: CLIENT_MESSAGE_ID_CHARS.high]
    return None if given is UNSET else given
