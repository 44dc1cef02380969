"""The Idempotency-Key header: the id of a request whose body has none. Pure.

It is read only where it is given, and ignored on routes without a `keyed_body`. Clients that send
it with every POST are common, so it is no error there.
"""

from collections.abc import Mapping

import msgspec

from tidings.engine.http.endpoint import Route
from tidings.engine.http.exchange import Exchange
from tidings.errors import ApiError, Code

NAME = "Idempotency-Key"
HEADER = b"idempotency-key"
DESCRIPTION = (
    "Your id of the message where the body has no `clientMessageId`; the same rules hold. The "
    "same request with the same key is one message. If both are given, they must be equal."
)

OF_BODY = f"`clientMessageId` may be left out if the header {NAME} is given."


def body_type(route: Route, exchange: Exchange) -> type[msgspec.Struct] | None:
    """The body of a request that has the header."""
    if route.keyed_body is None:
        return route.body
    if exchange.has_repeats and exchange.count(HEADER) > 1:
        raise refusal("is given twice; give it once")
    return route.keyed_body


def read(headers: Mapping[bytes, bytes]) -> str:
    """The key as text. The quotes around it are optional: drafts of the header's standard have
    them, most clients do not."""
    try:
        key = headers[HEADER].decode().strip()
    except UnicodeDecodeError:
        raise refusal("is not valid UTF-8 text") from None
    return key[1:-1] if len(key) > 1 and key[0] == key[-1] == '"' else key


def refusal(rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"the header {NAME} {rule}", field=NAME)
