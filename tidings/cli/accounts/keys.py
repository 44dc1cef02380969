"""`tidings keys`: API keys and signing secrets. Only a new one goes to stdout, once."""

from datetime import timedelta

from tidings import limits, times
from tidings.cli.database import transact_for
from tidings.cli.output import print_json, print_table, remark, say
from tidings.cli.runner import load_settings
from tidings.engine.db.tx import Tx
from tidings.features.accounts.credentials import (
    issue_key,
    load_keys,
    revoke_keys,
    rotate_key,
    rotate_secret,
)
from tidings.features.accounts.master_key import load_master_key, require_same_master_key
from tidings.features.accounts.model import Account, IssuedKey
from tidings.secrets import Sealer
from tidings.wording import counted


def issue_api_key(name: str) -> None:
    say(transact_for(name, issue_key))
    remark(f"This is one more key of {name}, shown once. Its other keys stay valid.")


def rotate_api_key(name: str, overlap: timedelta) -> None:
    async def work(tx: Tx, account: Account) -> str:
        return await rotate_key(tx, account.id, overlap)

    say(transact_for(name, work))
    previous = f"stay valid for {_hours(overlap)}" if overlap else "are no longer valid"
    remark(f"This is the new key of {name}, shown once. Its previous keys {previous}.")


def revoke_api_keys(name: str, prefix: str | None) -> None:
    async def work(tx: Tx, account: Account) -> int:
        return await revoke_keys(tx, account, prefix)

    revoked = transact_for(name, work)
    remark(f"{counted(revoked, 'key')} of {name} revoked.")


def list_keys(name: str, *, as_json: bool) -> None:
    found = [_present(one) for one in transact_for(name, load_keys)]
    if as_json:
        print_json({"account": name, "keys": found})
        return
    headings = ("begins with", "ends with", "issued", "valid until")
    rows = [tuple(one.values()) for one in found]
    print_table(headings, rows, none=f"{name} has no keys. tidings keys issue creates one.")


def rotate_signing_secret(name: str) -> None:
    sealer = Sealer(load_master_key(load_settings()))

    async def work(tx: Tx, account: Account) -> str:
        await require_same_master_key(tx, sealer)
        return await rotate_secret(tx, sealer, account.id)

    say(transact_for(name, work))
    remark(
        f"This is the new signing secret of {name}, shown once. The previous one signs "
        f"X-Signature-Previous for {_hours(limits.SECRET_OVERLAP)}."
    )


def _present(key: IssuedKey) -> dict[str, object]:
    return {
        "prefix": key.prefix,
        "last4": key.last4,
        "issuedAt": times.to_wire(key.created_at),
        "worksUntil": None if key.expires_at is None else times.to_wire(key.expires_at),
    }


def _hours(duration: timedelta) -> str:
    return counted(duration // timedelta(hours=1), "hour")
