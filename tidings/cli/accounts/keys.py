"""`tidings keys`: API keys and signing secrets. Only a new one goes to stdout, once."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from tidings import limits, times
from tidings.cli.actor import command_actor
from tidings.cli.database import transact_for
from tidings.cli.output import print_json, print_table, remark, say
from tidings.cli.runner import load_settings
from tidings.engine.db.tx import Tx
from tidings.features.accounts import keys
from tidings.features.accounts.master_key import load_sealer, require_same_master_key
from tidings.features.accounts.model import Account, IssuedKey
from tidings.features.operation import credentials
from tidings.secrets import Sealer
from tidings.wording import counted


def issue_api_key(name: str, key_name: str) -> None:
    async def work(tx: Tx, sealer: Sealer, account: Account) -> str:
        return await credentials.issue_key(tx, sealer, command_actor(), account, key_name)

    say(_sealing(name, work))
    remark(f"This is one more key of {name}, shown once. Its other keys stay valid.")


def rotate_api_key(name: str, prefix: str | None, overlap: timedelta) -> None:
    async def work(tx: Tx, sealer: Sealer, account: Account) -> str:
        if prefix is None:
            return await credentials.rotate_keys(tx, sealer, command_actor(), account, overlap)
        previous = await keys.require_key(tx, account, prefix)
        return await credentials.rotate_key(
            tx, sealer, command_actor(), account, previous.id, overlap
        )

    say(_sealing(name, work))
    validity = f"valid for {_hours(overlap)}" if overlap else None
    if prefix is None:
        ending = f"Its previous keys {f'stay {validity}' if validity else 'are no longer valid'}."
    else:
        ending = f"{prefix}… {f'stays {validity}' if validity else 'is no longer valid'}."
    remark(f"This is the new key of {name}, shown once. {ending}")


def revoke_api_keys(name: str, prefix: str | None) -> None:
    async def work(tx: Tx, account: Account) -> int:
        if prefix is None:
            return await credentials.revoke_keys(tx, command_actor(), account)
        key = await keys.require_key(tx, account, prefix)
        await credentials.revoke_key(tx, command_actor(), account, key.id)
        return 1

    revoked = transact_for(name, work)
    remark(f"{counted(revoked, 'key')} of {name} revoked.")


def list_keys(name: str, *, as_json: bool) -> None:
    found = [_present(one) for one in transact_for(name, keys.load_keys)]
    if as_json:
        print_json({"account": name, "keys": found})
        return
    headings = ("name", "begins with", "ends with", "issued", "valid until", "last used")
    rows = [tuple(one.values()) for one in found]
    print_table(headings, rows, none=f"{name} has no keys. tidings keys issue creates one.")


def _sealing(name: str, work: Callable[[Tx, Sealer, Account], Awaitable[str]]) -> str:
    """Do what seals a key or a secret under the master key of this database."""
    sealer = load_sealer(load_settings())

    async def checked(tx: Tx, account: Account) -> str:
        await require_same_master_key(tx, sealer)
        return await work(tx, sealer, account)

    return transact_for(name, checked)


def rotate_signing_secret(name: str) -> None:
    async def work(tx: Tx, sealer: Sealer, account: Account) -> str:
        return await credentials.rotate_secret(tx, sealer, command_actor(), account)

    say(_sealing(name, work))
    remark(
        f"This is the new signing secret of {name}, shown once. The previous one signs "
        f"X-Signature-Previous for {_hours(limits.SECRET_OVERLAP)}."
    )


def _present(key: IssuedKey) -> dict[str, object]:
    used, ends = key.last_used_at, key.expires_at
    return {
        "name": key.name,
        "prefix": key.prefix,
        "last4": key.last4,
        "issuedAt": times.to_wire(key.created_at),
        "worksUntil": None if ends is None else times.to_wire(ends),
        "lastUsedAt": None if used is None else times.to_wire(used),
    }


def _hours(duration: timedelta) -> str:
    return counted(duration // timedelta(hours=1), "hour")
