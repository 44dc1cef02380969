"""Sessions: found by their token in one query, ended by idleness, bound to memberships."""

from uuid import UUID

import pytest

from tests.support.accounts import make
from tests.support.clock import ManualClock
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.model import AccountSpec
from tidings.features.people import sessions
from tidings.features.people.model import Session
from tidings.features.people.roles import Role
from tidings.ids import new_id

pytestmark = pytest.mark.anyio


async def member(db: Database, *account_ids: UUID, role: str = "owner") -> UUID:
    """Somebody with this role in the organisations of these accounts."""
    person_id = new_id()

    async def insert(tx: Tx) -> None:
        await tx.run(
            "INSERT INTO people (id, email, created_at) VALUES ($1, $2, $3)",
            person_id,
            f"{person_id.hex}@example.com",
            tx.now,
        )
        await tx.run(
            """
            INSERT INTO memberships (organisation_id, person_id, role, created_at)
            SELECT DISTINCT organisation_id, $1::uuid, $2, $3::timestamptz
              FROM accounts WHERE id = ANY($4::uuid[])
            """,
            person_id,
            role,
            tx.now,
            list(account_ids),
        )

    await db.transact(insert)
    return person_id


async def open_session(db: Database, person_id: UUID, *, is_complete: bool = True) -> str:
    return await db.transact(
        lambda tx: sessions.open_session(
            tx, person_id, address="192.0.2.1", user_agent="Firefox", is_complete=is_complete
        )
    )


async def find(db: Database, token: str) -> Session | None:
    return await db.transact(lambda tx: sessions.find_session(tx, token))


async def load(db: Database, token: str) -> Session:
    found = await find(db, token)
    assert found is not None
    return found


async def test_a_session_knows_its_person_and_the_accounts_of_each_organisation(
    db: Database,
) -> None:
    live = await make(db, AccountSpec(name="acme", environment="live"))
    sandbox = await make(
        db, AccountSpec(name="acme-test", environment="sandbox", organisation="acme")
    )
    other = await make(db, AccountSpec(name="other", environment="sandbox"))
    person_id = await member(db, live.id, role="sender")
    found = await load(db, await open_session(db, person_id))
    assert found.person.id == person_id
    [membership] = found.memberships
    assert (membership.organisation, membership.role) == ("acme", Role.SENDER)
    assert [account.name for account in membership.accounts] == ["acme", "acme-test"]
    assert found.account_id == sandbox.id
    assert found.role_in(live.id) is Role.SENDER
    assert found.role_in(other.id) is None


async def test_only_an_account_of_a_membership_can_be_chosen(db: Database) -> None:
    live = await make(db, AccountSpec(name="acme", environment="live"))
    await make(db, AccountSpec(name="acme-test", environment="sandbox", organisation="acme"))
    other = await make(db, AccountSpec(name="other", environment="sandbox"))
    token = await open_session(db, await member(db, live.id))
    session = await load(db, token)
    await db.transact(lambda tx: sessions.choose_account(tx, session.id, live.id))
    assert (await load(db, token)).account_id == live.id
    with pytest.raises(ApiError, match="NOT_FOUND"):
        await db.transact(lambda tx: sessions.choose_account(tx, session.id, other.id))
    assert (await load(db, token)).account_id == live.id


async def test_a_session_ends_after_idle_hours_and_every_use_prolongs_it(
    db: Database, clock: ManualClock
) -> None:
    token = await open_session(db, await member(db))
    for _ in range(3):
        clock.advance(hours=11, minutes=58)
        assert await find(db, token) is not None
    clock.advance(hours=12)
    assert await find(db, token) is None


async def test_use_is_written_once_a_minute(db: Database, clock: ManualClock) -> None:
    person_id = await member(db)
    token = await open_session(db, person_id)

    async def version() -> str:
        rows = await db.rows("SELECT xmin::text FROM sessions")
        found: str = rows[0]["xmin"]
        return found

    first = await version()
    clock.advance(minutes=1)
    assert await find(db, token) is not None
    assert await version() == first
    clock.advance(seconds=1)
    assert await find(db, token) is not None
    assert await version() != first


async def test_what_is_no_complete_session_is_not_found(db: Database) -> None:
    person_id = await member(db)
    assert await find(db, await open_session(db, person_id, is_complete=False)) is None
    for text in ("", "unknown", "a" * 10_000, "\x00", "é"):
        assert await find(db, text) is None


async def test_other_sessions_end_and_this_one_stays(db: Database) -> None:
    person_id = await member(db)
    tokens = [await open_session(db, person_id) for _ in range(3)]
    foreign = await open_session(db, await member(db))
    session = await load(db, tokens[1])
    assert len(await db.transact(lambda tx: sessions.load_sessions(tx, person_id))) == 3
    assert await db.transact(lambda tx: sessions.end_other_sessions(tx, session, None)) == 2
    assert [await find(db, token) is not None for token in tokens] == [False, True, False]
    assert await find(db, foreign) is not None
    await db.transact(lambda tx: sessions.end_session(tx, session, session.id, None))
    assert await find(db, tokens[1]) is None
