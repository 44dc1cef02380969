"""Platform access tokens, sealed at rest and bound to their number."""

from uuid import UUID

from tidings.secrets import Sealer, Secret

from .model import Number


def seal_token(sealer: Sealer, account_id: UUID, number: str, token: str) -> bytes:
    return sealer.seal(token, _context(account_id, number))


def open_token(sealer: Sealer, account_id: UUID, number: Number) -> Secret | None:
    """The token to send with, or None for a number that has none (sandbox)."""
    if number.access_token is None:
        return None
    return sealer.open(number.access_token, _context(account_id, number.number))


def _context(account_id: UUID, number: str) -> str:
    return f"numbers/{account_id}/{number}"
