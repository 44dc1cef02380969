"""Choose a password: good enough, hashed; the present one is asked for first."""

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError

from . import attempts, person_store, session_store
from .model import Person, Session
from .recording import actor_of, record_person
from .rules import PeopleCode, require_good_password
from .sign_in import check_password


async def hash_new(ctx: Context, password: str, *known: str) -> str:
    """The hash of a password that nobody guesses easily, also who knows this about its person."""
    await ctx.passwords.run(lambda: require_good_password(password, known))
    return await ctx.passwords.hash(password)


async def has_password(tx: Tx, person: Person) -> bool:
    """False: the person came by a link that asked nothing."""
    return (await person_store.load(tx, person.id)).password_hash is not None


async def change_password(
    ctx: Context, session: Session, present: str, wanted: str, address: str
) -> None:
    """Ends the person's other sessions: whoever knew the old password is out."""
    person = session.person
    attempt = None
    if await ctx.db.transact(lambda tx: has_password(tx, person)):
        try:
            _, attempt = await check_password(ctx, person.email, present, address)
        except ApiError as refusal:
            if refusal.code is not PeopleCode.SIGN_IN_REFUSED:
                raise
            raise ApiError(PeopleCode.PASSWORD_WRONG, field="present") from None
    hashed = await hash_new(ctx, wanted, person.email)

    async def work(tx: Tx) -> None:
        if attempt is not None:
            await attempts.take_back(tx, attempt)
        await person_store.set_password(tx, person.id, hashed)
        await session_store.delete_others(tx, person.id, session.id)
        actor = actor_of(person, address)
        await record_person(tx, actor, "password.changed", person.id, person.email)

    await ctx.db.transact(work)
