"""A date that changes while an invitation is being accepted: none keeps the old end (4.10)."""

import asyncio

import msgspec

from tests.support.invitations import event_body, invite, later, register
from tests.support.service import TestAccount, TestService
from tidings.engine.db.tx import Tx
from tidings.features.events import parse
from tidings.features.events.lookup import load_events
from tidings.features.events.register import register as register_event


def test_a_change_waits_for_those_who_take_their_end_from_the_event(
    service: TestService, account: TestAccount
) -> None:
    """Acceptance holds the event; whoever changes it comes after, and sees the invitation."""
    register(account, eventDate=later(days=10))
    invite(account)
    order: list[str] = []

    async def race() -> None:
        held, db = asyncio.Event(), service.ctx.db

        async def accepting(tx: Tx) -> None:
            await load_events(tx, [(account.id, "wedding")], for_share=True)
            held.set()
            while not await _is_waited_for(tx):
                await asyncio.sleep(0.01)
            order.append("accepted")

        async def changing(tx: Tx) -> None:
            settings = parse.settings(body, allow_private=True)
            await register_event(tx, account.id, "wedding", settings, confirmed=True)
            order.append("changed")

        accept = asyncio.create_task(db.transact(accepting))
        await held.wait()
        await asyncio.gather(accept, db.transact(changing))

    body = msgspec.convert(event_body(eventDate=later(days=20)), parse.EventBody)
    service.call(race)
    assert order == ["accepted", "changed"]


async def _is_waited_for(tx: Tx) -> bool:
    """Whether another transaction waits for a row that this one holds."""
    found: bool = await tx.value(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid() "
        "AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"
    )
    return found


def test_an_invitation_without_an_end_of_its_own_holds_its_event(
    service: TestService, account: TestAccount
) -> None:
    """Where it names its end itself, nothing has to wait."""
    register(account, eventDate=later(days=10))
    for cid, fields, held in (
        ("invite-0001", {}, True),
        ("invite-0002", {"expiresAt": later(days=5)}, False),
    ):
        before = _lock_of(service, account)
        invite(account, cid, **fields)
        assert (_lock_of(service, account) != before) is held


def _lock_of(service: TestService, account: TestAccount) -> str:
    """A row lock leaves its transaction in the row's header."""
    (row,) = service.sql("SELECT xmax::text FROM events WHERE account_id = $1", account.id)
    found: str = row["xmax"]
    return found
