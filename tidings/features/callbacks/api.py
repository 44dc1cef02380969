"""GET and POST /platform/whatsapp/webhook: the platform verifies the address, then calls back.

A callback is answered 200 once its content is durable; many callbacks share a transaction. One
without a valid signature is refused; a signed one never is.
"""

import hmac
import re
from urllib.parse import parse_qsl

from tidings.context import Context
from tidings.engine.http.endpoint import Auth, Endpoint, PlainResponse, Request
from tidings.errors import ApiError, Code
from tidings.limits import CALLBACK_BYTES_MAX
from tidings.platforms.whatsapp.callbacks import read
from tidings.secrets import is_same

from .receive import receive

SIGNATURE = b"x-hub-signature-256"
CHALLENGE_CHARS_MAX = 512

_SHAPE = re.compile(rb"sha256=[0-9a-f]{64}")
_RECEIVED = PlainResponse(200, b"")


@Endpoint(
    auth=Auth.NONE,
    errors=(Code.INVALID_SIGNATURE,),
    tag="Platform",
)
async def get_webhook(ctx: Context, request: Request) -> PlainResponse:
    """Verify the callback address.

    Called by the platform when the address is set.
    """
    query = _query(request.raw_query)
    token = ctx.settings.verify_token
    valid = is_same(query.get("hub.verify_token", ""), token or "") and bool(token)
    if query.get("hub.mode") != "subscribe" or not valid:
        problem = "hub.mode must be subscribe, and hub.verify_token ours (TIDINGS_VERIFY_TOKEN)"
        raise ApiError(Code.INVALID_SIGNATURE, problem)
    return PlainResponse(200, query.get("hub.challenge", "")[:CHALLENGE_CHARS_MAX].encode())


@Endpoint(
    auth=Auth.NONE,
    raw_body=True,
    bytes_max=CALLBACK_BYTES_MAX,
    errors=(Code.INVALID_SIGNATURE,),
    tag="Platform",
)
async def post_webhook(ctx: Context, request: Request) -> PlainResponse:
    """Receive the platform's callbacks.

    Statuses, replies, changes of templates and numbers.
    """
    _require_signature(ctx, request)
    await receive(ctx, read(request.raw))
    return _RECEIVED


def _require_signature(ctx: Context, request: Request) -> None:
    secret = ctx.settings.app_secret
    if secret is None:
        problem = "callbacks are not taken: TIDINGS_APP_SECRET, which signs them, is not set"
        raise _refused(ctx, problem)
    given = request.headers.get(SIGNATURE, b"")
    if not _SHAPE.fullmatch(given):
        problem = "X-Hub-Signature-256 is missing or not sha256= and 64 hex digits"
        raise _refused(ctx, problem)
    expected = hmac.digest(secret.encode(), request.raw, "sha256").hex()
    if not is_same(given, b"sha256=" + expected.encode()):
        raise _refused(ctx, "X-Hub-Signature-256 is not the body's; is the app's secret the same?")


def _refused(ctx: Context, problem: str) -> ApiError:
    ctx.metrics.callbacks.labels("refused").inc()
    return ApiError(Code.INVALID_SIGNATURE, problem)


def _query(raw: bytes) -> dict[str, str]:
    """Names as received; the first of a repeated name counts."""
    pairs = parse_qsl(raw.decode("latin-1"), keep_blank_values=True, errors="replace")
    return dict(reversed(pairs))
