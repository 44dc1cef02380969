"""Sessions of the portal: opened at sign-in, found by the browser's token, ended.

Only the SHA-256 of a token is kept. A session ends after twelve idle hours.
"""

from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.ids import new_id
from tidings.secrets import key_hash, new_token

from . import session_store
from .model import AccountRef, Membership, OpenSession, Session
from .recording import actor_of, record_person


async def find_session(tx: Tx, token: str, *, is_visit: bool = True) -> Session | None:
    """The session of this token, in one query; None where it is unknown, over or not complete.

    A visit keeps it open; a page that updates itself, with nobody in front of it, does not.
    """
    if not _is_token(token):
        return None
    idle_since = tx.now - limits.SESSION_IDLE
    unseen_since = tx.now - limits.SESSION_SEEN_EVERY if is_visit else idle_since
    found = await session_store.find(
        tx, key_hash(token), idle_since=idle_since, unseen_since=unseen_since
    )
    if found is None:
        return None
    return Session(
        id=found.id,
        person=found.person,
        memberships=found.memberships,
        account_id=decide_account(found.memberships, found.chosen),
    )


async def open_session(
    tx: Tx,
    person_id: UUID,
    *,
    address: str | None,
    user_agent: str,
    is_complete: bool = True,
    account_id: UUID | None = None,
) -> str:
    """A new session with an id and a token of its own; returns the token. One that is not complete
    waits for the second factor."""
    token = new_token()
    await session_store.insert(
        tx,
        key_hash(token),
        new_id(),
        person_id,
        is_complete=is_complete,
        account_id=account_id,
        address=address,
        user_agent=user_agent[: limits.USER_AGENT_CHARS_MAX],
    )
    return token


async def end_session(tx: Tx, by: Session, session_id: UUID, address: str | None) -> bool:
    """End one session of the person, also the one that asks. False: the person has no such."""
    person = by.person
    if not await session_store.delete(tx, person.id, session_id):
        return False
    actor = actor_of(person, address)
    await record_person(tx, actor, "session.ended", person.id, person.email)
    return True


async def end_other_sessions(tx: Tx, session: Session, address: str | None) -> int:
    """End all sessions of its person but this one; how many."""
    person = session.person
    count = await session_store.delete_others(tx, person.id, session.id)
    if count:
        actor = actor_of(person, address)
        await record_person(tx, actor, "session.ended", person.id, person.email, others=count)
    return count


async def end_all_sessions(tx: Tx) -> int:
    """After a restore, which brings back sessions that were ended since; how many there were."""
    return await session_store.delete_all(tx)


async def load_sessions(tx: Tx, person_id: UUID) -> list[OpenSession]:
    """The person's open sessions, the last used first."""
    return await session_store.load_open(tx, person_id, idle_since=tx.now - limits.SESSION_IDLE)


async def choose_account(tx: Tx, session_id: UUID, account_id: UUID) -> None:
    """Show this account from now on. One that no membership has is not found."""
    if not await session_store.choose(tx, session_id, account_id):
        raise ApiError(Code.NOT_FOUND)


def decide_account(memberships: tuple[Membership, ...], chosen: UUID | None) -> UUID | None:
    """The chosen account while a membership has it; else the newest, sandbox before live."""
    accounts = [account for membership in memberships for account in membership.accounts]
    if any(account.id == chosen for account in accounts):
        return chosen
    return max(accounts, key=_preference).id if accounts else None


def _preference(account: AccountRef) -> tuple[bool, int]:
    return account.environment == "sandbox", account.id.int  # uuid7: by time


def _is_token(text: str) -> bool:
    return text.isascii() and text.isalnum() and len(text) <= limits.API_KEY_BYTES_MAX
