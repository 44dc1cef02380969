"""`tidings keys`: API keys and signing secrets. A new one is all that goes to stdout, once."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from tidings import limits, times
from tidings.cli.database import opened
from tidings.cli.named import load_account
from tidings.cli.output import print_json, print_table, remark, say
from tidings.cli.runner import load_settings, run
from tidings.engine.db.tx import Tx
from tidings.features.accounts.keys import issue_key, load_keys, revoke_keys
from tidings.features.accounts.master_key import load_master_key, require_same_master_key
from tidings.features.accounts.model import Account, IssuedKey
from tidings.features.accounts.rotate import rotate_key, rotate_secret
from tidings.secrets import Sealer

T = TypeVar("T")


def issue_api_key(name: str) -> None:
    say(_transact(name, issue_key))
    remark(f"This is one more key of {name}, shown once. The others work on.")


def rotate_api_key(name: str, overlap: timedelta) -> None:
    async def work(tx: Tx, account: Account) -> str:
        return await rotate_key(tx, account.id, overlap)

    say(_transact(name, work))
    ends = f"works on for {_hours(overlap)}" if overlap else "has stopped working"
    remark(f"This is the new key of {name}, shown once. Every one before it {ends}.")


def revoke_api_keys(name: str, given: str | None) -> None:
    async def work(tx: Tx, account: Account) -> int:
        return await revoke_keys(tx, account, given)

    ended = _transact(name, work)
    remark(f"{ended} {'key' if ended == 1 else 'keys'} of {name} revoked, at once.")


def list_keys(name: str, *, as_json: bool) -> None:
    found = _transact(name, load_keys)
    if as_json:
        print_json({"account": name, "keys": [_presented(one) for one in found]})
        return
    headings = ("begins with", "ends with", "issued", "works until")
    rows = [tuple(_presented(one).values()) for one in found]
    print_table(headings, rows, none=f"{name} has no keys. tidings keys issue makes one.")


def rotate_signing_secret(name: str) -> None:
    sealer = Sealer(load_master_key(load_settings()))

    async def work(tx: Tx, account: Account) -> str:
        await require_same_master_key(tx, sealer)
        return await rotate_secret(tx, sealer, account.id)

    say(_transact(name, work))
    remark(
        f"This is the new signing secret of {name}, shown once. The one before it signs "
        f"X-Signature-Previous for {_hours(limits.SECRET_OVERLAP)}."
    )


def _transact(name: str, work: Callable[[Tx, Account], Awaitable[T]]) -> T:
    settings = load_settings()

    async def with_account(tx: Tx) -> T:
        return await work(tx, await load_account(tx, name))

    async def transact() -> T:
        async with opened(settings) as db:
            return await db.transact(with_account)

    return run(transact())


def _presented(one: IssuedKey) -> dict[str, object]:
    return {
        "prefix": one.prefix,
        "last4": one.last4,
        "issuedAt": times.to_wire(one.created_at),
        "worksUntil": None if one.expires_at is None else times.to_wire(one.expires_at),
    }


def _hours(duration: timedelta) -> str:
    hours = duration // timedelta(hours=1)
    return "1 hour" if hours == 1 else f"{hours} hours"
