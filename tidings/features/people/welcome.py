"""Links that let people in: invitations, the demo's, and that for a forgotten password.

Only the hash of a link's token is kept. Looking at a link does not use it up, since mail programs
and chats look at links by themselves; joining does.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from tidings import limits
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.client_address import network_of
from tidings.errors import ApiError, Code
from tidings.features.audit.record import Actor, Entry, record
from tidings.ids import new_id
from tidings.secrets import key_hash, new_token

from . import attempts, member_store, person_store, session_store, welcome_store
from .model import Welcome
from .passwords import hash_new
from .person_store import StoredPerson
from .recording import actor_of, record_person
from .roles import Role
from .rules import PeopleCode, require_email
from .sign_in import Browser, SignedIn, check_password, enter


@dataclass(frozen=True, slots=True)
class Found:
    """`is_known`: the person exists, and the present password is asked for; else a new one is.
    Otherwise whoever invites somebody could choose the password of a person of other
    organisations."""

    link: Welcome
    is_known: bool


def link_of(url: str, token: str) -> str:
    """`url`: the public address of this installation."""
    return f"{url}/portal/welcome?token={token}"


async def invite_member(
    tx: Tx,
    organisation_id: UUID,
    email: str,
    role: Role,
    actor: Actor,
    account_id: UUID | None = None,
) -> str:
    """Invite somebody into an organisation; returns the link's token. An earlier link of theirs is
    worthless from now on. `account_id`: the account of it that they see first."""
    email = require_email(email)
    if any(
        one.email.lower() == email.lower() for one in await member_store.load(tx, organisation_id)
    ):
        raise ApiError(
            PeopleCode.MEMBER_ALREADY,
            f"{email} is a member already; change the role",
            field="email",
        )
    await _count(tx, organisation_id, actor)
    await welcome_store.withdraw(tx, organisation_id, email)
    return await _make(
        tx, email, actor, organisation_id=organisation_id, account_id=account_id, role=role
    )


async def _count(tx: Tx, organisation_id: UUID, actor: Actor) -> None:
    """Invitations are mailed to whoever one likes, by whoever has signed up: they are bounded.
    Commands are the operator's."""
    if actor.kind != "person":
        return
    subjects = [(attempts.INVITATION, organisation_id.hex)]
    if actor.address is not None:
        subjects.append((attempts.INVITING_ADDRESS, network_of(actor.address)))
    await attempts.count(tx, *subjects)


async def invite_operator(tx: Tx, email: str, actor: Actor) -> str:
    return await _make(tx, require_email(email), actor, is_operator=True)


async def offer_reset(tx: Tx, email: str, actor: Actor) -> str:
    """A link for somebody who has forgotten the password. For operators' hands only."""
    person = await person_store.find_by_email(tx, require_email(email))
    if person is None:
        raise ApiError(Code.NOT_FOUND, f"nobody has the address {email}")
    return await _make(tx, person.email, actor, resets_password=True)


async def offer_entry(tx: Tx, email: str, actor: Actor) -> str:
    """A link that signs an operator in and asks nothing, for an hour."""
    validity = limits.DEMO_WELCOME_VALIDITY
    return await _make(tx, email, actor, is_operator=True, asks_password=False, validity=validity)


async def _make(
    tx: Tx,
    email: str,
    actor: Actor,
    *,
    organisation_id: UUID | None = None,
    account_id: UUID | None = None,
    role: Role | None = None,
    is_operator: bool = False,
    asks_password: bool = True,
    resets_password: bool = False,
    validity: timedelta = limits.WELCOME_VALIDITY,
) -> str:
    token = new_token()
    link = Welcome(
        id=new_id(),
        email=email,
        organisation_id=organisation_id,
        organisation=None,
        account_id=account_id,
        role=role,
        is_operator=is_operator,
        asks_password=asks_password,
        resets_password=resets_password,
        invited_by=actor.name,
        created_at=tx.now,
        expires_at=tx.now + validity,
    )
    await welcome_store.insert(tx, key_hash(token), link)
    await record(tx, _entry(link, actor))
    return token


def _entry(link: Welcome, actor: Actor) -> Entry:
    role = None if link.role is None else link.role.value
    granted = "operator" if link.is_operator else role
    return Entry(
        actor=actor,
        action="password.reset_offered" if link.resets_password else "person.invited",
        subject=link.email,
        organisation_id=link.organisation_id,
        details={} if granted is None else {"role": granted},
    )


async def find_welcome(tx: Tx, token: str) -> Found:
    """What a link is for; one that is over, used or unknown is refused alike."""
    link = await welcome_store.find(tx, key_hash(token))
    if link is None:
        raise ApiError(PeopleCode.LINK_OVER)
    person = await person_store.find_by_email(tx, link.email)
    return Found(link, person is not None and not link.resets_password)


async def join(ctx: Context, token: str, password: str, browser: Browser) -> SignedIn:
    """Use an invitation: with the password one has, or with the one chosen now."""
    found = await ctx.db.transact(lambda tx: find_welcome(tx, token))
    email, hashed, attempt = found.link.email, None, None
    if found.is_known:
        try:
            _, attempt = await check_password(ctx, email, password, browser.address)
        except ApiError as refusal:
            if refusal.code is not PeopleCode.SIGN_IN_REFUSED:
                raise
            raise ApiError(PeopleCode.PASSWORD_WRONG, field="password") from None
    else:
        hashed = await hash_new(ctx, password, email, found.link.organisation or "")

    async def work(tx: Tx) -> SignedIn:
        if attempt is not None:
            await attempts.take_back(tx, attempt)
        if (await find_welcome(tx, token)).is_known != found.is_known:
            raise ApiError(PeopleCode.LINK_OVER)  # somebody was faster with another link
        return await _admit(tx, found.link, hashed, browser)

    return await ctx.db.transact(work)


async def open_demo(tx: Tx, token: str, browser: Browser) -> SignedIn:
    """Use the demo's link, which asks nothing."""
    found = await find_welcome(tx, token)
    if found.link.asks_password:
        raise ApiError(PeopleCode.LINK_OVER)
    return await _admit(tx, found.link, None, browser)


async def _admit(tx: Tx, link: Welcome, password_hash: str | None, browser: Browser) -> SignedIn:
    person = await _find_or_make(tx, link, password_hash)
    await welcome_store.use(tx, link.id)
    if link.is_operator:
        await person_store.make_operator(tx, person.id)
    if link.organisation_id is not None and link.role is not None:
        await member_store.put(tx, link.organisation_id, person.id, link.role)
    person = await person_store.load(tx, person.id)
    actor = actor_of(person.person, browser.address)
    what = "password.reset" if link.resets_password else "person.joined"
    await record_person(tx, actor, what, person.id, person.email)
    return await enter(tx, person, browser, link.account_id)


async def _find_or_make(tx: Tx, link: Welcome, password_hash: str | None) -> StoredPerson:
    await person_store.insert(tx, new_id(), link.email, None)
    person = await person_store.find_by_email(tx, link.email)
    assert person is not None
    if password_hash is not None:
        await person_store.set_password(tx, person.id, password_hash)
        await session_store.delete_of(tx, person.id)
    return person
