"""The account's numbers and their access tokens, for other slices."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from tidings.engine.db.tx import Tx
from tidings.features.accounts.sealed import SealedColumn
from tidings.secrets import Sealer, Secret, Unsealable

from . import history_store, store
from .model import Number, NumberChange

log = structlog.get_logger()

KIND = "numbers"
SEALED = SealedColumn(
    "numbers", "access_token", ("account_id", "number"), lambda key: _context(key[0], key[1])
)


async def load_numbers(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Number]]:
    """The accounts' numbers in order of preference; cached while nothing changes."""
    return await tx.cache.load(KIND, account_ids, lambda missing: store.load_numbers(tx, missing))


async def load_history(tx: Tx, account_id: UUID, number: str, size: int) -> list[NumberChange]:
    """The latest changes of a number's status, quality and limit, the newest first."""
    return await history_store.load(tx, account_id, number, size)


@dataclass(frozen=True, slots=True)
class FaultyNumber:
    """A number that the platform refuses: it has opened its circuit, or is not confirmed."""

    account_id: UUID
    account: str
    number: str
    status: str
    fault: str | None  # the failure's code
    since: datetime | None
    refusal: str | None  # in the platform's words


async def load_faulty_numbers(tx: Tx, size: int) -> list[FaultyNumber]:
    """Of all accounts, by name."""
    return [FaultyNumber(*row) for row in await store.load_faulty(tx, size)]


# Access tokens are sealed at rest and bound to their number.


def seal_token(sealer: Sealer, account_id: UUID, number: str, token: str) -> bytes:
    return sealer.seal(token, _context(account_id, number))


def open_token(sealer: Sealer, account_id: UUID, number: Number) -> Secret | None:
    """The token to send with. None: the number has none (sandbox), or it does not unseal. The
    latter is logged and treated like a token the platform rejects; `tidings apply` replaces it."""
    if number.access_token is None:
        return None
    try:
        return sealer.open(number.access_token, _context(account_id, number.number))
    except Unsealable:
        log.error("token.unsealing_failed", account=account_id, number=number.number)
        return None


def is_unsealable(sealer: Sealer, account_id: UUID, number: Number) -> bool:
    """Whether it has a token that does not unseal."""
    token = number.access_token
    return token is not None and not sealer.opens(token, _context(account_id, number.number))


def _context(account_id: UUID, number: str) -> str:
    return f"numbers/{account_id}/{number}"
