"""`tidings privacy`: data goes to stdout, everything else is said on stderr."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from tidings import phone, times
from tidings.app import Service
from tidings.cli.actor import command_actor
from tidings.cli.database import load_account, opened, transact_for
from tidings.cli.output import Refused, print_json, print_table, say, write_data
from tidings.cli.runner import load_settings, run
from tidings.clock import SystemClock
from tidings.context import Context
from tidings.engine import log
from tidings.features.accounts.model import Account
from tidings.features.privacy.erase import erase_person
from tidings.features.privacy.export import export_person, record_export
from tidings.features.privacy.find import find_person
from tidings.features.privacy.model import Erased, Kept
from tidings.wording import counted

T = TypeVar("T")


def find(account: str, number: str, *, as_json: bool) -> None:
    person = _require(number)
    found = transact_for(account, lambda tx, owner: find_person(tx, owner.id, person))
    if as_json:
        print_json({"number": person, "kept": [_present(one) for one in found]})
        return
    rows = [list(_present(one).values()) for one in found]
    print_table(("kind", "count>", "first", "last"), rows, none=f"Nothing is kept of {person}.")


def export(account: str, number: str) -> None:
    person = _require(number)

    async def work(ctx: Context, owner: Account) -> str:
        await ctx.db.transact(
            partial(
                record_export,
                sealer=ctx.sealer,
                account_id=owner.id,
                phone=person,
                actor=command_actor(),
            )
        )
        return "".join([part async for part in export_person(ctx, owner, person)])

    write_data(_run(account, work))


def erase(account: str, number: str, *, as_json: bool) -> None:
    person = _require(number)

    async def work(ctx: Context, owner: Account) -> Erased:
        return await erase_person(ctx, owner.id, person, command_actor())

    erased = _run(account, work)
    if as_json:
        print_json(
            {
                "person": erased.pseudonym,
                "messages": erased.messages,
                "cancelled": erased.cancelled,
                "complete": erased.is_complete,
            }
        )
        return
    say(f"Erased: {counted(erased.messages, 'message')}, {erased.cancelled} of them cancelled.")
    if not erased.is_complete:
        say("A message is just being sent; a running service erases it within two minutes.")


def _run(account: str, work: Callable[[Context, Account], Awaitable[T]]) -> T:
    """Work that takes several transactions, and all that the service has."""
    settings = load_settings()
    log.configure(SystemClock(), settings.log_level)

    async def opened_run() -> T:
        async with opened(settings) as db:
            owner = await db.transact(lambda tx: load_account(tx, account))
            service = await Service.open(settings, db, clock=db.clock, roles=frozenset())
            try:
                return await work(service.ctx, owner)
            finally:
                await service.stop()

    return run(opened_run())


def _require(number: str) -> str:
    person = phone.find(number)
    if person is None:
        raise Refused("NUMBER is 8 to 20 digits, in international format.")
    return person


def _present(kept: Kept) -> dict[str, object]:
    return {
        "kind": kept.kind,
        "count": kept.count,
        "first": None if kept.first is None else times.to_wire(kept.first),
        "last": None if kept.last is None else times.to_wire(kept.last),
    }
