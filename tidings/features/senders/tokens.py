"""Platform access tokens, sealed at rest and bound to their number."""

from uuid import UUID

import structlog

from tidings.secrets import Sealer, Secret, Unsealable

from .model import Number

log = structlog.get_logger()


def seal_token(sealer: Sealer, account_id: UUID, number: str, token: str) -> bytes:
    return sealer.seal(token, _context(account_id, number))


def open_token(sealer: Sealer, account_id: UUID, number: Number) -> Secret | None:
    """The token to send with. None: it has none (sandbox), or one that does not open any more: that
    is like one which the platform does not know. The log tells; `tidings apply` gives another."""
    if number.access_token is None:
        return None
    try:
        return sealer.open(number.access_token, _context(account_id, number.number))
    except Unsealable:
        log.error("token.unsealable", account=account_id.hex, number=number.number)
        return None


def is_shut(sealer: Sealer, account_id: UUID, number: Number) -> bool:
    """Whether it has a token that does not open."""
    token = number.access_token
    return token is not None and not sealer.opens(token, _context(account_id, number.number))


def _context(account_id: UUID, number: str) -> str:
    return f"numbers/{account_id}/{number}"
