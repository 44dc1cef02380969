"""`tidings accounts`: what accounts there are."""

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from tidings import times
from tidings.features.accounts.directory import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.ids import account_ref
from tidings.settings import Settings

from .database import opened
from .running import load_settings, run


def list_accounts(*, as_json: bool) -> None:
    found = [_presented(account) for account in run(_load(load_settings()))]
    if as_json:
        print(msgspec.json.format(msgspec.json.encode({"accounts": found}), indent=2).decode())
        return
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("name", "environment", "state", "replies", "id"):
        table.add_column(heading, no_wrap=heading != "name", overflow="fold")
    for one in found:
        state = "inactive" if not one["active"] else "paused" if one["paused"] else "active"
        row = (one["name"], one["environment"], state, one["replies"], one["id"])
        table.add_row(*map(str, row))
    Console().print(table if found else "No accounts yet. tidings apply FILE makes some.")


async def _load(settings: Settings) -> list[Account]:
    async with opened(settings) as db:
        return await db.transact(load_all_accounts)


def _presented(account: Account) -> dict[str, object]:
    return {
        "name": account.name,
        "id": account_ref(account.id),
        "environment": account.environment,
        "active": account.active,
        "paused": account.paused,
        "replies": account.replies,
        "billingMode": account.billing_mode,
        "partner": account.is_partner,
        "createdAt": times.to_wire(account.created_at),
    }
