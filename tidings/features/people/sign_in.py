"""Sign in: password, then the code of the second factor where one is turned on.

A wrong address and a wrong password take the same time and get the same answer.
"""

from dataclasses import dataclass
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.client_address import network_of
from tidings.errors import ApiError
from tidings.secrets import key_hash

from . import attempts, person_store, session_store
from .attempts import Attempt
from .person_store import StoredPerson
from .recording import actor_of, record_person
from .rules import PeopleCode
from .second_factor import use_code
from .sessions import open_session


@dataclass(frozen=True, slots=True)
class Browser:
    """Where a sign-in comes from."""

    address: str
    user_agent: str


@dataclass(frozen=True, slots=True)
class SignedIn:
    """`token` is of a session; where `needs_code`, of one that waits for the second factor."""

    token: str
    needs_code: bool


async def sign_in(ctx: Context, email: str, password: str, browser: Browser) -> SignedIn:
    """A session of its own for each sign-in, or a refusal that does not say what was wrong."""
    known, attempt = await check_password(ctx, email, password, browser.address)
    renewed = None
    if known.password_hash is not None and ctx.passwords.is_outdated(known.password_hash):
        renewed = await ctx.passwords.hash(password)

    async def work(tx: Tx) -> SignedIn:
        await attempts.take_back(tx, attempt)
        person = await person_store.load(tx, known.id)
        if person.password_hash != known.password_hash:  # changed meanwhile
            raise ApiError(PeopleCode.SIGN_IN_REFUSED)
        if renewed is not None:
            await person_store.set_password(tx, person.id, renewed)
        return await enter(tx, person, browser)

    return await ctx.db.transact(work)


async def check_password(
    ctx: Context, email: str, password: str, address: str
) -> tuple[StoredPerson, Attempt]:
    """The person whose password this is. The attempt stays counted until it is taken back."""
    email = email.strip()
    subject = attempts.person_subject(email)

    async def begin(tx: Tx) -> tuple[StoredPerson | None, Attempt]:
        by_address = attempts.ADDRESS, network_of(address)
        attempt = await attempts.count(tx, (attempts.PASSWORD, subject), by_address)
        return await person_store.find_by_email(tx, email), attempt

    person, attempt = await ctx.db.transact(begin)
    is_too_long = len(password) > limits.PASSWORD_CHARS.high
    hashed = None if person is None or is_too_long else person.password_hash
    is_right = await ctx.passwords.is_right(hashed, password[: limits.PASSWORD_CHARS.high])
    if person is None or not is_right:
        raise ApiError(PeopleCode.SIGN_IN_REFUSED)
    return person, attempt


async def enter(
    tx: Tx, person: StoredPerson, browser: Browser, account_id: UUID | None = None
) -> SignedIn:
    """Open a session after a right password or a valid welcome link. `account_id`: the account it
    shows first."""
    needs_code = person.totp is not None
    token = await open_session(
        tx,
        person.id,
        address=browser.address,
        user_agent=browser.user_agent,
        is_complete=not needs_code,
        account_id=account_id,
    )
    if not needs_code:
        await _entered(tx, person, browser)
    return SignedIn(token, needs_code)


async def pass_code(ctx: Context, token: str, code: str, browser: Browser) -> SignedIn:
    """The second step: the session that waits for it is replaced by a complete one."""
    person_id, attempt = await ctx.db.transact(lambda tx: _begin_code(tx, token, browser))

    async def work(tx: Tx) -> SignedIn:
        person = await person_store.load(tx, person_id)
        if not await use_code(tx, ctx.sealer, person, code):
            raise ApiError(PeopleCode.CODE_REFUSED, field="code")
        await attempts.take_back(tx, attempt)
        await attempts.forget(tx, attempts.CODE, str(person.id))
        await session_store.delete_by_token(tx, key_hash(token))
        opened = await open_session(
            tx, person.id, address=browser.address, user_agent=browser.user_agent
        )
        await _entered(tx, person, browser)
        return SignedIn(opened, needs_code=False)

    return await ctx.db.transact(work)


async def _begin_code(tx: Tx, token: str, browser: Browser) -> tuple[UUID, Attempt]:
    since = tx.now - limits.SECOND_FACTOR_WAIT
    person_id = await session_store.find_waiting(tx, key_hash(token), since)
    if person_id is None:
        raise ApiError(PeopleCode.SIGN_IN_REFUSED)
    by_address = attempts.ADDRESS, network_of(browser.address)
    return person_id, await attempts.count(tx, (attempts.CODE, str(person_id)), by_address)


async def is_waiting(tx: Tx, token: str) -> bool:
    """Whether the code of the second factor is asked for."""
    since = tx.now - limits.SECOND_FACTOR_WAIT
    return await session_store.find_waiting(tx, key_hash(token), since) is not None


async def _entered(tx: Tx, person: StoredPerson, browser: Browser) -> None:
    await attempts.forget(tx, attempts.PASSWORD, attempts.person_subject(person.email))
    actor = actor_of(person.person, browser.address)
    await record_person(tx, actor, "session.opened", person.id, person.email)
