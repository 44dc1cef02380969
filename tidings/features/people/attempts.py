"""Limits of wrong sign-ins, sign-ups and invitations, in the database: all processes share them.

An attempt is counted before it is examined, and taken back when it was right, so that a thousand
guesses at once are not all examined before the first is counted.
"""

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.ids import new_id
from tidings.wording import counted

from . import attempt_store as store
from .rules import PeopleCode


@dataclass(frozen=True, slots=True)
class Limit:
    kind: str
    most: int
    window: timedelta


PASSWORD: Final = Limit("password", limits.WRONG_PER_PERSON_MAX, limits.SIGN_IN_WINDOW)
CODE: Final = Limit("code", limits.WRONG_PER_PERSON_MAX, limits.SIGN_IN_WINDOW)
ADDRESS: Final = Limit("address", limits.WRONG_PER_ADDRESS_MAX, limits.SIGN_IN_WINDOW)
SIGN_UP: Final = Limit("sign_up", limits.SIGN_UPS_PER_ADDRESS_MAX, limits.SIGN_UP_WINDOW)
INVITATION: Final = Limit(
    "invitation", limits.INVITATIONS_PER_ORGANISATION_MAX, limits.INVITATION_WINDOW
)
INVITING_ADDRESS: Final = Limit(
    "inviting_address", limits.INVITATIONS_PER_ADDRESS_MAX, limits.INVITATION_WINDOW
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Counted already. `take_back` where it was no wrong one."""

    id: UUID
    subjects: tuple[tuple[Limit, str], ...]


def person_subject(email: str) -> str:
    """Of people who do not exist, too: a limit must not tell."""
    return hashlib.sha256(email.lower().encode()).hexdigest()


async def count(tx: Tx, *subjects: tuple[Limit, str]) -> Attempt:
    """Count an attempt against each limit, or refuse it where one is used up."""
    for limit, subject in subjects:
        await store.lock(tx, limit.kind, subject)
        since = tx.now - limit.window
        oldest = await store.find_oldest(tx, limit.kind, subject, since, limit.most)
        if oldest is not None:
            raise _refusal(oldest + limit.window - tx.now)
    attempt = Attempt(new_id(), subjects)
    for limit, subject in subjects:
        await store.insert(tx, limit.kind, subject, attempt.id)
    return attempt


async def take_back(tx: Tx, attempt: Attempt) -> None:
    for limit, subject in attempt.subjects:
        await store.delete(tx, limit.kind, subject, attempt.id)


async def forget(tx: Tx, limit: Limit, subject: str) -> None:
    """After a whole sign-in, the wrong ones before it do not count."""
    await store.delete(tx, limit.kind, subject, None)


async def purge(tx: Tx) -> int:
    return await store.delete_before(
        tx, tx.now - max(PASSWORD.window, SIGN_UP.window, INVITATION.window)
    )


def _refusal(wait: timedelta) -> ApiError:
    minutes = max(1, -(-wait // timedelta(minutes=1)))
    return ApiError(
        PeopleCode.TOO_MANY_TRIES,
        f"Too many tries; wait for {counted(minutes, 'minute')} and try again.",
        retry_after=minutes * 60,
        minutes=minutes,
    )
